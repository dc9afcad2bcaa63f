package import Causality
package import NoteText
package import NotesModel

/// The checks of revisions on their way to and from a hub. They are those of a daemon, as far as they do
/// not depend on the note.
package enum HubCheck {
    /// Longest body that the table takes, in bytes.
    package static let bodyBytesMax = 16 << 20

    /// A revision that a client offers.
    package enum Offered: Hashable, Sendable {
        /// Its canonical bytes, and the files that it names.
        case body(Dot, [UInt8], [FileContent])
        case notAccepted(Dot, QuarantineReason)
        case unreadable
    }

    /// Checks a revision that a client offers.
    ///
    /// - Complexity: O(bytes of the revision).
    package static func offered(_ wire: WireRevision) -> Offered {
        guard !wire.text.contains(0), let revision = RevisionCodec.revision(from: wire) else { return .unreadable }
        if let reason = AdoptionRules.fault(in: revision.content) { return .notAccepted(revision.dot, reason) }
        let body = RevisionCodec.canonicalBytes(of: revision)
        return body.count > bodyBytesMax
            ? .notAccepted(revision.dot, .tooLong) : .body(revision.dot, body, files(named: revision))
    }

    /// The files that a revision names, and whose bytes the space keeps. Zero bytes are always there.
    ///
    /// - Complexity: O(bytes of the edits).
    package static func files(named revision: LinkedRevision) -> [FileContent] {
        revision.content.writtenFiles.filter { $0.bytes > 0 }
    }

    /// A row of the log, as a page carries it.
    package enum Stored: Hashable, Sendable {
        case revision(WireRevision)
        /// The reason why no page carries it, as a clause about the row.
        case skipped(String)
    }

    /// Checks a row of the log.
    ///
    /// - Complexity: O(bytes of the row).
    package static func stored(_ row: HubRow) -> Stored {
        guard row.body.count <= bodyBytesMax, let revision = RevisionCodec.revision(from: row.body) else {
            return .skipped("its body is no revision")
        }
        guard revision.dot == row.place.dot else { return .skipped("its body has another dot than its columns") }
        if let reason = AdoptionRules.fault(in: revision.content) { return .skipped("\(reason)") }
        let wire = RevisionCodec.wireForm(of: revision)
        return wire.text.contains(0) ? .skipped("its text contains U+0000") : .revision(wire)
    }
}
