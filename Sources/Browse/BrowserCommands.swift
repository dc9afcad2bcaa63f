package import NoteTasks
package import NotesModel
package import NotesWire
package import TextMerge

/// The commands of `notesctl` that the browser runs as operations of their own. They report what
/// they do, and fail, as on the command line.
package protocol BrowserCommands {
    /// Opens a note in the user's editor.
    func edit(_ note: NoteID) async throws
    /// Opens a copy of a file in the program for its type.
    func open(_ file: NoteID) async throws
    /// Deletes a note, as it was shown.
    func delete(_ note: Head) async throws
    /// Renames a note, and repairs the links to it.
    func rename(_ note: NoteID, to name: String) async throws
    /// Saves the resolution of conflicts of a note, as it was shown.
    func resolve(_ note: NoteObject, _ resolution: ConflictResolution) async throws
    /// Opens a note in the user's editor, with markers at a conflict.
    func resolveInEditor(_ note: NoteID, _ conflict: ConflictID) async throws
    /// Undoes the user's newest change of a note.
    ///
    /// - Parameter words: says what was undone, as a predicate: the change, among the revisions of the
    ///   note.
    func undo(_ note: NoteID, saying words: (RevisionSummary, UndoHistory) -> String) async throws
}
