package import Causality
package import NotesClient
package import NotesModel
import NotesWire

/// Tells which writes an undo undoes, and which it brings back because it undoes other undos.
package struct UndoEffects {
    /// What each known revision withdraws; empty for a write.
    private var withdraws: [Dot: [Dot]] = [:]

    package init(_ revisions: [RevisionSummary]) {
        for revision in revisions { withdraws[revision.dot] = revision.withdraws }
    }

    /// Whether a revision is unknown that determines the effect of an undo.
    private func isIncomplete(for undos: [RevisionSummary]) -> Bool {
        var seen: Set<Dot> = []
        var rest = undos.flatMap(\.withdraws)
        while let dot = rest.popLast() {
            guard let inner = withdraws[dot] else { return true }
            if seen.insert(dot).inserted { rest += inner }
        }
        return false
    }

    /// The writes that an undo undoes, and those that it brings back. An unknown revision counts as a
    /// write.
    package func effect(of undo: RevisionSummary) -> (undone: [Dot], redone: [Dot]) {
        var effect: (undone: [Dot], redone: [Dot]) = ([], [])
        var seen: Set<Dot> = []
        var rest = undo.withdraws.reversed().map { (dot: $0, isUndone: true) }
        while let (dot, isUndone) = rest.popLast() {
            guard seen.insert(dot).inserted else { continue }
            let inner = withdraws[dot] ?? []
            if !inner.isEmpty {
                rest += inner.reversed().map { ($0, !isUndone) }
            } else if isUndone {
                effect.undone.append(dot)
            } else {
                effect.redone.append(dot)
            }
        }
        return effect
    }

    /// Reads the revisions that the undos among `shown` name, and that come before them.
    ///
    /// - Parameter shown: revisions of one note, newest first.
    /// - Returns: older revisions of the note; all that are needed, and some more.
    package static func older(
        than shown: [RevisionSummary], of note: NoteID, _ client: any NotesAPI
    ) async throws -> [RevisionSummary] {
        var older: [RevisionSummary] = []
        var before = shown.last?.dot
        while let dot = before, UndoEffects(shown + older).isIncomplete(for: shown) {
            let page = try await client.history(
                ReadHistory(id: note, limit: WireProtocol.listLimits.upperBound, before: dot))
            older += page.revisions
            before = page.next
        }
        return older
    }
}
