# LibTorch as the target barsweep_torch: torch_cpu and c10 of the PyPI wheel (scripts/setup puts it into
# .venv), linked directly. find_package(Torch) would ask for the CUDA toolkit and run a GPU program.
set(BARSWEEP_TORCH_DIR "" CACHE PATH "folder `torch` of the wheel; default: that of $BARSWEEP_VENV or of .venv")

set(torch_places ${BARSWEEP_TORCH_DIR})
if(NOT BARSWEEP_TORCH_DIR)
  file(GLOB torch_places "$ENV{BARSWEEP_VENV}/lib/python3*/site-packages/torch"
    "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/torch")
endif()
find_path(torch_folder NAMES include/ATen/ATen.h PATHS ${torch_places} NO_DEFAULT_PATH NO_CACHE)
if(NOT torch_folder)
  message(FATAL_ERROR "LibTorch: expected the wheel `torch` in ${torch_places}, found none. "
    "To fix: run scripts/setup, name its folder by -DBARSWEEP_TORCH_DIR=..., or build without "
    "agent.engine = libtorch and policy.pt: -DBARSWEEP_TORCH=OFF.")
endif()
get_filename_component(torch_folder ${torch_folder} ABSOLUTE)

# libtorch_cpu.so needs two small libraries of CUDA even where no GPU is: from PyPI beside the wheel, or
# from the toolkit. (The search path of an executable reaches its libraries' own needs only as DT_RPATH.)
file(GLOB cuda_folders ${torch_folder}/../nvidia/cu13/lib ${torch_folder}/../nvidia/*/lib
  /usr/local/cuda*/lib64 /usr/local/cuda*/extras/CUPTI/lib64)
set(torch_search_paths ${torch_folder}/lib)
foreach(library cudart cupti)
  find_path(${library}_folder NAMES lib${library}.so.13 PATHS ${cuda_folders} NO_CACHE)
  if(NOT ${library}_folder)
    message(FATAL_ERROR "LibTorch: expected lib${library}.so.13 beside the wheel or in a CUDA 13 toolkit, "
      "found none. To fix: run scripts/setup.")
  endif()
  list(APPEND torch_search_paths ${${library}_folder})
endforeach()
list(REMOVE_DUPLICATES torch_search_paths)
list(TRANSFORM torch_search_paths PREPEND -Wl,-rpath,)

add_library(barsweep_torch INTERFACE)
# Last of all places: the wheel brings headers of other libraries too (fmt), of versions that aren't ours.
target_compile_options(barsweep_torch INTERFACE
  "SHELL:-idirafter ${torch_folder}/include" "SHELL:-idirafter ${torch_folder}/include/torch/csrc/api/include")
target_link_libraries(barsweep_torch INTERFACE ${torch_folder}/lib/libtorch_cpu.so ${torch_folder}/lib/libc10.so)
target_link_options(barsweep_torch INTERFACE -Wl,--disable-new-dtags ${torch_search_paths})
message(STATUS "LibTorch: ${torch_folder}")
