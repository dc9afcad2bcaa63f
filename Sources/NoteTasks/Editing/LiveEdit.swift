package import Causality
import Console
import EditSession
import NoteText
import NotesClient
import NotesModel
package import NotesWire
import TextMerge

/// A note in the file of an editor that says nothing: an `EditSession` learns what the user typed when the editor
/// saves, and is shown what others wrote by a new content of the file.
///
/// Such a content is an edit that the session offers. The editor takes it by saving a text that keeps all
/// of it (`DisplayedTexts`), and declines it by saving any other text. The file gets it right after a save,
/// unless the editor has written since. At any other time the file stays as it is, because many editors then
/// ask whether to reload it, and reloading discards what was typed since the last save. With `isLive`,
/// changes by others are written into the file as they arrive.
///
/// The actor looks at the file ten times a second. A save that fails is retried, for up to three seconds after the
/// editor exits; after that the caller handles it.
package actor LiveEdit {
    private let options: GlobalOptions
    private let isLive: Bool
    private var file: EditedFile
    private var session: EditSession
    private var shown: DisplayedTexts
    private let began = ContinuousClock.now
    private var ended: ContinuousClock.Instant?
    /// Notes from the watch that the session has not received.
    private var reported: [NoteObject] = []
    /// The save after which the file does not show the note's text yet; nil if it does, or if nothing was saved.
    private var due: OutcomeResult?
    /// The time of the next attempt after the daemon did not answer; nil if it did.
    private var retryAt: ContinuousClock.Instant?
    /// The text of the editor that the session has and the daemon has not acknowledged.
    private var pending: (text: [UInt8], place: Place)?
    /// Why the newest request failed.
    private var fault: (any Error)?
    /// The error in the editor's text, which the session cannot receive.
    private var textFault: (any Error)?

    /// The outcome of the newest save, and whether any save was in conflict (the conflict may have
    /// been resolved since).
    package private(set) var outcome: OutcomeResult?
    package private(set) var isConflicted = false
    /// Whether a message reported that the newest save was merged.
    package private(set) var isMergeKnown = false
    /// Why the editor's newest text is not saved; nil if it is.
    package private(set) var failure: (any Error)?
    /// Why a stray text is not saved, which the editor wrote to the old file after a rewrite; and
    /// the path of that file.
    package private(set) var strayFailure: (any Error)?
    package var strayPath: String { file.otherPath }
    private var news: EditNews
    /// The start of the `op` of all writes, and how many sessions have used it.
    private let writer: ByteString
    private var sessions = 0

    /// Where the editor writes: to the file, or to the old one after a rewrite.
    private enum Place { case file, stray }

    /// Interval between looks at the file.
    static let look = Duration.milliseconds(100)
    /// Delay before a retry.
    private static let pause = Duration.seconds(1)
    /// How long to retry a failed save after the editor exits: the daemon may be restarting.
    private static let patience = Duration.seconds(3)

    /// - Parameter writer: the start of the `op` of all writes; must be unique.
    package init(_ original: NoteObject, in draft: Draft, writer: String, isLive: Bool, options: GlobalOptions) {
        (self.options, self.isLive, self.writer) = (options, isLive, ByteString(writer))
        session = EditSession(original, operations: ByteString(writer), isRemote: true, savesWholeTexts: true)
        file = EditedFile(directory: draft.folder, name: draft.name, text: session.text)
        shown = DisplayedTexts(DisplayedTexts.Shown(version: session.version, text: session.text))
        news = EditNews(label: NoteLabel.of(original.head))
    }

    /// The version that the editor shows, as far as known.
    var version: Version { shown.newest.version }

    /// The version that the text in the file is based on, if another program can save it later; otherwise nil.
    package var base: Version? {
        pending?.place == .file && strayFailure == nil && textFault == nil && !session.isParted ? session.version : nil
    }

    /// Takes what the watch reported.
    func take(_ note: NoteObject) { reported.append(note) }

    /// Records that the editor has exited.
    package func editorEnded() { ended = .now }

    /// How long the editor ran.
    package var time: Duration { (ended ?? .now) - began }

    /// Runs until the editor has exited and everything is saved or has failed for good.
    package func follow() async {
        var end: ContinuousClock.Instant?
        while true {
            let isLast = ended != nil
            if retryAt.map({ $0 <= .now || isLast && end == nil }) == true {
                retryAt = nil
                await give(.connected)
            }
            if session.deadline.map({ $0 <= .now - began }) == true { await give(.clock) }
            await takeStray()
            await takeText(file.look(isLast: isLast))
            if !isLast, failure == nil, strayFailure == nil { await takeReports() }
            if isLast {
                end = end ?? .now + Self.patience
                if failure == nil && strayFailure == nil || .now >= end ?? .now { break }
            }
            news.flushIfVisible()
            try? await Task.sleep(for: Self.look)
        }
        file.removeOther()
        news.flush()
    }

    // MARK: What the editor wrote

    private func takeText(_ look: EditedFile.Look) async {
        switch look {
        case .same:
            // The editor took back what it wrote, which the daemon may have.
            failure = pending?.place == .file ? await fault(after: file.text, in: .file) : nil
        case .unsettled: break
        case .unreadable(let fault): failure = fault
        case .changed(let text):
            failure = await fault(after: text, in: .file)
        }
    }

    /// Saves a text that the editor wrote to the old file after a rewrite. It is based on the text
    /// that the editor certainly showed before that rewrite.
    private func takeStray() async {
        guard let stray = file.stray() else {
            strayFailure = nil
            return
        }
        strayFailure = await fault(after: stray, in: .stray)
    }

    /// Gives the session a text that the editor wrote, and returns why the text is not saved. While
    /// that is so, the editor's other file waits.
    private func fault(after text: [UInt8], in place: Place) async -> (any Error)? {
        if let pending, pending.place != place { return fault }
        do {
            _ = try TextInput.checked(text, of: "your text")
            textFault = nil
        } catch {
            textFault = error
            news.failed(error)
            return error
        }
        if pending?.text != text {
            pending = (text, place)
            await show(text, on: place == .file && session.isSaved ? shown.base(of: text) : shown.seen)
        }
        guard pending != nil else { return nil }
        let fault = fault ?? ExitFailure("the daemon has not saved it")
        news.failed(fault)
        return fault
    }

    /// Makes what the editor saved the session's text.
    private func show(_ text: [UInt8], on base: DisplayedTexts.Shown) async {
        let offer = session.offer
        if base == shown.newest, base != shown.seen, let offer {
            await give(.accepted(offer.number))
        } else if base != shown.seen {
            // The editor took the content before the newest one.
            sessions += 1
            session = EditSession(
                resuming: session.note, text: base.text, version: base.version, shadow: base.text, isHeld: true,
                operations: ByteString("\(writer)-\(sessions)"), savesWholeTexts: true)
        }
        let edits = StatedDiff.shortEdits(from: session.text, to: text)
        if edits.isEmpty, session.isSaved {
            outcome = outcome ?? OutcomeResult(outcome: .unchanged, dot: nil, version: session.version, note: nil)
            tookPending()
        }
        await give(.changed(edits, caret: 0, continues: false))
        if let offer = session.offer { await give(.declined(offer.number, isBusy: false)) }
    }

    // MARK: What others wrote

    private func takeReports() async {
        let notes = reported
        reported = []
        for note in notes where note.head.version != shown.newest.version && note.head.version != session.version {
            if note.head.isDeleted {
                news.deleted(by: note.head.author)
            } else if !isLive, due == nil {
                if file.canBeRewritten { news.waiting(by: note.head.author) }
                continue
            }
            // The editor has not taken the last content, and gets a newer one.
            if let offer = session.offer {
                await give(.declined(offer.number, isBusy: false))
                await give(.ready)
            }
            await give(.watched(note))
        }
    }

    /// Rewrites the file for an edit that the session offers. Returns the editor's answer; nil until it saves.
    private func answer(to offer: EditOffer, by author: Author?) -> EditEvent? {
        let text = offer.edits.applied(to: session.text)
        guard !text.isSame(as: file.text) else {
            due = nil
            guard text.isSame(as: session.text) else {
                shown.rewrote(DisplayedTexts.Shown(version: offer.version, text: text))
                return nil
            }
            shown.saved(DisplayedTexts.Shown(version: offer.version, text: text))
            return .accepted(offer.number)
        }
        guard file.canBeRewritten else { return .declined(offer.number, isBusy: true) }
        do {
            // Otherwise the editor has written since.
            guard try file.rewrite(with: text) else { return .declined(offer.number, isBusy: false) }
        } catch {
            news.cannotShow(error)
            return .declined(offer.number, isBusy: true)
        }
        shown.rewrote(DisplayedTexts.Shown(version: offer.version, text: text))
        if let due {
            if due.outcome == .conflicted { news.conflicted() } else { news.merged() }
            isMergeKnown = due.outcome == .merged
        } else if let author {
            news.changed(by: author)
        }
        due = nil
        return nil
    }

    // MARK: The session

    /// Hands the session an event, and performs its requests, one after the other.
    private func give(_ event: EditEvent) async {
        var events = [event][...]
        // The author of the text that the session has read last.
        var author: Author?
        while let event = events.popFirst() {
            let actions = session.receive(event, at: .now - began)
            if case .written(_, let result) = event { written(result) }
            if case .read(_, let note) = event { author = note.head.author }
            for action in actions {
                switch action {
                case .write(let number, let write):
                    events.append(await response(number) { try await $0.response(to: write, number) })
                case .read(let number, let read):
                    let note = session.note
                    events.append(await response(number) { try await $0.response(to: read, of: note, number) })
                case .offer(let offer): if let answer = answer(to: offer, by: author) { events.append(answer) }
                // The file is the draft, and the command reports what is not saved.
                case .apply, .saved, .fault, .presence, .durable, .tell, .keepDraft, .removeDraft: break
                }
            }
        }
    }

    private func response(
        _ number: UInt64, _ request: @Sendable (any NotesAPI) async throws -> EditEvent
    ) async -> EditEvent {
        do {
            return try await options.withClient(request)
        } catch ClientError.refused(let error) {
            fault = ClientError.refused(error)
            return .refused(number, error)
        } catch {
            (fault, retryAt) = (error, .now + Self.pause)
            return .disconnected
        }
    }

    private func written(_ result: OutcomeResult) {
        if result.outcome != .unchanged || outcome == nil { (outcome, isMergeKnown) = (result, false) }
        isConflicted = isConflicted || result.outcome == .conflicted
        due = result.note == nil ? nil : result
        fault = nil
        guard session.isSaved, pending != nil else { return }
        news.saved()
        shown.saved(DisplayedTexts.Shown(version: session.version, text: session.text))
        tookPending()
    }

    /// Records that the daemon has what the editor wrote, so that the file can be rewritten.
    private func tookPending() {
        switch pending?.place {
        case .file: file.took(session.text)
        case .stray: file.tookStray(session.text)
        case nil: break
        }
        pending = nil
    }
}
