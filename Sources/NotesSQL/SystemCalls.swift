import Glibc

/// Repeats a system call as long as it returns -1 with `EINTR`: on some file systems, signals
/// interrupt even file operations.
package func uninterrupted<Value: SignedInteger>(_ call: () -> Value) -> Value {
    while true {
        let value = call()
        if value != -1 || errno != EINTR { return value }
    }
}

/// The system's text for an `errno`.
package func systemMessage(_ number: Int32) -> String {
    String(cString: strerror(number))
}
