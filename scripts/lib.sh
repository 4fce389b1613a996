# Sourced by the scripts beside it. They share one build folder, build/, and one Python, .venv/.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# A pyenv, a PYTHONPATH or packages in a user's home must not change what a build or a test sees.
unset PYTHONPATH PYTHONHOME
export PYTHONNOUSERSITE=1 PYTHONDONTWRITEBYTECODE=1
# Objects are found again when the tree lies in another folder.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
if [ "$(id -u)" -eq 0 ]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi

say() { echo "$(basename "$0"): $*" >&2; }
fail() { say "$*"; exit 5; }  # 5: the machine lacks something

# Address-space randomisation as some kernels do it is more than the thread sanitizer of g++ 12 takes.
steady=(setarch "$(uname -m)" -R)
"${steady[@]}" true 2>/dev/null || steady=()

# build_tree FOLDER "TARGETS" [CMAKE OPTION...]: configures where needed, then builds.
build_tree() {
  local folder=$1 targets=$2 log; shift 2
  log=$folder/log.txt
  local options=(-G Ninja "-DPython3_EXECUTABLE=$root/.venv/bin/python" "$@")
  if command -v ccache >/dev/null; then
    options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  mkdir -p "$folder"
  if [ ! -f "$folder/build.ninja" ] || [ "$(cat "$folder/options" 2>/dev/null)" != "${options[*]}" ]; then
    cmake -S "$root" -B "$folder" "${options[@]}" >"$log" 2>&1 || { cat "$log" >&2; fail "CMake could not configure $folder"; }
    echo "${options[*]}" >"$folder/options"
  fi
  if [ -t 1 ]; then
    "${steady[@]}" ninja -C "$folder" $targets
  else
    "${steady[@]}" ninja --quiet -C "$folder" $targets >"$log" 2>&1 || { cat "$log" >&2; say "$folder did not build"; exit 1; }
  fi
}
