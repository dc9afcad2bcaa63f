import NIOCore

/// Errors of the system.
enum Failing {
    static func with(_ number: CInt) -> IOError {
        IOError(errnoCode: number, reason: "test")
    }
}
