#!/usr/bin/env python3
"""Fails when a file includes what its layer may not see. `check_layers.py ROOT`; one fault a line."""
import pathlib
import re
import sys

# The rule of DESIGN 2: which layers each layer's files may include, besides their own.
SEES = {
    "kernels": set(),
    "base": {"kernels"},
    "bars": {"base"},
    "device": {"base", "kernels"},
    "sim": {"base", "kernels", "bars", "device"},
    "agents": {"base", "kernels", "bars", "device", "sim"},
    "search": {"base"},
    "cluster": {"base", "search"},
    "report": {"base", "search"},
    "cli": {"base", "kernels", "bars", "device", "sim", "agents", "search", "cluster", "report"},
}
# A library is its owners' own business: nobody else names its headers.
OWNERS = {
    re.compile(r"hdf5|H5\w+\.h"): {"bars", "report"},
    re.compile(r"mpi\.h|nccl"): {"cluster"},
    re.compile(r"cuda|nvrtc"): {"device"},
    re.compile(r"torch/|ATen/|c10/"): {"agents"},
    re.compile(r"boost/"): {"cli"},
    re.compile(r"Eigen/"): {"search"},
    re.compile(r"zlib\.h|openssl/|isa-l"): {"bars"},
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def faults_of(layer, quote, name, kernels):
    """What is wrong with `layer` including `name`; `kernels`: the names of the files in kernels/."""
    if layer == "kernels":
        if name not in kernels:
            yield "is no file of kernels/ by its bare name, and NVRTC finds nothing else"
        return
    head = name.split("/")[0] if "/" in name else None
    if head in SEES and head != layer and head not in SEES[layer]:
        yield f"is of layer {head}; {layer} may see {', '.join(sorted(SEES[layer]))}"
    if quote == '"' and head not in SEES:
        yield "names no layer: paths start at src/ or kernels/"
    for library, owners in OWNERS.items():
        if quote == "<" and library.match(name) and layer not in owners:
            yield f"belongs to {' and '.join(sorted(owners))}"


def faults(root):
    kernels = {file.name for file in root.glob("kernels/*")}
    for file in sorted([*root.glob("src/**/*.[ch]pp"), *root.glob("kernels/*.[hc]*")]):
        parts = file.relative_to(root).parts
        layer = parts[1] if parts[0] == "src" else "kernels"
        text = file.read_text()
        if layer not in SEES:
            yield f"{file.relative_to(root)}: there is no layer {layer}"
            continue
        for found in INCLUDE.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            for fault in faults_of(layer, *found.groups(), kernels):
                yield f"{file.relative_to(root)}:{line}: {found[2]} {fault}"


if __name__ == "__main__":
    found = list(faults(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every include is of a layer that its own may see")
    sys.exit(bool(found))
