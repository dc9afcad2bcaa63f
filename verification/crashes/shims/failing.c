/* Makes system calls fail, and clocks go wrong, in a program that it is preloaded into
 * (LD_PRELOAD).
 *
 * The file named by NOTESD_FAULTS is shared with the test, which writes rules and times into it,
 * and reads the number of calls. A rule names kinds of calls and their subjects, and which of them
 * fail, counted from 1; until a rule is armed, all calls succeed. `control.py` has the same layout
 * and explains the numbers. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind {
    WRITE, SYNC, OPEN, TRUNCATE, ALLOCATE, READ, ACCEPT, SEND, RECEIVE, EPOLL, MMAP, MALLOC, NAME, STAT, LOCK, WAIT, SOCKET, THREAD,
    KINDS = 24
};
enum subject { DATABASE, WAL, SHM, INDEX, BACKUP, LOG, PEER, FOLDER, SETTINGS, LOCKFILE, OTHER, NOTHING, ZEROS, SUBJECTS = 16 };

/* Values of a rule in place of an errno. */
enum { SHORT = -2, LIE = -3, DONE_AND_FAILED = -4, ONLY_COUNTED = -5, SLOW = -6, KILLED = -7 };

/* The duration of a slow call. */
enum { SLOW_MICROSECONDS = 20000 };

struct rule {
    int64_t kinds, subjects; /* bits */
    int64_t first, count;    /* which of the matching calls; count 0 is all from `first` on */
    int64_t error;
    _Atomic int64_t seen, failed;
    char place[72];          /* the path of the first failed call */
};

enum { RULES = 8, MAGIC = 0x6e6f7465 };

struct control {
    int64_t magic;
    _Atomic int64_t armed;
    _Atomic int64_t clock; /* 0: right; 1: shifted; 2: stopped */
    _Atomic int64_t clock_seconds, clock_nanoseconds;
    _Atomic int64_t clock_reads;
    struct rule rules[RULES];
    _Atomic int64_t calls[KINDS][SUBJECTS];
};

static struct control *control;

#define NEXT(name) \
    static __typeof__(name) *next; \
    if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("NOTESD_FAULTS");
    if (!path) return;
    int file = (int)openat(AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED || ((struct control *)memory)->magic != MAGIC) {
        static const char text[] = "failing.c: NOTESD_FAULTS does not name a file made by control.py\n";
        if (write(2, text, sizeof text - 1) < 0) _exit(70);
        _exit(70);
    }
    control = memory;
}

static int ends(const char *path, const char *end) {
    size_t length = strlen(path), tail = strlen(end);
    return length >= tail && strcmp(path + length - tail, end) == 0;
}

static enum subject subject_of_path(const char *path) {
    /* Calls on the system's own files are not counted. */
    if (!path || strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0) return NOTHING;
    if (strstr(path, "notesd-backup-") || strstr(path, "/backups") || strstr(path, ".db")) return BACKUP;
    if (strstr(path, "search.sqlite3")) return INDEX;
    if (ends(path, "notes.sqlite3")) return DATABASE;
    /* Includes the copy that replaces a hot WAL. */
    if (ends(path, "notes.sqlite3-wal") || ends(path, "notes.sqlite3-wal.copy")) return WAL;
    /* The blocks for the log of the next run. */
    if (ends(path, "notes.sqlite3-wal.next")) return ZEROS;
    if (ends(path, "notes.sqlite3-shm")) return SHM;
    if (ends(path, "/lock")) return LOCKFILE;
    if (strstr(path, "notesd.toml") || strstr(path, "conf.d")) return SETTINGS;
    if (strncmp(path, "socket:", 7) == 0 || ends(path, ".sock")) return PEER;
    if (ends(path, "/data")) return FOLDER;
    return OTHER;
}

static enum subject subject_of(int file, char *path, size_t size) {
    path[0] = 0;
    if (file == 1 || file == 2) return LOG;
    if (file < 0) return NOTHING;
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    int saved = errno;
    ssize_t length = readlink(link, path, size - 1);
    errno = saved;
    path[length > 0 ? length : 0] = 0;
    return subject_of_path(path);
}

