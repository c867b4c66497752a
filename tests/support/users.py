"""Running a Python script as the superuser or as an ordinary user, whichever of them the tests themselves are."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NOBODY = 65534
TESTS = str(Path(__file__).parents[1])


def run_as(user: str, script: str, *arguments: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run a script with `support` on its path as `root` or as `ordinary`; skips the test where that can't be had."""
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {TESTS!r})\n{script}", *arguments]
    if user == "root":
        if os.geteuid() != 0:
            pytest.skip("the tests do not run as root")
    elif os.geteuid() == 0:
        command = _as_nobody(command)
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False, cwd="/")


def _as_nobody(command: list[str]) -> list[str]:
    """Through `setpriv`; folders on the way to the interpreter that only root may enter are replaced, in a mount name space of
    its own, by empty ones that hold no more than what is needed."""
    if not all(shutil.which(tool) for tool in ("setpriv", "unshare", "mount")):
        pytest.skip("no tools to become an ordinary user: apt install util-linux")
    named = {os.path.realpath(path) for path in (sys.base_prefix, sys.prefix, *filter(None, sys.path), TESTS)}
    folders = {path for path in named if os.path.isdir(path)}
    needed = sorted(path for path in folders if not any(str(parent) in folders for parent in Path(path).parents))
    hidden: dict[str, list[str]] = {}
    for path in needed:
        for folder in reversed(Path(path).parents):
            if not os.stat(folder).st_mode & 0o001:
                hidden.setdefault(str(folder), []).append(path)
                break
    steps = []
    for number, (folder, paths) in enumerate(hidden.items()):
        places = [f"$D/{number}-{at}" for at in range(len(paths))]
        steps += [f"mkdir {place} && mount --bind {shlex.quote(path)} {place}" for place, path in zip(places, paths, strict=True)]
        steps.append(f"mount -t tmpfs -o mode=755 none {shlex.quote(folder)}")
        steps += [
            f"mkdir -p {shlex.quote(path)} && mount --bind {place} {shlex.quote(path)}"
            for place, path in zip(places, paths, strict=True)
        ]
    become = f"exec setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups --inh-caps=-all " + shlex.join(command)
    shell = " && ".join(["D=$(mktemp -d)", "mount -t tmpfs none $D", *steps, become])
    whole = ["unshare", "--mount", "--propagation", "private", "sh", "-c", shell]
    probe = subprocess.run([*whole[:-1], shell.rpartition(" && ")[0]], capture_output=True, text=True, check=False)
    if probe.returncode:
        pytest.skip(f"no name space of its own to become an ordinary user in: {probe.stderr.strip()}")
    return whole
