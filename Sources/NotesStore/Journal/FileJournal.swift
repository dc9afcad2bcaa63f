package import Causality
package import NoteText
package import NotesModel

/// What the store of files needs of a journal: which bytes the kept revisions name, and which a purge erases.
///
/// A kept revision whose own text is that of a file names the hashes of the pointer lines that its edits insert. A
/// compaction floor also names the contents of its text. Withdrawals name nothing by themselves.
package protocol FileJournal: AnyObject {
    /// Whether a kept revision names the hash.
    ///
    /// - Complexity: O(log names).
    func isNamed(_ hash: FileHash) throws(JournalError) -> Bool
    /// Up to `limit` of the commits that name a hash, newest first, before a commit if one is given.
    ///
    /// - Complexity: O(limit log names).
    func namings(of hash: FileHash, before sequence: UInt64?, limit: Int) throws(JournalError) -> [FileNaming]
    /// Up to `limit` of the files that kept revisions name, in the order of their hashes, after a hash if one is given.
    /// If revisions state different sizes, it has the smallest.
    ///
    /// - Complexity: O(names of the files returned).
    func namedFiles(after hash: FileHash?, limit: Int) throws(JournalError) -> [FileContent]

    /// The hashes whose bytes purges erase, ascending: a start erases these before it serves bytes. A purge records them
    /// in its transaction, if nothing names them any more; later commits may name them again.
    var filesToErase: [FileHash] { get }
    /// What each purge of the newest append did to the names of hashes, in the order of their commits.
    var fileErasures: [FileErasure] { get }
    /// Removes hashes from `filesToErase`, once their bytes are durably gone. Call it before `scrubLog`, since the log
    /// has the hashes.
    func forgetErased(_ hashes: [FileHash]) throws(JournalError)
}

extension FileJournal {
    /// A content with the notes of which a kept revision names it, in the order of their newest names, and these
    /// revisions.
    ///
    /// - Complexity: O(`FileNaming.examinedMax` log names).
    package func listed(_ content: FileContent) throws(JournalError) -> ListedFile {
        var file = ListedFile(content: content, notes: [])
        for naming in try namings(of: content.hash, before: nil, limit: FileNaming.examinedMax) {
            file.revisions.insert(naming.dot)
            if file.notes.count < ListedFile.notesMax, !file.notes.contains(naming.note) { file.notes.append(naming.note) }
        }
        return file
    }
}

/// A commit that names a hash.
package struct FileNaming: Hashable, Sendable {
    package let sequence: UInt64
    package let note: NoteID
    package let dot: Dot

    /// The newest names of a hash among which its notes are searched. A revision of a note can repeat a name any
    /// number of times.
    package static let examinedMax = 1_024

    package init(sequence: UInt64, note: NoteID, dot: Dot) {
        (self.sequence, self.note, self.dot) = (sequence, note, dot)
    }
}

/// What a purge did to the names of hashes.
package struct FileErasure: Hashable, Sendable {
    /// The commit of the purge.
    package let purge: UInt64
    /// The hashes that erased revisions named, and that nothing names after the append, ascending.
    package let recorded: [FileHash]
    /// The hashes that erased revisions named, and that kept revisions still name, ascending.
    package let kept: [FileHash]

    package init(purge: UInt64, recorded: [FileHash], kept: [FileHash]) {
        (self.purge, self.recorded, self.kept) = (purge, recorded, kept)
    }
}
