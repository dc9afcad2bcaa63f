import Glibc

/// Repeats a system call as long as it returns -1 with `EINTR`: on some file systems, signals
/// interrupt even file operations.
package func uninterrupted<Value: SignedInteger>(_ call: () -> Value) -> Value {
    while true {
        let value = call()
        if value != -1 || errno != EINTR { return value }
    }
}

/// The system's text for an `errno` of a call that creates a file. Names the lack of inodes, which the
/// system calls a lack of space.
package func systemMessage(_ number: Int32, creating path: String) -> String {
    let text = systemMessage(number)
    guard number == ENOSPC, let lack = FileSystemRoom.lackOfInodes(nextTo: path) else { return text }
    return "\(text): \(lack)"
}

/// The system's text for an `errno`.
package func systemMessage(_ number: Int32) -> String {
    String(cString: strerror(number))
}
