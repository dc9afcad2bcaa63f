import Causality
import NoteText
import NotesClient
import NotesModel
import NotesWire

/// The writes of an editor whose host ended, or whose responses were lost.
enum OwnWrites {
    /// Most revisions that are read.
    private static let revisionsMax = 100_000

    /// The text of an editor with everything that the daemon has of it.
    ///
    /// Starting from the versions that the editor knows, each revision of its writer is added whose
    /// parents are known by then. A repair has another label: the editor need not have seen it.
    ///
    /// - Throws: `ClientError`.
    static func found(after resume: ResumedText, in note: NoteObject, _ client: any NotesAPI) async throws -> ResumedNote {
        var known = resume.dots
        var own: [RevisionSummary] = []
        var unseen = known
        var before: Dot?
        var count = 0
        repeat {
            let page = try await client.history(
                ReadHistory(id: note.head.id, limit: WireProtocol.listLimits.upperBound, before: before))
            own += page.revisions.filter { isOwn($0, resume.writer) }
            unseen.subtract(page.revisions.map(\.dot))
            count += page.revisions.count
            before = page.next
        } while before != nil && !unseen.isEmpty && count < revisionsMax
        guard unseen.isEmpty else { return .parted }
        var withdrawn = 0
        for revision in own.reversed() where !known.contains(revision.dot) && revision.parents.dots.allSatisfy(known.contains) {
            if revision.isWithdrawn { withdrawn += 1 } else { known.insert(revision.dot) }
        }
        do {
            let base = try await client.note(.id(note.head.id), at: Version(known))
            guard let text = base.text else { return .parted }
            return .found(base.head.version, text, withdrawn: withdrawn)
        } catch ClientError.refused(let error) where error.kind == .unknownBase || error.kind == .revisionGone {
            return .parted
        }
    }

    private static func isOwn(_ revision: RevisionSummary, _ writer: String?) -> Bool {
        guard let writer, let label = revision.author.label, revision.withdraws.isEmpty, !revision.isPurge else { return false }
        return label.utf8.suffix(writer.utf8.count + 1).elementsEqual("/\(writer)".utf8)
    }
}
