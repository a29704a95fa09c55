"""Builds the Go engine into the wheel, as hatchling's build hook."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "./cmd/libkiothi"


class EngineBuildHook(BuildHookInterface[Any]):
    """Builds the shared library and says which platform the wheel is for."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library, unless only the sources are packed."""
        if self.target_name != "wheel":
            return
        checkout = find_checkout(Path(self.root))
        check_go(checkout)
        if version == "editable":  # the package is used where it lies, so the library goes there too
            folder = Path(self.root, "src", "kiothi")
        else:
            self.folder = folder = Path(tempfile.mkdtemp(prefix="kiothi-"))
        library = folder / file_name()
        build(checkout, library)
        if version != "editable":
            build_data["force_include"][str(library)] = f"kiothi/{library.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform_tag()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was built, now that it is in the wheel."""
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder, ignore_errors=True)


def find_checkout(root: Path) -> Path:
    """Return the folder of the Go module that this package belongs to."""
    checkout = root.parent.parent
    if not (checkout / "go.mod").is_file() or not (checkout / PACKAGE).is_dir():
        sys.exit(
            f"kiothi: expected a checkout of the whole repository around {root}, to build the Go engine from, and found "
            "none. Install from one with: pip install ./env/python. Or take a wheel, which needs no Go."
        )
    return checkout


def check_go(checkout: Path) -> None:
    """Stop with a clear message where Go is missing or too old."""
    match = re.search(r"^go (\d+)\.(\d+)", (checkout / "go.mod").read_text(), re.MULTILINE)
    assert match is not None, "go.mod names no Go version"
    wanted = int(match[1]), int(match[2])
    if shutil.which("go") is None:
        sys.exit(
            f"kiothi: expected Go {wanted[0]}.{wanted[1]} or newer, to build the engine, and found no command 'go'. "
            "Install it from https://go.dev/dl, or take a wheel, which needs no Go."
        )
    found = subprocess.run(["go", "version"], cwd=checkout, capture_output=True, text=True, check=False)
    version = re.search(r"go(\d+)\.(\d+)", found.stdout)
    # An older Go may fetch the one that it needs; where it may not, it says so itself.
    if found.returncode != 0 or version is None or (int(version[1]), int(version[2])) < wanted:
        sys.exit(
            f"kiothi: expected Go {wanted[0]}.{wanted[1]} or newer, to build the engine, and found: "
            f"{(found.stdout + found.stderr).strip()}"
        )


def build(checkout: Path, library: Path) -> None:
    """Build the shared library."""
    command = ["go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s -w"]
    built = subprocess.run(
        [*command, "-o", str(library), PACKAGE], cwd=checkout, env={**os.environ, "CGO_ENABLED": "1"}, check=False
    )
    if built.returncode != 0:
        sys.exit("kiothi: the Go engine does not build (see above). It needs Go and a C compiler, such as gcc.")
    library.with_suffix(".h").unlink(missing_ok=True)  # the C header, which Python has no use for


def file_name() -> str:
    """Return the name of the library's file, as kiothi._library looks for it."""
    if sys.platform == "win32":
        return "kiothi.dll"
    return "libkiothi.dylib" if sys.platform == "darwin" else "libkiothi.so"


def platform_tag() -> str:
    """Return the platform of the wheel: that of this machine, for any Python, since the library knows none."""
    if sys.platform == "darwin":  # Go needs macOS 12, and builds for one processor, whatever Python was built for
        return f"macosx_12_0_{platform.machine()}"
    return re.sub(r"\W", "_", sysconfig.get_platform())
