package import NIOCore

/// Errors of system calls.
package enum Failing {
    /// The error for an `errno` value.
    package static func with(_ number: CInt) -> IOError {
        IOError(errnoCode: number, reason: "test")
    }
}
