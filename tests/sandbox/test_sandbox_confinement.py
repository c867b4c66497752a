"""What a confined child can't do, tried from inside: forked and executed, with and without root."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pincite.model.text import PageText
from pincite.sandbox.confine import STEPS as STEPS_LISTED
from support.children import close_zygotes, engine_runner
from support.users import run_as

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="these are the ways of Linux")

# Runs inside the child, before it is confined up to `def tries`. Calls that Python has no function for, or that it would
# refuse by itself, go to the kernel directly.
INSIDE = """
import ctypes, encodings.idna, fcntl, json, mmap, os, platform, resource, signal, socket, subprocess, tempfile
from pincite.sandbox.confine import linux, seccomp
column = 0 if platform.machine() == "x86_64" else 1
NUMBERS = {
    "open": (2, None), "openat": (257, 56), "openat2": (437, 437), "creat": (85, None), "stat": (4, None),
    "newfstatat": (262, 79),
    "statx": (332, 291), "access": (21, None), "readlinkat": (267, 78), "unlinkat": (263, 35), "mkdirat": (258, 34),
    "renameat2": (316, 276), "linkat": (265, 37), "symlinkat": (266, 36), "fchmodat": (268, 53), "fchownat": (260, 54),
    "truncate": (76, 45), "ftruncate": (77, 46), "mknodat": (259, 33), "chdir": (80, 49), "chroot": (161, 51), "mount": (165, 40),
    "pivot_root": (155, 41), "getdents64": (217, 61), "memfd_create": (319, 279), "socket": (41, 198), "socketpair": (53, 199),
    "connect": (42, 203), "sendto": (44, 206), "bind": (49, 200), "clone": (56, 220), "fork": (57, None), "vfork": (58, None),
    "clone3": (435, 435), "execve": (59, 221), "execveat": (322, 281), "kill": (62, 129), "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "setrlimit": (160, 164),
    "prlimit64": (302, 261), "prctl": (157, 167), "seccomp": (317, 277), "setuid": (105, 146), "setresuid": (117, 147),
    "capset": (126, 91), "unshare": (272, 97), "setns": (308, 268), "bpf": (321, 280), "perf_event_open": (298, 241),
    "io_uring_setup": (425, 425), "userfaultfd": (323, 282), "keyctl": (250, 219), "shmget": (29, 194), "mq_open": (240, 180),
    "ioctl": (16, 29), "getppid_of_another": (121, 155), "setsid": (112, 157), "init_module": (175, 105),
    "reboot": (169, 142), "sched_setaffinity": (203, 122), "setpriority": (141, 140), "add_key": (248, 217),
    "personality": (135, 92), "inotify_init1": (294, 26), "landlock_create_ruleset": (444, 444), "eventfd2": (290, 19),
}
library = linux.library()
path = ctypes.create_string_buffer(b"/etc/passwd")
elsewhere = tempfile.mkdtemp().encode()
parent = os.getppid()

def call(name, *arguments):
    number = NUMBERS[name][column]
    if number is None:
        return "not here"
    ctypes.set_errno(0)
    result = library.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    return ctypes.get_errno() if result < 0 else "done"

def python(function):
    try:
        function()
    except OSError as error:
        return error.errno
    except ValueError:  # what Python makes of a limit that may not be raised
        return "refused"
    return "done"

