// Loaded into programs built with ThreadSanitizer: notifies it of contended locks.
//
// `Mutex` of Swift 6 on Linux acquires and releases a lock with an atomic exchange in the program
// itself, which ThreadSanitizer sees. A contended lock is handled by functions of the runtime,
// which is not built with ThreadSanitizer, and by the kernel; the content of the mutex then looks
// unguarded. The names of these functions are mangled as in Swift; `self`, the lock's word, is in
// the context register of a method.

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

// Defined by ThreadSanitizer; absent in a program built without it.
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
