package import NoteText
package import NotesModel
import NotesSQL

/// Which note a file of a mirrored folder is, and which file a note has.
extension MirrorRecords {
    /// The mirrored folder that has a file below it; the innermost one.
    ///
    /// - Parameter path: a real path.
    /// - Throws: `ExitFailure` if the records cannot be read.
    package func folder(of path: [UInt8]) throws -> Folder? {
        try folders().filter { path.starts(with: $0.path + [UInt8(ascii: "/")]) }.max { $0.path.count < $1.path.count }
    }

    /// The note that a file showed last; nil if the mirror has not seen the file.
    ///
    /// - Parameter path: the path below the folder.
    /// - Throws: `ExitFailure` if the records cannot be read.
    package func note(at path: [UInt8], in folder: Folder) throws -> NoteID? {
        var note: NoteID?
        try explained { () throws(SQLFault) in
            note =
                try database.first(
                    "SELECT note FROM file WHERE place = ? AND path = ?", .integer(folder.place), .blob(path)
                ) { NoteID(bytes: $0.blob(0)) } ?? nil
        }
        return note
    }

    /// The path of a note's file below the folder: the recorded one, or the one that the mirror will give it.
    ///
    /// - Returns: nil if the folder does not have the note.
    /// - Throws: `ExitFailure` if the records cannot be read.
    package func path(of note: Head, in folder: Folder) throws -> [UInt8]? {
        guard let short = folder.prefix.shortened(note) else { return nil }
        let own = NoteFileName.path(of: short)
        for path in [own] + NoteAlias.digits.map({ NoteAlias.path(of: short, digits: $0) }) {
            if try self.note(at: path, in: folder) == note.id { return path }
        }
        return NoteAlias.isNeeded(for: own) ? NoteAlias.path(of: short, digits: NoteAlias.digits[0]) : own
    }
}

extension MirrorRecords.Folder {
    /// The name of the text in a file that the mirror has not seen; nil if the file is no text.
    ///
    /// - Parameter path: the path below the folder.
    package func noteName(ofPath path: [UInt8]) -> ByteString? { prefix.textName(ofPath: path) }

    /// A name with the prefix of the folder's notes, which it may have already.
    package func prefixed(_ name: ByteString) -> ByteString {
        name.utf8.starts(with: prefix.bytes) ? name : ByteString(validUTF8: prefix.bytes + name.utf8)
    }
}
