import Causality
import Console
import NoteTasks
import NotesModel

/// The drafts of texts that the daemon has not acknowledged, one file for each note, and what else the
/// program has to say when it has left the screen.
final class BrowseDrafts {
    private let drafts = NoteDrafts()

    /// Why the newest text of a note has no draft.
    private var failures: [NoteID: String] = [:]
    private var hasRefusedToQuit = false
    /// Reports of failed commands, oldest first.
    private var reports: [String] = []

    /// Most reports kept; the oldest go first.
    private static let reportsMax = 20

    /// Writes a text, which is based on a version, to the note's draft. Returns nil, or a sentence that says why that failed.
    func keep(_ head: Head, _ text: [UInt8], base: Version) -> String? {
        do {
            try drafts.keep(head.id, text, base: base, name: NoteLabel.of(head))
            failures[head.id] = nil
        } catch {
            failures[head.id] =
                "cannot keep a draft of \(SafeText.line(NoteLabel.of(head))): \(BrowserRequests.sentence(error))"
        }
        return failures[head.id]
    }

    /// Why the program should not quit yet: a text is neither saved nor kept. The second time, it may.
    func refusalToQuit() -> String? {
        guard !hasRefusedToQuit, let failure = failures.values.min() else { return nil }
        hasRefusedToQuit = true
        return "\(failure); ^C again quits without the text"
    }

    /// Keeps the report of a command for the end of the program.
    func add(report: String) {
        reports.append(report)
        if reports.count > Self.reportsMax { reports.removeFirst() }
    }

    func remove(_ note: NoteID) {
        failures[note] = nil
        drafts.remove(note)
    }

    /// Prints the reports, the paths of the drafts that remain, and which texts are lost.
    func report() {
        for report in reports { Output.note(report) }
        for failure in failures.values.sorted() { Output.note(failure) }
        drafts.report()
    }

    /// A draft of a note that an interrupted program left; nil if there is none.
    static func left(of note: NoteID, besides text: [UInt8]) -> KeptDraft.Left? {
        guard let folder = StateFolder.made() else { return nil }
        let left = KeptDraft.left(of: [.note(note)], besides: text, in: folder)
        return left.first { $0.base != nil } ?? left.first
    }

    /// A sentence about such a draft; nil if there is none.
    static func sentence(about note: NoteID, besides text: [UInt8]) -> String? {
        left(of: note, besides: text).map { left in
            let way = left.base == nil ? "its last text is" : "^R in the note merges its text, which is"
            return "an earlier edit of this note was interrupted; \(way) in \(SafeText.line(left.path))"
        }
    }
}
