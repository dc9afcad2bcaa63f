import Glibc

/// The reason why the program ends, as a message.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The failure of the last system call; reads `errno`.
    init(call: String) {
        description = "\(call): \(String(cString: strerror(errno)))"
    }
}
