"""All steps of the confinement, in the one order in which they work."""

from __future__ import annotations

import os

from pincite.sandbox.confine import landlock, linux, seccomp
from pincite.sandbox.confine.limits import address_space_bytes, limit_files, limit_resources


class Confinement:
    """All steps, with what can be found out or done beforehand; one serves for all children of a zygote.

    Everything that some library loads late must have been loaded when it is made.
    """

    def __init__(self) -> None:
        self._size_bytes = address_space_bytes()
        self._ruleset = landlock.attributes(landlock.version())
        self._filter = seccomp.Filter()
        self._begun_by = 0
        self._held: tuple[str, ...] = ()

    def begin(self, outputs: tuple[int, ...] = ()) -> None:
        """The steps that a zygote can take for all of its children: no privileges, no files. See `limit_files`."""
        self._begun_by = os.getpid()
        self._held = limit_files(outputs)
        self._held += linux.leave_privileges()
        # After the change of user, which makes the process dumpable again or not, as the system is set.
        self._held += linux.close_to_others()
        if "no_new_privs" in self._held:
            self._held += landlock.restrict(self._ruleset)

    def apply(self, memory_bytes: int, cpu_s: int, outputs: tuple[int, ...] = ()) -> tuple[str, ...]:
        """Confine this process for good and name what holds; see `limit_resources` for the arguments."""
        if not self._begun_by:
            self.begin(outputs)
        held = self._held + limit_resources(memory_bytes, cpu_s, self._size_bytes)
        # Not handed down by a fork, and undone by a change of user.
        held += linux.die_with_parent()
        if "no_new_privs" not in held:
            return held
        # The filter is last, since it refuses all of the above.
        filtered = self._filter.restrict()
        if not filtered and self._begun_by != os.getpid():
            # Without it, a domain of its own keeps this process from sending signals to the zygote and its other children.
            landlock.restrict(self._ruleset)
        return held + filtered
