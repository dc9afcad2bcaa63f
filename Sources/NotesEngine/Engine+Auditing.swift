import NotesModel
import NotesStore

extension Engine {
    /// One step of the first audit under way; the others take their turns behind it.
    func audit() throws(JournalError) {
        var audit = audits.removeFirst()
        var mail = Mail()
        let before = audit.finished.notes
        try audit.step(library.journal)
        if audit.isDone {
            return try checkIndex(for: audit)
        }
        let progress = audit.progress(of: try library.journal.statistics())
        if audit.finished.notes != before, progress.done % Self.notesPerProgress == 0 {
            mail.answer(.progress(done: progress.done, total: progress.total), ticket: audit.ticket, to: audit.dependent)
            courier.deliver(mail.parcels)
        }
        audits.append(audit)
    }

    /// How many notes are audited between two lines that say how far it is.
    private static let notesPerProgress = 100
}
