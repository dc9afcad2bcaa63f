/* Removes one defence of notesd or notesctl, so that verification/hostile/attacks.py can check that
 * it is missed. Preloaded; WEAKEN names the defence:
 *
 *     mask        the mask of new files is never set
 *     early       the socket listens too early
 *     widened     the socket gets access for everybody after it is bound
 *     peer        the user at the other end of a socket is read from the socket's name, if any
 *     root        the user at the other end is always the program's own user
 *     number      only the last 31 bits of a user's id count
 *     follow      links are followed
 *     over        an existing file is opened, and does not prevent a new file or name
 *     modes       no file and no directory appears to be open to others
 *     owners      every file appears to belong to root, and to the program's own user
 *     private     private files are readable by all
 *     passed      descriptors sent along with a line are kept
 *     handed      every socket appears to listen
 *     many        a user with many connections appears to be another user each time
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int weakened(const char *name)
{
    const char *said = getenv("WEAKEN");
    return said && strcmp(said, name) == 0;
}

mode_t umask(mode_t mask)
{
    return weakened("mask") ? 022 : REAL(umask)(mask);
}

int bind(int descriptor, const struct sockaddr *address, socklen_t size)
{
    int result = REAL(bind)(descriptor, address, size);
    if (result == 0 && address->sa_family == AF_UNIX) {
        const char *path = ((const struct sockaddr_un *)address)->sun_path;
        if (weakened("widened") && path[0]) REAL(chmod)(path, 0666);
    }
    return result;
}

int socket(int domain, int type, int protocol)
{
    int descriptor = REAL(socket)(domain, type, protocol);
    if (domain == AF_UNIX && weakened("early") && (type & 0xf) == SOCK_STREAM) REAL(listen)(descriptor, 1);
    return descriptor;
}

/* What a search for "uid=" in a peer's address finds. */
static int told_by_name(int descriptor, uint32_t *user)
{
    struct sockaddr_un address;
    socklen_t size = sizeof address;
    memset(&address, 0, sizeof address);
    if (getpeername(descriptor, (struct sockaddr *)&address, &size) != 0) return 0;
    char name[sizeof address.sun_path + 1];
    memcpy(name, address.sun_path, sizeof address.sun_path);
    name[sizeof name - 1] = 0;
    char *found = strstr(name + (name[0] == 0), "uid=");
    if (found) *user = (uint32_t)strtoul(found + 4, NULL, 10);
    return found != NULL;
}

int getsockopt(int descriptor, int level, int name, void *value, socklen_t *size)
{
    int result = REAL(getsockopt)(descriptor, level, name, value, size);
    if (result == 0 && level == SOL_SOCKET && name == SO_ACCEPTCONN && weakened("handed")) *(int *)value = 1;
    if (result == 0 && level == SOL_SOCKET && name == SO_PEERCRED) {
        struct ucred *peer = value;
        if (weakened("root")) peer->uid = geteuid();
        if (weakened("number")) peer->uid &= 0x7fffffff;
        static unsigned count;
        if (weakened("many") && peer->uid >= 60000 && ++count > 100) peer->uid += count;
        if (weakened("peer")) told_by_name(descriptor, &peer->uid);
    }
    return result;
}

static int changed(int flags)
{
    if (weakened("follow")) flags &= ~O_NOFOLLOW;
    if (weakened("over")) flags &= ~O_EXCL;
    return flags;
}

/* Files only: the preloaded program also opens devices, as root, and those belong to everybody. */
static void opened(int descriptor)
{
    struct stat found;
    if (weakened("private") && REAL(fstat)(descriptor, &found) == 0 && S_ISREG(found.st_mode)) fchmod(descriptor, 0644);
}

#define OPENED(call) \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    } \
    int descriptor = call; \
    if (descriptor >= 0 && flags & O_CREAT) opened(descriptor); \
    return descriptor

int open(const char *path, int flags, ...) { OPENED(REAL(open)(path, changed(flags), mode)); }
int open64(const char *path, int flags, ...) { OPENED(REAL(open64)(path, changed(flags), mode)); }
int openat(int folder, const char *path, int flags, ...) { OPENED(REAL(openat)(folder, path, changed(flags), mode)); }
int openat64(int folder, const char *path, int flags, ...) { OPENED(REAL(openat64)(folder, path, changed(flags), mode)); }

char *mkdtemp(char *template)
{
    char *made = REAL(mkdtemp)(template);
    if (made && weakened("private")) REAL(chmod)(made, 0755);
    return made;
}

static int seen(int result, struct stat *found)
{
    if (result != 0) return result;
    if (weakened("modes")) found->st_mode &= ~(mode_t)022;
    if (weakened("owners")) found->st_uid = geteuid();
    return result;
}

int stat(const char *path, struct stat *found) { return seen(REAL(stat)(path, found), found); }
int lstat(const char *path, struct stat *found) { return seen(REAL(lstat)(path, found), found); }
int fstat(int descriptor, struct stat *found) { return seen(REAL(fstat)(descriptor, found), found); }

int fstatat(int folder, const char *path, struct stat *found, int flags)
{
    int result = seen(REAL(fstatat)(folder, path, found, flags), found);
    /* The name of a backup always appears to be free. */
    if (result == 0 && weakened("over") && flags & AT_SYMLINK_NOFOLLOW && !strstr(path, ".notesd-")) {
        errno = ENOENT;
        return -1;
    }
    return result;
}

int linkat(int from, const char *old, int to, const char *name, int flags)
{
    if (weakened("over")) unlinkat(to, name, 0);
    return REAL(linkat)(from, old, to, name, flags);
}

/* Accepts descriptors sent along with a line and does not close them. */
ssize_t read(int descriptor, void *bytes, size_t count)
{
    int type = 0;
    socklen_t size = sizeof type;
    if (!weakened("passed") || REAL(getsockopt)(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return REAL(read)(descriptor, bytes, count);
    char room[CMSG_SPACE(32 * sizeof(int))];
    struct iovec part = {bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    return recvmsg(descriptor, &message, 0);
}
