import Glibc

/// Why the measuring ends: for a person.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Of the system call that just failed; reads `errno`.
    init(call: String) {
        description = "\(call): \(String(cString: strerror(errno)))"
    }
}
