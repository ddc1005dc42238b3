#ifndef GK_PROCESS_SHIM_H
#define GK_PROCESS_SHIM_H

/// Forbids core dumps of this process and reading its memory by other processes of the same user (Linux:
/// PR_SET_DUMPABLE). `prctl` is variadic, so Swift cannot call it. Returns 0 when done or when the system has no such
/// call.
int gk_forbid_dumps(void);

#endif
