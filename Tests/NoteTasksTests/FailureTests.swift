import Console
import NotesClient
import NotesWire
import Testing

@testable import NoteTasks

/// Tests of exit statuses.
struct FailureTests {
    /// `search` exits with 1 if it finds nothing.
    @Test(arguments: [ErrorKind.overloaded, .storageFull, .storageFailed])
    func retryableRefusal_exitsWith75(kind: ErrorKind) {
        #expect(ExitFailure(.refused(WireError(kind, "later"))).code.rawValue == 75)
    }

    @Test func missingHelloResponse_isNoDaemon() {
        #expect(ExitFailure(.connectionFailed(path: "/x", message: "no answer")).code == .noDaemon)
    }
}
