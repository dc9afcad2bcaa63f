package import NoteText

/// A condition on the revisions of all notes.
package struct RevisionFilter: Hashable, Sendable {
    /// The author, as `Author.isNamed(by:)` understands it; nil for everybody.
    package var author: ByteString?
    /// The earliest time of a write; nil for no limit.
    package var since: Timestamp?

    package init(author: ByteString? = nil, since: Timestamp? = nil) {
        self.author = author
        self.since = since
    }

    /// Whether a revision meets the condition.
    package func matches(_ revision: RevisionSummary) -> Bool {
        if let author, !revision.author.isNamed(by: author) { return false }
        return since.map { $0.milliseconds <= revision.time.milliseconds } ?? true
    }
}

extension Author {
    /// Whether a name means this author: it is the user's name, the label, or the first parts of the
    /// label up to a `/`, also after the user's name and a `/`, as lists show an author. So `box/nvim` names
    /// `box/nvim` and `box/nvim/4711`, but not `box/nvim2`, and `ada/box/nvim` names those of Ada.
    package func isNamed(by name: ByteString) -> Bool {
        if user == name { return true }
        guard let label else { return false }
        func begins(_ name: some Collection<UInt8>) -> Bool {
            guard label.utf8.starts(with: name) else { return false }
            return label.utf8.count == name.count || label.utf8[name.count] == UInt8(ascii: "/")
        }
        let start = Array(user.utf8) + [UInt8(ascii: "/")]
        return begins(name.utf8) || name.utf8.starts(with: start) && begins(name.utf8.dropFirst(start.count))
    }
}

/// A revision of one of many notes.
package struct NoteRevision: Hashable, Sendable {
    /// The note.
    package let note: NoteID
    /// The revision.
    package let revision: RevisionSummary

    package init(note: NoteID, revision: RevisionSummary) {
        self.note = note
        self.revision = revision
    }
}

/// A page of revisions of all notes in the order of commits, newest first.
package struct NoteRevisionPage: Hashable, Sendable {
    /// The revisions of the page.
    package var entries: [NoteRevision]
    /// The commit before which the next page looks for revisions; nil on the last page. A page may
    /// have fewer revisions than its limit, or none, and still not be the last.
    package var next: UInt64?

    package init(entries: [NoteRevision], next: UInt64?) {
        self.entries = entries
        self.next = next
    }
}
