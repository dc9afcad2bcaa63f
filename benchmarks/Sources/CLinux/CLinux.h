// What the Glibc module leaves out.
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/vfs.h>

void *memmem(const void *haystack, size_t haystack_length, const void *needle, size_t needle_length);