/* Ends the program before a call, as SIGKILL from outside would. */
static void raise_kill(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/* The fate of a call: 0 if it succeeds; otherwise an errno, or a value in place of one. */
static int fate(enum kind kind, enum subject subject, const char *path) {
    if (!control) return 0;
    atomic_fetch_add(&control->calls[kind][subject], 1);
    if (!atomic_load(&control->armed)) return 0;
    int result = 0;
    for (int index = 0; index < RULES; index++) {
        struct rule *rule = &control->rules[index];
        if (!(rule->kinds >> kind & 1) || !(rule->subjects >> subject & 1)) continue;
        int64_t number = atomic_fetch_add(&rule->seen, 1) + 1;
        if (number < rule->first || (rule->count && number >= rule->first + rule->count)) continue;
        if (atomic_fetch_add(&rule->failed, 1) == 0 && path) strncpy(rule->place, path, sizeof rule->place - 1);
        if (!result) result = (int)rule->error;
    }
    if (result == SLOW) usleep(SLOW_MICROSECONDS);
    if (result == KILLED) raise_kill();
    return result == ONLY_COUNTED || result == SLOW ? 0 : result;
}

static int fate_of(enum kind kind, int file) {
    char path[256];
    if (!control) return 0;
    enum subject subject = subject_of(file, path, sizeof path);
    if (kind == WRITE && subject == PEER) kind = SEND;
    if (kind == READ && subject == PEER) kind = RECEIVE;
    return fate(kind, subject, path);
}

static size_t less(size_t size) { return size > 1 ? size / 2 : size; }

/* For a call that moves bytes: `ACTION` with `SIZE` of them. */
#define TRANSFER(kind, file, size, action) \
    do { \
        int fault = fate_of(kind, file); \
        if (fault == LIE) return (ssize_t)(size); \
        if (fault == SHORT) size = less(size); \
        if (fault == DONE_AND_FAILED) { (void)!(action); fault = EIO; } \
        if (fault > 0) { errno = fault; return -1; } \
        return action; \
    } while (0)

/* For a call that returns 0 on success. */
#define PLAIN(fault, action) \
    do { \
        int what = (fault); \
        if (what == LIE) return 0; \
        if (what == DONE_AND_FAILED) { (void)!(action); what = EIO; } \
        if (what > 0) { errno = what; return -1; } \
        return action; \
    } while (0)

/* MARK: Files */

ssize_t write(int file, const void *bytes, size_t size) { NEXT(write); TRANSFER(WRITE, file, size, next(file, bytes, size)); }
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) { NEXT(pwrite); TRANSFER(WRITE, file, size, next(file, bytes, size, at)); }
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) { NEXT(pwrite64); TRANSFER(WRITE, file, size, next(file, bytes, size, at)); }
ssize_t read(int file, void *bytes, size_t size) { NEXT(read); TRANSFER(READ, file, size, next(file, bytes, size)); }
ssize_t pread(int file, void *bytes, size_t size, off_t at) { NEXT(pread); TRANSFER(READ, file, size, next(file, bytes, size, at)); }
ssize_t pread64(int file, void *bytes, size_t size, off64_t at) { NEXT(pread64); TRANSFER(READ, file, size, next(file, bytes, size, at)); }

int fsync(int file) { NEXT(fsync); PLAIN(fate_of(SYNC, file), next(file)); }
int fdatasync(int file) { NEXT(fdatasync); PLAIN(fate_of(SYNC, file), next(file)); }
int ftruncate(int file, off_t size) { NEXT(ftruncate); PLAIN(fate_of(TRUNCATE, file), next(file, size)); }
int ftruncate64(int file, off64_t size) { NEXT(ftruncate64); PLAIN(fate_of(TRUNCATE, file), next(file, size)); }

int posix_fallocate(int file, off_t at, off_t size) {
    NEXT(posix_fallocate);
    int fault = fate_of(ALLOCATE, file);
    return fault > 0 ? fault : next(file, at, size);
}

/* Whether an open has a mode. */
#define MODE(flags) \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }

