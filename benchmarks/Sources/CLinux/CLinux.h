// What the Glibc module leaves out.
#include <sys/epoll.h>
#include <sys/vfs.h>
