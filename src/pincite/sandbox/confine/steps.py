"""All steps of the confinement, in the one order in which they work."""

from __future__ import annotations

from pincite.sandbox.confine import landlock, linux, seccomp
from pincite.sandbox.confine.limits import limit_resources


def confine(
    memory_bytes: int,
    cpu_s: int,
    outputs: tuple[int, ...],
    *,
    size_bytes: int | None = None,
    landlock_version: int | None = None,
) -> tuple[str, ...]:
    """Confine this process for good and name what holds; see `limit_resources` for the arguments.

    What is known beforehand (`size_bytes`, `landlock_version`) need not be asked of the system each time. Everything that
    is loaded late by some library must have been loaded.
    """
    held = limit_resources(memory_bytes, cpu_s, outputs, size_bytes=size_bytes)
    # A change of user makes the process dumpable again or not, as the system is set, and forgets the death signal.
    held += linux.leave_privileges()
    held += linux.die_with_parent()
    held += linux.close_to_others()
    # Both need that no new privileges are to be had; the filter is last, since it refuses all of the above.
    if "no_new_privs" in held:
        held += landlock.restrict(landlock_version)
        held += seccomp.restrict()
    return held
