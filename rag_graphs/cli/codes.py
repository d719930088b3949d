"""Name the exit codes: 0 done, 1 it failed, 2 wrong usage or set-up, 130 interrupted, 141 nobody reads the output any
more."""

DONE, FAILED, WRONG_USAGE, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
