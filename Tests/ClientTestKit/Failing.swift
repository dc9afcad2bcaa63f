package import NIOCore

/// Errors of the system.
package enum Failing {
    package static func with(_ number: CInt) -> IOError {
        IOError(errnoCode: number, reason: "test")
    }
}
