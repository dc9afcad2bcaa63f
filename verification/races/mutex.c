// Loaded into programs that are built with ThreadSanitizer: tells it of contended locks.
//
// `Mutex` of Swift 6 on Linux takes and leaves a lock by an atomic exchange in the program itself, which ThreadSanitizer sees. Where it is
// contended, functions of the runtime do it, which is not built with ThreadSanitizer, and the kernel: what lies in the mutex looks unguarded then.
// Their names are those of Swift's mangling; `self`, the lock's word, comes in the register of a method's context.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

typedef SWIFT void (*locking)(uint32_t thread, SELF void *word);
typedef SWIFT void (*unlocking)(SELF void *word);
typedef void (*note)(void *address);

SWIFT void lock_slow(uint32_t thread, SELF void *word) __asm__(LOCK);
SWIFT void unlock_slow(SELF void *word) __asm__(UNLOCK);

// ThreadSanitizer's own; not there in a program that is built without it.
static void tell(const char *name, void *word) {
    note told = (note)dlsym(RTLD_DEFAULT, name);
    if (told != NULL) told(word);
}

SWIFT void lock_slow(uint32_t thread, SELF void *word) {
    ((locking)dlsym(RTLD_NEXT, LOCK))(thread, word);
    tell("__tsan_acquire", word);
}

SWIFT void unlock_slow(SELF void *word) {
    tell("__tsan_release", word);
    ((unlocking)dlsym(RTLD_NEXT, UNLOCK))(word);
}
