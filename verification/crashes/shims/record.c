// Loaded into the daemon by LD_PRELOAD: records, in one order, its file operations and its socket
// traffic.
//
// NOTESD_RECORD_LOG is the path of the recording; NOTESD_RECORD_FOLDER is the folder whose files
// are recorded, with all that is below it. SQLite makes its system calls through libc, so its files
// are recorded like all others. Writes to mapped memory (SQLite's -shm) are not.
//
// A record is a header and `length` bytes. A file operation is recorded before it runs, a sync
// after it has returned. A send is recorded as a mark before it and its data after it: the data was
// sent no earlier than at the mark. A receive is recorded after it has returned.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct header {
    char kind;
    char is_new;
    char padding[2];
    int32_t descriptor;
    int64_t offset;
    uint32_t length;
    uint32_t padding_2;
};

enum { UNKNOWN, RECORDED, SOCKET, OTHER, DESCRIPTORS_MAX = 65536 };

static unsigned char kinds[DESCRIPTORS_MAX];
static int log_descriptor = -1;
static char folder[PATH_MAX];
static size_t folder_length;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) abort();
    return found;
}

static void record_parts(char kind, int is_new, int descriptor, int64_t offset, const struct iovec *parts, int count, size_t length) {
    struct iovec all[66];
    struct header header = {.kind = kind, .is_new = (char)is_new, .descriptor = descriptor, .offset = offset};
    int saved = errno;
    size_t left = length;
    int used = 1;
    for (int i = 0; i < count && left > 0 && used < 66; i++) {
        size_t size = parts[i].iov_len < left ? parts[i].iov_len : left;
        all[used++] = (struct iovec){parts[i].iov_base, size};
        left -= size;
    }
    header.length = (uint32_t)(length - left);
    all[0] = (struct iovec){&header, sizeof header};
    pthread_mutex_lock(&order);
    ssize_t written = syscall(SYS_writev, log_descriptor, all, used);
    pthread_mutex_unlock(&order);
    // Half a record would corrupt all that follow.
    if (written != (ssize_t)(sizeof header + header.length)) abort();
    errno = saved;
}

static void record(char kind, int is_new, int descriptor, int64_t offset, const void *data, size_t length) {
    struct iovec part = {(void *)(uintptr_t)data, length};
    record_parts(kind, is_new, descriptor, offset, &part, 1, length);
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("NOTESD_RECORD_LOG"), *what = getenv("NOTESD_RECORD_FOLDER");
    if (path == NULL || what == NULL || realpath(what, folder) == NULL) return;
    folder_length = strlen(folder);
    int opened = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (opened < 0) abort();
    // Beyond the descriptors that the daemon counts.
    log_descriptor = fcntl(opened, F_DUPFD_CLOEXEC, 900);
    if (log_descriptor < 0) abort();
    syscall(SYS_close, opened);
    record('X', 0, -1, 0, "", 0);
}

// The path without `..` and links, if it is in the folder; otherwise NULL.
static const char *in_folder(const char *path, char *buffer) {
    if (log_descriptor < 0 || path == NULL) return NULL;
    if (realpath(path, buffer) == NULL) {
        char parent[PATH_MAX];
        const char *slash = strrchr(path, '/');
        if (slash == NULL || (size_t)(slash - path) >= sizeof parent) return NULL;
        memcpy(parent, path, (size_t)(slash - path));
        parent[slash - path] = 0;
        if (realpath(parent, buffer) == NULL || strlen(buffer) + strlen(slash) >= PATH_MAX) return NULL;
        strcat(buffer, slash);
    }
    if (strncmp(buffer, folder, folder_length) != 0) return NULL;
    return buffer[folder_length] == '/' || buffer[folder_length] == 0 ? buffer : NULL;
}

static int kind_of(int descriptor) {
    if (log_descriptor < 0 || descriptor < 0 || descriptor >= DESCRIPTORS_MAX) return OTHER;
    if (kinds[descriptor] == UNKNOWN) {
        struct stat status;
        int saved = errno;
        int is_socket = fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode);
        kinds[descriptor] = is_socket ? SOCKET : OTHER;
        errno = saved;
    }
    return kinds[descriptor];
}

static int opened(int descriptor, const char *path, int is_new, int flags) {
    if (descriptor < 0 || descriptor >= DESCRIPTORS_MAX) return descriptor;
    if (path != NULL) {
        record('O', is_new, descriptor, flags, path, strlen(path));
        kinds[descriptor] = RECORDED;
    } else {
        kinds[descriptor] = UNKNOWN;
    }
    return descriptor;
}

#define OPEN(name)                                                                                       \
    int name(const char *path, int flags, ...) {                                                         \
        char buffer[PATH_MAX];                                                                           \
        va_list list;                                                                                    \
        va_start(list, flags);                                                                           \
        mode_t mode = (flags & O_CREAT) ? va_arg(list, mode_t) : 0;                                      \
        va_end(list);                                                                                    \
        const char *found = in_folder(path, buffer);                                                     \
        int is_new = found != NULL && access(path, F_OK) != 0;                                           \
        return opened(REAL(name)(path, flags, mode), found, is_new, flags);                              \
    }

OPEN(open)
OPEN(open64)

int openat(int directory, const char *path, int flags, ...) {
    char buffer[PATH_MAX];
    va_list list;
    va_start(list, flags);
    mode_t mode = (flags & O_CREAT) ? va_arg(list, mode_t) : 0;
    va_end(list);
    const char *found = directory == AT_FDCWD || path[0] == '/' ? in_folder(path, buffer) : NULL;
    int is_new = found != NULL && access(path, F_OK) != 0;
    return opened(REAL(openat)(directory, path, flags, mode), found, is_new, flags);
}