int open(const char *path, int flags, ...) { NEXT(open); MODE(flags) PLAIN(fate(OPEN, subject_of_path(path), path), next(path, flags, mode)); }
int open64(const char *path, int flags, ...) { NEXT(open64); MODE(flags) PLAIN(fate(OPEN, subject_of_path(path), path), next(path, flags, mode)); }
int openat(int folder, const char *path, int flags, ...) { NEXT(openat); MODE(flags) PLAIN(fate(OPEN, subject_of_path(path), path), next(folder, path, flags, mode)); }

void *mmap(void *address, size_t size, int access, int flags, int file, off_t at) {
    NEXT(mmap);
    int fault = file >= 0 ? fate_of(MMAP, file) : 0;
    if (fault > 0) { errno = fault; return MAP_FAILED; }
    return next(address, size, access, flags, file, at);
}
void *mmap64(void *address, size_t size, int access, int flags, int file, off64_t at) {
    NEXT(mmap64);
    int fault = file >= 0 ? fate_of(MMAP, file) : 0;
    if (fault > 0) { errno = fault; return MAP_FAILED; }
    return next(address, size, access, flags, file, at);
}

/* MARK: Names */

int rename(const char *from, const char *to) { NEXT(rename); PLAIN(fate(NAME, subject_of_path(from), from), next(from, to)); }
int renameat(int a, const char *from, int b, const char *to) { NEXT(renameat); PLAIN(fate(NAME, subject_of_path(from), from), next(a, from, b, to)); }
int link(const char *from, const char *to) { NEXT(link); PLAIN(fate(NAME, subject_of_path(from), from), next(from, to)); }
int linkat(int a, const char *from, int b, const char *to, int flags) { NEXT(linkat); PLAIN(fate(NAME, subject_of_path(from), from), next(a, from, b, to, flags)); }
int unlink(const char *path) { NEXT(unlink); PLAIN(fate(NAME, subject_of_path(path), path), next(path)); }
int unlinkat(int folder, const char *path, int flags) { NEXT(unlinkat); PLAIN(fate(NAME, subject_of_path(path), path), next(folder, path, flags)); }
int mkdir(const char *path, mode_t mode) { NEXT(mkdir); PLAIN(fate(NAME, subject_of_path(path), path), next(path, mode)); }

/* MARK: Looking at files */

int stat(const char *path, struct stat *status) { NEXT(stat); PLAIN(fate(STAT, subject_of_path(path), path), next(path, status)); }
int stat64(const char *path, struct stat64 *status) { NEXT(stat64); PLAIN(fate(STAT, subject_of_path(path), path), next(path, status)); }
int fstat(int file, struct stat *status) { NEXT(fstat); PLAIN(fate_of(STAT, file), next(file, status)); }
int fstat64(int file, struct stat64 *status) { NEXT(fstat64); PLAIN(fate_of(STAT, file), next(file, status)); }
int fstatvfs(int file, struct statvfs *room) { NEXT(fstatvfs); PLAIN(fate_of(STAT, file), next(file, room)); }
int flock(int file, int operation) { NEXT(flock); PLAIN(fate_of(LOCK, file), next(file, operation)); }

#define LOCKING(name) \
    int name(int file, int command, ...) { \
        NEXT(name); \
        va_list list; va_start(list, command); void *argument = va_arg(list, void *); va_end(list); \
        if (command != F_SETLK && command != F_SETLKW && command != F_OFD_SETLK) return next(file, command, argument); \
        if (((struct flock *)argument)->l_type == F_UNLCK) return next(file, command, argument); \
        PLAIN(fate_of(LOCK, file), next(file, command, argument)); \
    }
LOCKING(fcntl)
LOCKING(fcntl64)

/* MARK: Sockets */

int accept(int file, struct sockaddr *restrict address, socklen_t *restrict size) { NEXT(accept); PLAIN(fate(ACCEPT, PEER, "accept"), next(file, address, size)); }
int accept4(int file, struct sockaddr *restrict address, socklen_t *restrict size, int flags) { NEXT(accept4); PLAIN(fate(ACCEPT, PEER, "accept"), next(file, address, size, flags)); }
ssize_t send(int file, const void *bytes, size_t size, int flags) { NEXT(send); TRANSFER(SEND, file, size, next(file, bytes, size, flags)); }
ssize_t sendto(int file, const void *bytes, size_t size, int flags, const struct sockaddr *to, socklen_t length) { NEXT(sendto); TRANSFER(SEND, file, size, next(file, bytes, size, flags, to, length)); }
ssize_t recv(int file, void *bytes, size_t size, int flags) { NEXT(recv); TRANSFER(RECEIVE, file, size, next(file, bytes, size, flags)); }

