// Declarations that the Glibc module lacks.
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/vfs.h>

void *memmem(const void *haystack, size_t haystack_length, const void *needle, size_t needle_length);

int posix_openpt(int flags);
int grantpt(int terminal);
int unlockpt(int terminal);
char *ptsname(int terminal);
