#include "CProcessShim.h"

#ifdef __linux__
#include <sys/prctl.h>

int gk_forbid_dumps(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
#else
int gk_forbid_dumps(void) {
    return 0;
}
#endif
