#if canImport(Glibc)
    import Glibc
#endif

/// Makes a system call that says -1 where it fails, until no signal interrupts it: some file systems let signals do that.
func uninterrupted<Value: SignedInteger>(_ call: () -> Value) -> Value {
    while true {
        let value = call()
        if value != -1 || errno != EINTR { return value }
    }
}
