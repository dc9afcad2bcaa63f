/// The name of this program, which begins its messages, and its version.
package enum Program {
    package static let name = "notesctl"
    package static let version = "0.1.0"
}
