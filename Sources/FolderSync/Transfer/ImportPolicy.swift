import NotesModel

/// The choices of an importer's caller.
package struct ImportPolicy: Sendable {
    /// The treatment of a file and its note if their texts differ and have no common version.
    enum Difference {
        /// The file is skipped.
        case skipped
        /// The note gets the text of the file.
        case replaced
        /// The note gets the lines of the file, and the file those of the note.
        case joined
    }

    /// The known earlier texts of the files.
    struct Past: Sendable {
        /// The notes of recorded files that are there.
        var withFiles: Set<NoteID> = []
        /// The last texts of earlier files at these paths.
        var gone: [[UInt8]: GoneFile] = [:]
        /// The files that git has probably written.
        var madeByGit: Set<[UInt8]> = []
    }

    let difference: Difference
    /// Whether to write nothing.
    let isDry: Bool
    /// Whether a file is left to a later import while a program has it open for writing.
    let isAwaitingWriters: Bool
    /// Whether files are left to a later import while the daemon refuses all writes. Otherwise, this ends the import.
    let isAwaitingDaemon: Bool
    /// Whether a new file is one note with one that another machine begins under its name; otherwise, only equal
    /// files are.
    let isBeginning: Bool
    let past: Past

    /// The import of a folder by a command.
    ///
    /// - Parameter isReplacing: whether a file without a record replaces the text of the note of its name.
    package static func command(isReplacing: Bool, isDry: Bool) -> Self {
        Self(
            difference: isReplacing ? .replaced : .skipped, isDry: isDry, isAwaitingWriters: false, isAwaitingDaemon: false,
            isBeginning: false, past: Past())
    }

    /// A run of a mirror, which others follow.
    static func mirror(_ past: Past, isDry: Bool, isBeginning: Bool) -> Self {
        Self(
            difference: .joined, isDry: isDry, isAwaitingWriters: true, isAwaitingDaemon: true, isBeginning: isBeginning,
            past: past)
    }
}
