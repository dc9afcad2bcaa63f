#if canImport(Glibc)
    import Glibc
#endif

/// Repeats a system call as long as it returns -1 with `EINTR`: on some file systems, signals
/// interrupt even file operations.
func uninterrupted<Value: SignedInteger>(_ call: () -> Value) -> Value {
    while true {
        let value = call()
        if value != -1 || errno != EINTR { return value }
    }
}
