package import Causality
package import NotesModel

/// What an audit needs of a journal: every row as it is stored, also rows that cannot be read.
package protocol AuditableJournal: AnyObject {
    /// Up to `limit` of the note's revisions, newest first, before a commit if one is given, each
    /// with everything that the store keeps of it.
    func stored(of id: NoteID, before sequence: UInt64?, limit: Int) throws(JournalError) -> StoredPage
    /// Number and size of the waiting and of the quarantined revisions.
    var heldAmounts: HoldingAmounts { get }
    /// Up to `limit` rows of a holding area in order of arrival, after the one with this number,
    /// including rows that cannot be read; only those with this dot if one is given.
    func held(in area: HoldingArea, of dot: Dot?, after number: UInt64, limit: Int) throws(JournalError) -> [HeldRow]
    /// The dot of a commit; nil if this store has no such commit.
    func dot(ofCommit sequence: UInt64) throws(JournalError) -> Dot?

    /// Runs a body that may meet corruption in the store. Corruption that it reads is an error of
    /// that call only (`failed`), and the journal stays usable, because reading changes nothing.
    /// Outside such a body, corruption that SQLite detects in its own structures is `fatal`, since
    /// writing could spread it.
    func toleratingCorruption<Value>(_ body: () throws(JournalError) -> Value) throws(JournalError) -> Value
    /// Runs such a body and returns its value, or nil if it met corruption. Throws errors that may
    /// be temporary, such as a failed read, and fatal errors.
    func nilIfCorrupt<Value>(_ body: () throws(JournalError) -> Value) throws(JournalError) -> Value?
}

extension AuditableJournal {
    /// Up to `limit` rows of a holding area, with any dot.
    package func held(in area: HoldingArea, after number: UInt64, limit: Int) throws(JournalError) -> [HeldRow] {
        try held(in: area, of: nil, after: number, limit: limit)
    }
}
