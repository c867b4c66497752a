"""The `cython` names the kernel uses, typed for mypy strict."""
import builtins
from collections.abc import Callable
from typing import Any, Literal, TypeVar

_F = TypeVar("_F", bound=Callable[..., Any])
_C = TypeVar("_C", bound=type)
_T = TypeVar("_T")

compiled: Literal[False]
int = builtins.int
uint = builtins.int
uchar = builtins.int
longlong = builtins.int
ulonglong = builtins.int
Py_ssize_t = builtins.int
size_t = builtins.int
Py_UCS4 = builtins.str
double = builtins.float
bint = builtins.bool

def cfunc(f: _F) -> _F: ...
def ccall(f: _F) -> _F: ...
def inline(f: _F) -> _F: ...
def cclass(c: _C) -> _C: ...
def final(c: _C) -> _C: ...
def exceptval(value: object = ..., *, check: builtins.bool = ...) -> Callable[[_F], _F]: ...

def cast(kind: type[_T], value: object) -> _T: ...
def declare(kind: Any, value: Any = ...) -> Any: ...

class const:
    def __class_getitem__(cls, item: object) -> Any: ...