int close(int descriptor) {
    int kind = kind_of(descriptor);
    if (kind == RECORDED || kind == SOCKET) record('C', 0, descriptor, 0, "", 0);
    if (descriptor >= 0 && descriptor < DESCRIPTORS_MAX) kinds[descriptor] = UNKNOWN;
    return REAL(close)(descriptor);
}

#define PWRITE(name, type)                                                                  \
    ssize_t name(int descriptor, const void *data, size_t length, type offset) {            \
        if (kind_of(descriptor) == RECORDED) record('W', 0, descriptor, offset, data, length); \
        return REAL(name)(descriptor, data, length, offset);                                \
    }

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define TRUNCATE(name, type)                                                             \
    int name(int descriptor, type size) {                                                \
        if (kind_of(descriptor) == RECORDED) record('T', 0, descriptor, size, "", 0);    \
        return REAL(name)(descriptor, size);                                             \
    }

TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int posix_fallocate(int descriptor, off_t offset, off_t length) {
    if (kind_of(descriptor) == RECORDED) record('A', 0, descriptor, offset + length, "", 0);
    return REAL(posix_fallocate)(descriptor, offset, length);
}

#define SYNC(name)                                                                                     \
    int name(int descriptor) {                                                                         \
        int result = REAL(name)(descriptor);                                                           \
        if (result == 0 && kind_of(descriptor) == RECORDED) record('S', 0, descriptor, 0, "", 0);      \
        return result;                                                                                 \
    }

SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
    char buffer[PATH_MAX];
    const char *found = in_folder(path, buffer);
    if (found != NULL && access(path, F_OK) == 0) record('U', 0, -1, 0, found, strlen(found));
    return REAL(unlink)(path);
}

int mkdir(const char *path, mode_t mode) {
    char buffer[PATH_MAX];
    const char *found = in_folder(path, buffer);
    if (found != NULL && access(path, F_OK) != 0) record('D', 0, -1, 0, found, strlen(found));
    return REAL(mkdir)(path, mode);
}

// Both paths, with a zero between them.
int rename(const char *from, const char *to) {
    char buffers[2 * PATH_MAX], other[PATH_MAX];
    const char *source = in_folder(from, buffers), *target = in_folder(to, other);
    if ((source == NULL) != (target == NULL)) abort();
    if (source != NULL) {
        size_t length = strlen(source);
        memmove(buffers, source, length + 1);
        strcpy(buffers + length + 1, target);
        record('N', 0, -1, 0, buffers, length + 1 + strlen(target));
    }
    return REAL(rename)(from, to);
}

// The daemon does not use this call on the store's files while it serves. If it did, the recording
// would be wrong and this shim would have to record it.
int link(const char *from, const char *to) {
    char buffer[PATH_MAX];
    if (in_folder(from, buffer) != NULL || in_folder(to, buffer) != NULL) abort();
    return REAL(link)(from, to);
}

static void before_sending(int descriptor) {
    if (kind_of(descriptor) == SOCKET) record('b', 0, descriptor, 0, "", 0);
}

static ssize_t sent(int descriptor, ssize_t count, const struct iovec *parts, int number) {
    if (count > 0 && kind_of(descriptor) == SOCKET) record_parts('s', 0, descriptor, 0, parts, number, (size_t)count);
    return count;
}

static ssize_t received(int descriptor, ssize_t count, const struct iovec *parts, int number) {
    if (count > 0 && kind_of(descriptor) == SOCKET) record_parts('r', 0, descriptor, 0, parts, number, (size_t)count);
    return count;
}

ssize_t write(int descriptor, const void *data, size_t length) {
    struct iovec part = {(void *)(uintptr_t)data, length};
    // The file position is not tracked here; the store is never written this way.
    if (kind_of(descriptor) == RECORDED) abort();
    before_sending(descriptor);
    return sent(descriptor, REAL(write)(descriptor, data, length), &part, 1);
}

ssize_t writev(int descriptor, const struct iovec *parts, int number) {
    if (kind_of(descriptor) == RECORDED) abort();
    before_sending(descriptor);
    return sent(descriptor, REAL(writev)(descriptor, parts, number), parts, number);
}

ssize_t send(int descriptor, const void *data, size_t length, int flags) {
    struct iovec part = {(void *)(uintptr_t)data, length};
    before_sending(descriptor);
    return sent(descriptor, REAL(send)(descriptor, data, length, flags), &part, 1);
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    before_sending(descriptor);
    return sent(descriptor, REAL(sendmsg)(descriptor, message, flags), message->msg_iov, (int)message->msg_iovlen);
}

ssize_t read(int descriptor, void *data, size_t length) {
    struct iovec part = {data, length};
    return received(descriptor, REAL(read)(descriptor, data, length), &part, 1);
}

ssize_t recv(int descriptor, void *data, size_t length, int flags) {
    struct iovec part = {data, length};
    ssize_t count = REAL(recv)(descriptor, data, length, flags);
    return (flags & MSG_PEEK) ? count : received(descriptor, count, &part, 1);
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
    ssize_t count = REAL(recvmsg)(descriptor, message, flags);
    return (flags & MSG_PEEK) ? count : received(descriptor, count, message->msg_iov, (int)message->msg_iovlen);
}