/* A short transfer of several pieces takes half of the first. */
ssize_t writev(int file, const struct iovec *pieces, int count) {
    NEXT(writev);
    int fault = fate_of(WRITE, file);
    if (fault == SHORT && count > 0 && pieces[0].iov_len > 0) {
        struct iovec piece = {pieces[0].iov_base, less(pieces[0].iov_len)};
        return next(file, &piece, 1);
    }
    if (fault > 0) { errno = fault; return -1; }
    return next(file, pieces, count);
}
ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    NEXT(sendmsg);
    int fault = fate_of(SEND, file);
    if (fault > 0) { errno = fault; return -1; }
    return next(file, message, flags);
}
ssize_t recvmsg(int file, struct msghdr *message, int flags) {
    NEXT(recvmsg);
    int fault = fate_of(RECEIVE, file);
    if (fault > 0) { errno = fault; return -1; }
    return next(file, message, flags);
}

int socket(int domain, int type, int protocol) { NEXT(socket); PLAIN(fate(SOCKET, PEER, "socket"), next(domain, type, protocol)); }
int getsockopt(int file, int level, int name, void *restrict value, socklen_t *restrict size) { NEXT(getsockopt); PLAIN(fate_of(SOCKET, file), next(file, level, name, value, size)); }
int setsockopt(int file, int level, int name, const void *value, socklen_t size) { NEXT(setsockopt); PLAIN(fate_of(SOCKET, file), next(file, level, name, value, size)); }
/* Only an addition takes memory in the kernel, and counts; the other operations cannot fail. */
int epoll_ctl(int poll, int operation, int file, struct epoll_event *event) {
    NEXT(epoll_ctl);
    PLAIN(operation == EPOLL_CTL_ADD ? fate_of(EPOLL, file) : 0, next(poll, operation, file, event));
}
/* A lying wait does not wait, so the daemon spins. */
int epoll_wait(int poll, struct epoll_event *events, int most, int timeout) {
    NEXT(epoll_wait);
    int fault = fate(WAIT, NOTHING, "epoll_wait");
    if (fault > 0) { errno = fault; return -1; }
    return next(poll, events, most, fault == LIE ? 0 : timeout);
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict how, void *(*body)(void *), void *restrict argument) {
    NEXT(pthread_create);
    int fault = fate(THREAD, NOTHING, "pthread_create");
    return fault > 0 ? fault : next(thread, how, body, argument);
}

/* MARK: Memory */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

#define MEMORY(action) \
    do { \
        if (control && fate(MALLOC, NOTHING, "malloc") > 0) { errno = ENOMEM; return NULL; } \
        return action; \
    } while (0)

void *malloc(size_t size) { MEMORY(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { MEMORY(__libc_calloc(count, size)); }
void *realloc(void *old, size_t size) { MEMORY(__libc_realloc(old, size)); }

/* MARK: Clocks */

static void wrong(struct timespec *time) {
    int64_t mode = atomic_load(&control->clock);
    atomic_fetch_add(&control->clock_reads, 1);
    if (!mode) return;
    int64_t seconds = atomic_load(&control->clock_seconds), nanoseconds = atomic_load(&control->clock_nanoseconds);
    if (mode == 2) {
        time->tv_sec = seconds;
        time->tv_nsec = nanoseconds;
        return;
    }
    time->tv_sec += seconds;
    time->tv_nsec += nanoseconds;
    if (time->tv_nsec >= 1000000000) {
        time->tv_nsec -= 1000000000;
        time->tv_sec++;
    }
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    NEXT(clock_gettime);
    int result = next(clock, time);
    if (control && result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) wrong(time);
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec exact;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0) return -1;
    time->tv_sec = exact.tv_sec;
    time->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *place) {
    struct timespec exact;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0) return -1;
    if (place) *place = exact.tv_sec;
    return exact.tv_sec;
}
