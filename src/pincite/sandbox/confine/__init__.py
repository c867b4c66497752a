"""What the child gives up before it reads a byte of the PDF, with what the system offers and without privileges.

Each step is applied where it is to be had and named in the answer where it holds:

    rlimit_core      no core dumps
    rlimit_fsize     no byte written to any file
    rlimit_as        address space capped above the size that the process has when it is confined
    rlimit_cpu       processor time capped: what remains of a child whose parent can't kill it ends by itself
    rlimit_nofile    no descriptors but a handful
    rlimit_nproc     no new processes for this user; means nothing to a privileged one
    pdeathsig        killed when the parent dies
    no_new_privs     no program started from here gains privileges
    not_dumpable     no other process of the same user attaches or reads its memory; no core dumps through a handler
    no_capabilities  none of a privileged user's capabilities are left
    other_user       where the parent is the superuser: this process is not, but the user that owns nothing
    landlock         no path can be opened, made or executed, no TCP port used, no signal sent outside (newer kernels)
    seccomp          only the system calls of `seccomp.ALLOWED`: none that opens, connects, forks, executes, signals or traces

    limits      resource limits, on every Unix
    linux       prctl, capabilities and the user, through the C library
    seccomp     the filter program, for x86-64 and aarch64
    landlock    the empty rule set

None of these modules imports anything outside the standard library.
"""

STEPS = (
    "rlimit_core",
    "rlimit_fsize",
    "other_user",
    "no_capabilities",
    "no_new_privs",
    "not_dumpable",
    "landlock",
    "rlimit_cpu",
    "rlimit_nofile",
    "rlimit_nproc",
    "rlimit_as",
    "pdeathsig",
    "seccomp",
)
"""All of them, in the order in which they are taken."""
