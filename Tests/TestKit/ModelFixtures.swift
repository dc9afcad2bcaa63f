package import NoteText
package import NotesModel

// Short names for tests of code that uses notes.

package func noteID(_ number: UInt64) -> NoteID {
    NoteID(at: Timestamp(milliseconds: 1_700_000_000_000), random: (0, number))
}

package let ada = Author(user: "ada", label: "laptop/vim")

package func name(_ string: String) -> NoteName {
    do {
        return try NoteName(ByteString(string))
    } catch {
        preconditionFailure("a test's name is a name: \(error)")
    }
}
