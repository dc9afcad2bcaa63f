import Causality
import NoteText
import NotesClient
import NotesModel
package import NotesWire
import Synchronization

/// Synchronises a note with an editor in both directions. Each text that the editor writes is saved
/// immediately, based on what the file showed. If others changed the note, the merged text is
/// written into the file right after that save, unless the editor has written since. At any other
/// time the file stays as it is, because many editors then ask whether to reload it, and reloading
/// discards what was typed since the last save. With `isLive`, changes by others are written into the
/// file as they arrive.
///
/// The actor polls the file ten times a second and fetches the note when the watch reports a
/// change. A save that fails is retried, for up to three seconds after the editor exits; after that
/// the caller handles it.
package actor LiveEdit {
    private let options: GlobalOptions
    private let note: Head
    private let isLive: Bool
    private var file: EditedFile
    private var shown: DisplayedTexts
    private let began = ContinuousClock.now
    private var ended: ContinuousClock.Instant?
    /// Whether the note's text may differ from the file's.
    private var isStale = false
    /// Whether the editor has saved a text and the file does not show the note's text of that time.
    private var isMergeDue = false
    /// The earliest time to retry a failed save.
    private var retryAt = ContinuousClock.now
    private var strayRetryAt = ContinuousClock.now
    private var newsAt = ContinuousClock.now
    /// Saves whose outcome is unknown, with their operation names, so that a retry does not save
    /// twice. At most two: the editor's newest text and a stray.
    private var attempts: [(text: [UInt8], base: Version, op: ByteString)] = []

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
    private let names = IDGenerator(SystemRandomNumberGenerator())

    /// Interval between looks at the file.
    static let look = Duration.milliseconds(100)
    /// Delay before a retry.
    private static let pause = Duration.seconds(1)
    /// How long to retry a failed save after the editor exits: the daemon may be restarting.
    private static let patience = Duration.seconds(3)

    package init(_ original: NoteObject, in draft: Draft, isLive: Bool, options: GlobalOptions) {
        (self.options, self.isLive) = (options, isLive)
        note = original.head
        let text = original.text ?? []
        file = EditedFile(directory: draft.folder, name: draft.name, text: text)
        shown = DisplayedTexts(DisplayedTexts.Shown(version: original.head.version, text: text))
        news = EditNews(label: NoteLabel.of(original.head))
    }

    /// The version that the editor shows, as far as known.
    var version: Version { shown.newest.version }

    /// Records that the watch reported a change of the note.
    func noteChanged() { isStale = true }

    /// Records that the editor has exited.
    package func editorEnded() { ended = .now }

    /// How long the editor ran.
    package var time: Duration { (ended ?? .now) - began }

    /// Runs until the editor has exited and everything is saved or has failed for good.
    package func follow() async {
        var end: ContinuousClock.Instant?
        while true {
            let isLast = ended != nil
            await takeStray(isFirstOfLast: isLast && end == nil)
            switch file.look(isLast: isLast) {
            case .same:
                failure = nil
                if isStale, !isLast { await takeNews() }
            case .unsettled: break
            case .unreadable(let fault): failure = fault
            case .changed(let text):
                guard retryAt <= .now || isLast && end == nil else { break }
                do {
                    try await save(text, on: shown.base(of: text)) { $0.file.took(text) }
                    failure = nil
                } catch {
                    (failure, retryAt) = (error, .now + Self.pause)
                }
            }
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

    /// Saves a text that the editor wrote to the old file after a rewrite. It is based on the text
    /// that the editor certainly showed before that rewrite.
    private func takeStray(isFirstOfLast: Bool) async {
        guard let stray = file.stray() else {
            strayFailure = nil
            return
        }
        guard strayRetryAt <= .now || isFirstOfLast else { return }
        do {
            try await save(stray, on: shown.seen) { $0.file.tookStray(stray) }
            (strayFailure, isStale, isMergeDue) = (nil, true, true)
        } catch {
            (strayFailure, strayRetryAt) = (error, .now + Self.pause)
        }
    }

    private func save(_ text: [UInt8], on base: DisplayedTexts.Shown, takes: (isolated LiveEdit) -> Void) async throws {
        do {
            _ = try TextInput.checked(text, of: "your text")
            let params = SaveNote(id: note.id, base: base.version, text: text, op: name(of: text, on: base.version))
            let result = try await options.withClient { @Sendable client in try await client.save(params) }
            attempts.removeAll { $0.text == text && $0.base == base.version }
            if result.outcome != .unchanged || outcome == nil { (outcome, isMergeKnown) = (result, false) }
            isConflicted = isConflicted || result.outcome == .conflicted
            takes(self)
            news.saved()
            shown.saved(DisplayedTexts.Shown(version: result.version, text: text))
            if let now = result.note, let merged = now.text, merged != text {
                isMergeDue = true
                guard putIn(DisplayedTexts.Shown(version: now.version, text: merged)) else { return }
                if result.outcome == .conflicted { news.conflicted() } else { news.merged() }
                isMergeKnown = result.outcome == .merged
            }
        } catch {
            news.failed(error)
            throw error
        }
    }

    private func name(of text: [UInt8], on base: Version) -> ByteString {
        if let same = attempts.first(where: { $0.text == text && $0.base == base }) { return same.op }
        let name = names.operation()
        attempts = attempts.suffix(1) + [(text, base, name)]
        return name
    }

    /// Fetches the note, and writes its text into the file or reports who changed it.
    private func takeNews() async {
        guard newsAt <= .now, file.canBeRewritten else { return }
        do {
            let id = note.id
            let now = try await options.withClient { @Sendable client in try await client.note(.id(id)) }
            isStale = false
            guard now.head.version != shown.newest.version else {
                isMergeDue = false
                return
            }
            guard !now.head.isDeleted else { return news.deleted(by: now.head.author) }
            let text = now.text ?? []
            guard text != shown.newest.text else {
                isMergeDue = false
                return shown.rewrote(DisplayedTexts.Shown(version: now.head.version, text: text))
            }
            guard isLive || isMergeDue else { return news.waiting(by: now.head.author) }
            if putIn(DisplayedTexts.Shown(version: now.head.version, text: text)) {
                news.changed(by: now.head.author)
            } else {
                isStale = true
            }
        } catch {
            newsAt = .now + Self.pause
        }
    }

    /// Rewrites the file with a text; returns false if the editor has written since or it fails.
    private func putIn(_ text: DisplayedTexts.Shown) -> Bool {
        do {
            guard try file.rewrite(with: text.text) else {
                isStale = true
                return false
            }
            shown.rewrote(text)
            isMergeDue = false
            return true
        } catch {
            news.cannotShow(error)
            (isStale, newsAt) = (true, .now + Self.pause)
            return false
        }
    }
}
