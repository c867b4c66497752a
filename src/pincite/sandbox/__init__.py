"""Reading hostile PDFs in a process that can be killed.

    runner      the parent: starts a child, feeds it, checks every line of its answer, kills and reaps it
    launch      how a child process comes to life and ends; nothing else knows
    feed        the source of the bytes, and the thread that writes them to the child
    output      the child's standard output up to its cap, in lines, and the little that is kept of standard error
    protocol    the lines on the wire, encoded by the child and decoded without trust by the parent
    child       the process itself, and the only module here that may import the engine
    confine     what the child gives up before it reads a byte
    reading     `pincite.read`

This module imports nothing, so that the child does not load the parent's side.
"""