def tries():
    said = {name: call(name, *([path] * 4)) for name in NUMBERS}
    said["kill"] = call("kill", parent, 0)
    said["kill own group"] = call("kill", 0, 0)
    said["rt_sigqueueinfo"] = call("rt_sigqueueinfo", parent, 15, path)
    said["ptrace"] = call("ptrace", 16, parent, 0, 0)
    said["execve"] = call("execve", ctypes.create_string_buffer(b"/bin/true"), None, None)
    said["socket"] = call("socket", socket.AF_INET, socket.SOCK_DGRAM, 0)
    said["prctl"] = call("prctl", 4, 1, 0, 0, 0)
    said["clone"] = call("clone", 17, 0, 0, 0, 0)
    said["memfd_create"] = call("memfd_create", path, 0)
    said["setrlimit"] = python(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2))
    to_the_parent = library.syscall(ctypes.c_long(seccomp.ALLOWED["tgkill"][column]), parent, parent, 0)
    said["tgkill of the parent"] = "refused" if to_the_parent else "done"
    said["python opens"] = python(lambda: open("/etc/passwd"))
    said["python opens /proc"] = python(lambda: open("/proc/self/maps"))
    said["python opens a device"] = python(lambda: open("/dev/urandom"))
    said["python writes"] = python(lambda: open(elsewhere + b"/new", "w"))
    said["python lists"] = python(lambda: os.listdir("/"))
    said["python stats"] = python(lambda: os.stat("/etc/passwd"))
    said["python forks"] = python(os.fork)
    said["python runs"] = python(lambda: subprocess.run(["/bin/true"]))
    said["python connects"] = python(lambda: socket.create_connection(("127.0.0.1", 1)))
    said["python makes a unix socket"] = python(lambda: socket.socket(socket.AF_UNIX))
    said["python kills its parent"] = python(lambda: os.kill(parent, 9))
    said["python kills all"] = python(lambda: os.kill(-1, 9))
    said["a pipe that sends signals: its owner"] = python(lambda: fcntl.fcntl(output, fcntl.F_SETOWN, parent))
    said["a pipe that sends signals: which"] = python(lambda: fcntl.fcntl(output, 10, 9))
    said["a pipe that sends signals: now"] = python(lambda: fcntl.fcntl(output, fcntl.F_SETFL, os.O_ASYNC))
    said["memory to execute"] = python(lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC))
    page = mmap.mmap(-1, 4096)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    ctypes.set_errno(0)
    protected = library.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(4096), 5)
    said["memory made executable"] = "done" if protected == 0 else ctypes.get_errno()
    said["write to the PDF"] = python(lambda: os.write(0, b"x"))
    said["a thread"] = thread()
    said["identity"] = [os.getpid(), hidden(os.getuid)]
    said["environment"] = sorted(set(os.environ) - {"LC_CTYPE"})
    said["descriptors"] = [d for d in range(64) if is_open(d)]
    return json.dumps(said)

def is_open(descriptor):
    try:
        fcntl.fcntl(descriptor, fcntl.F_GETFD)
    except OSError:
        return False
    return True

def hidden(function):
    try:
        return function()
    except OSError:
        return None

def thread():
    import threading
    try:
        threading.Thread(target=print).start()
    except (RuntimeError, OSError) as error:
        return str(error)
    return "done"

output = 3
import threading
def open_document(data):
    return Document(tries)
"""

OUTSIDE = """
import json, os, sys
from support.children import close_zygotes, engine_runner
from pincite.sandbox.runner import Runner
inside, way = sys.argv[1:]
result = engine_runner(inside, forked=way == "forked").run(b"%PDF-1.7")
page = result.pages[0]
print(json.dumps({"confinement": result.confinement, "said": getattr(page, "text", None), "error": getattr(page, "error", None)}))
close_zygotes()
"""

STEPS = {
    "rlimit_core", "rlimit_cpu", "rlimit_nofile", "rlimit_nproc", "rlimit_fsize", "rlimit_as", "no_capabilities", "pdeathsig",
    "no_new_privs", "not_dumpable",
}  # fmt: skip


@pytest.fixture(scope="module", params=["root", "ordinary"])
def user(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module", params=["forked", "executed"])
def inside(request: pytest.FixtureRequest, user: str) -> dict[str, Any]:
    """What the child could do, and by what it says that it is confined."""
    done = run_as(user, OUTSIDE, INSIDE, str(request.param))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["error"] is None, told["error"]
    return {"confinement": told["confinement"], "user": user, "way": request.param, **json.loads(told["said"])}


def test_all_that_the_system_has_is_applied(inside: dict[str, Any]) -> None:
    held = set(inside["confinement"])
    assert held >= STEPS
    assert ("other_user" in held) == (inside["user"] == "root")
    if "seccomp" not in held:
        pytest.skip("this kernel has no filter of system calls")


REFUSED = (1, 13, 38, "not here", "refused")
"""EPERM, EACCES, ENOSYS."""


def test_nothing_is_let_through(inside: dict[str, Any]) -> None:
    if "seccomp" not in inside["confinement"]:
        pytest.skip("this kernel has no filter of system calls")
    # Files can't be written at all, so the filter need not stop these.
    by_limit = {"write to the PDF": (9, 27), "a thread": ("can't start new thread",)}
    told = ("confinement", "user", "way", "identity", "environment", "descriptors")
    let_through = {
        name: outcome for name, outcome in inside.items() if name not in told and outcome not in by_limit.get(name, REFUSED)
    }
    assert let_through == {}


def test_nothing_of_the_parent_is_there(inside: dict[str, Any]) -> None:
    assert inside["environment"] == []
    assert inside["descriptors"] == [0, 1, 2, 3]


WITHOUT = """
import json, os
from pincite.sandbox.confine import steps
{layer}
def attempt(function):
    try:
        function()
    except OSError as error:
        return error.errno
    return "done"
