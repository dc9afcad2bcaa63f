import Console
import NotesClient

/// Converts a client error to an `ExitFailure` whose message begins with `subject`, such as
/// `cannot save work/inbox`. Returns other errors unchanged.
package func explained(_ error: any Error, _ subject: String) -> any Error {
    guard let error = error as? ClientError else { return error }
    return ExitFailure(error, subject)
}
