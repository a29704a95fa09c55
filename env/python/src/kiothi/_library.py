"""The Go engine as a shared library: loading it, calling it, and refusing to use it where it would hang.

Go's runtime has threads of its own, and a fork copies only the calling one: in the child, the engine's first garbage
collection would wait for ever. So the engine is loaded on its first use, and a child that was forked after that gets an
exception. A child that was forked before, or spawned, loads an engine of its own.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from pathlib import Path
from typing import Any

from kiothi import errors

ABI = 1
"""The version of the library's interface that this package speaks."""

_FORKED = (
    "the kiothi engine was loaded before this process was forked (by process {}), and Go cannot run in a forked child. "
    "Start processes with the method 'spawn' instead: multiprocessing.get_context('spawn'), "
    "AsyncVectorEnv(..., context='spawn'), SubprocVecEnv(..., start_method='spawn')"
)


class Buffers(ctypes.Structure):
    """Where a vector writes: ``kiothi_buffers`` in the library's interface."""

    _fields_ = [
        (name, ctypes.c_void_p)
        for name in (
            "observations",
            "masks",
            "players",
            "rewards",
            "both_rewards",
            "actors",
            "terminated",
            "truncated",
            "final_observations",
            "final_players",
            "stores",
            "reasons",
            "laps",
            "captured",
            "cut",
            "turn_over",
            "steps",
            "turns",
            "actions",
        )
    ]


_HANDLE = ctypes.c_int64
_TEXT = ctypes.c_char_p
_OUT_TEXT = ctypes.POINTER(ctypes.c_void_p)
_OUT_HANDLE = ctypes.POINTER(ctypes.c_int64)

# The parameters of each function. All of them return a failure, NULL for none.
_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "games": (_OUT_TEXT,),
    "describe": (_TEXT, _TEXT, _OUT_TEXT),
    "vector_new": (_TEXT, ctypes.POINTER(Buffers), _OUT_HANDLE),
    "vector_reset": (_HANDLE, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32),
    "vector_reset_rows": (_HANDLE, ctypes.c_void_p),
    "vector_step": (_HANDLE,),
    "vector_sample": (_HANDLE,),
    "vector_text": (_HANDLE, _TEXT, ctypes.c_int64, ctypes.c_int32, _OUT_TEXT),
    "vector_positions": (_HANDLE, _OUT_TEXT),
    "vector_close": (_HANDLE,),
    "agent_new": (_TEXT, ctypes.c_uint64, _OUT_HANDLE),
    "agent_choose": (_HANDLE, _HANDLE, ctypes.c_void_p),
    "agent_close": (_HANDLE,),
}


class Library:
    """The loaded engine. Its functions are attributes, without their prefix ``kiothi_``, to be called by :meth:`call`."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise errors.KiothiError(
                f"the engine {path.name} is missing beside {Path(__file__).name}: install the package with "
                "'pip install ./env/python' in a checkout of the repository, which builds it"
            )
        library = ctypes.CDLL(str(path))
        library.kiothi_abi.restype = ctypes.c_int32
        if library.kiothi_abi() != ABI:
            raise errors.KiothiError(
                f"{path} has interface version {library.kiothi_abi()}, expected {ABI}: install the package again"
            )
        self.pid = os.getpid()
        self._free = library.kiothi_free
        self._free.argtypes, self._free.restype = (ctypes.c_void_p,), None
        for name, parameters in _FUNCTIONS.items():
            function = getattr(library, "kiothi_" + name)
            function.argtypes, function.restype = parameters, ctypes.c_void_p
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the engine has no function {name}")

    def alive(self) -> bool:
        """Tell whether the engine runs in this process. The check also sees forks that Python knows nothing of."""
        return self.pid == os.getpid()

    def call(self, function: Any, *arguments: Any) -> None:
        """Call one of the functions, and raise its failure."""
        if self.pid != os.getpid():
            raise errors.ForkedProcessError(_FORKED.format(self.pid))
        failure = function(*arguments)
        if failure is not None:
            raise errors.from_failure(self._take(failure))

    def text(self, function: Any, *arguments: Any) -> str:
        """Call a function that gives a text, and return it."""
        out = ctypes.c_void_p()
        self.call(function, *arguments, ctypes.byref(out))
        assert out.value is not None
        return self._take(out.value)

    def handle(self, function: Any, *arguments: Any) -> int:
        """Call a function that gives a handle, and return it."""
        out = ctypes.c_int64()
        self.call(function, *arguments, ctypes.byref(out))
        return out.value

    def _take(self, address: int) -> str:
        """Copy a text of the library, and release it."""
        text = ctypes.string_at(address).decode()
        self._free(address)
        return text


def file_name() -> str:
    """Return the name of the library's file on this platform."""
    if sys.platform == "win32":
        return "kiothi.dll"
    return "libkiothi.dylib" if sys.platform == "darwin" else "libkiothi.so"


_loaded: Library | None = None
_lock = threading.Lock()


def library() -> Library:
    """Return the engine, loaded on the first call. In a process forked after that it raises ForkedProcessError."""
    global _loaded
    if _loaded is None:
        with _lock:
            if _loaded is None:
                _loaded = Library(Path(__file__).with_name(file_name()))
    if not _loaded.alive():
        raise errors.ForkedProcessError(_FORKED.format(_loaded.pid))
    return _loaded


def _in_child() -> None:
    """Keep a forked child from taking its parent's number for its own, should the system give it out again."""
    global _lock
    _lock = threading.Lock()  # another thread of the parent may have held it
    if _loaded is not None:
        _loaded.pid = -abs(_loaded.pid)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