def tries():
    return json.dumps({{
        "open": attempt(lambda: open("/etc/passwd")),
        "write": attempt(lambda: open("/tmp/pincite-must-not-be", "w")),
        "list": attempt(lambda: os.listdir("/")),
        "kill": attempt(lambda: os.kill(os.getppid(), 0)),
    }})
def open_document(data):
    return Document(tries)
"""


@pytest.mark.parametrize("forked", [True, False])
def test_without_the_filter_landlock_still_refuses_files(forked: bool) -> None:
    result = engine_runner(WITHOUT.format(layer="steps.seccomp.Filter.restrict = lambda *_: ()"), forked=forked).run(b"")
    close_zygotes()
    assert "seccomp" not in result.confinement
    if "landlock" not in result.confinement:
        pytest.skip("this kernel has no Landlock")
    assert isinstance(result.pages[0], PageText)
    said = json.loads(result.pages[0].text)
    assert (said["open"], said["write"], said["list"]) == (13, 13, 13)
    if "other_user" in result.confinement:
        assert said["kill"] == 1


@pytest.mark.parametrize("forked", [True, False])
def test_without_landlock_the_filter_still_refuses_all(forked: bool) -> None:
    result = engine_runner(WITHOUT.format(layer="steps.landlock.restrict = lambda *_: ()"), forked=forked).run(b"")
    close_zygotes()
    assert "landlock" not in result.confinement
    if "seccomp" not in result.confinement:
        pytest.skip("this kernel has no filter of system calls")
    assert isinstance(result.pages[0], PageText)
    assert set(json.loads(result.pages[0].text).values()) == {1}


def test_memory_over_the_limit_ends_in_an_error_and_not_in_the_machine() -> None:
    """Also memory that is mapped and never touched, and memory that is asked for in small pieces."""
    script = """
        import mmap
        def small():
            kept = []
            while True: kept.append(bytes(100_000))
        def open_document(data): return Document("a", lambda: str(len(mmap.mmap(-1, 3 << 30))), small, "d")
    """
    for forked in (True, False):
        result = engine_runner(script, forked=forked, max_memory_bytes=100 << 20).run(b"")
        assert [type(page).__name__ for page in result.pages] == ["PageText", "PageFailure", "PageFailure", "PageText"]
    close_zygotes()


def test_processor_time_is_a_limit_of_its_own() -> None:
    """Where nobody is left to kill the child, the kernel does."""
    script = """
        import resource
        def limit():
            return str(resource.getrlimit(resource.RLIMIT_CPU))
        soft, hard = 0, 0
        def open_document(data): return Document(told)
        from pincite.sandbox.confine import steps
        confine_for_real = steps.limit_resources
        def limit_resources(*arguments, **options):
            global told
            held = confine_for_real(*arguments, **options)
            told = limit()
            return held
        steps.limit_resources = limit_resources
    """
    result = engine_runner(script, forked=True, deadline_s=10).run(b"")
    close_zygotes()
    assert isinstance(result.pages[0], PageText)
    soft, hard = json.loads(result.pages[0].text.replace("(", "[").replace(")", "]"))
    assert 15 <= soft <= 18
    assert hard == soft + 1


def test_the_steps_are_those_that_are_listed_and_described(inside: dict[str, Any]) -> None:
    assert set(inside["confinement"]) <= set(STEPS_LISTED)
    assert [step for step in STEPS_LISTED if step in inside["confinement"]] == inside["confinement"]
    described = (Path(__file__).parents[2] / "docs" / "security.md").read_text(encoding="utf-8")
    assert [step for step in STEPS_LISTED if f"`{step}`" not in described] == []
