import Causality
import NotesClient
import NotesModel
import NotesWire
import Synchronization

/// A note in an editor, both ways: what the editor writes into its file is saved at once, on what the file showed; what others write
/// meanwhile is put into the file, where the editor has written nothing since.
///
/// It looks at the file some times a second, and at the note when the watch says so. What cannot be saved now is tried again, and in the
/// end once more; then it is the caller's.
actor LiveEdit {
    private let options: GlobalOptions
    private let note: Head
    private var file: EditedFile
    private var shown: DisplayedTexts
    private let began = ContinuousClock.now
    private var ended: ContinuousClock.Instant?
    /// Whether the note may show something else than the file.
    private var isStale = false
    /// Not before then is tried again what failed.
    private var retryAt = ContinuousClock.now
    private var strayRetryAt = ContinuousClock.now
    private var newsAt = ContinuousClock.now
    /// What texts are saved as of which it is not known that they are, so that a repetition is none: the newest of the editor, and a stray.
    private var attempts: [(text: [UInt8], base: Version, op: ByteString)] = []

    /// The newest save's, and whether any was in conflict, which may be settled since.
    private(set) var outcome: OutcomeResult?
    private(set) var isConflicted = false
    /// Why the newest text of the editor is not saved.
    private(set) var failure: (any Error)?
    /// Why a text is not saved that the editor wrote into a file that had lost its name by then; and where that is.
    private(set) var strayFailure: (any Error)?
    var strayPath: String { file.otherPath }
    private var news: EditNews
    private let names = IDGenerator(SystemRandomNumberGenerator())

    static let look = Duration.milliseconds(100)
    private static let pause = Duration.seconds(1)
    /// How long it is tried again what cannot be saved when the editor has ended: a daemon may be on its way up.
    private static let patience = Duration.seconds(3)

    init(_ original: NoteObject, in draft: Draft, options: GlobalOptions) {
        self.options = options
        note = original.head
        let text = original.text ?? []
        file = EditedFile(directory: draft.folder, name: draft.name, text: text)
        shown = DisplayedTexts(DisplayedTexts.Shown(version: original.head.version, text: text))
        news = EditNews(label: NoteLabel.of(original.head))
    }

    /// What the editor shows, as far as is known.
    var version: Version { shown.newest.version }

    func noteChanged() { isStale = true }

    func editorEnded() { ended = .now }

    /// How long the editor was there.
    var time: Duration { (ended ?? .now) - began }

    /// Returns once the editor has ended and all is saved, or cannot be.
    func follow() async {
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
            news.tellIfSeen()
            try? await Task.sleep(for: Self.look)
        }
        file.removeOther()
        news.tell()
    }

    /// What was written into a file that had lost its name by then, so on what was seen before that.
    private func takeStray(isFirstOfLast: Bool) async {
        guard let stray = file.stray() else {
            strayFailure = nil
            return
        }
        guard strayRetryAt <= .now || isFirstOfLast else { return }
        do {
            try await save(stray, on: shown.seen) { $0.file.tookStray(stray) }
            (strayFailure, isStale) = (nil, true)
        } catch {
            (strayFailure, strayRetryAt) = (error, .now + Self.pause)
        }
    }

    private func save(_ text: [UInt8], on base: DisplayedTexts.Shown, takes: (isolated LiveEdit) -> Void) async throws {
        do {
            _ = try TextInput.checked(text, of: "your text")
            let params = SaveParams(id: note.id, base: base.version, text: text, op: name(of: text, on: base.version))
            let result = try await options.withClient { @Sendable client in try await client.save(params) }
            attempts.removeAll { $0.text == text && $0.base == base.version }
            if result.outcome != .unchanged || outcome == nil { outcome = result }
            isConflicted = isConflicted || result.outcome == .conflicted
            takes(self)
            news.saved()
            shown.saved(DisplayedTexts.Shown(version: result.version, text: text))
            if let now = result.note, let merged = now.text, merged != text {
                if putIn(DisplayedTexts.Shown(version: now.version, text: merged)) { news.merged() }
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

    /// Puts what the note shows now into the file.
    private func takeNews() async {
        guard newsAt <= .now, file.canBeRewritten else { return }
        do {
            let id = note.id
            let now = try await options.withClient { @Sendable client in try await client.note(.id(id)) }
            isStale = false
            guard now.head.version != shown.newest.version else { return }
            guard !now.head.isDeleted else { return news.deleted(by: now.head.author) }
            let text = now.text ?? []
            guard text != shown.newest.text else { return shown.rewrote(DisplayedTexts.Shown(version: now.head.version, text: text)) }
            if putIn(DisplayedTexts.Shown(version: now.head.version, text: text)) {
                news.changed(by: now.head.author)
            } else {
                isStale = true
            }
        } catch {
            newsAt = .now + Self.pause
        }
    }

    private func putIn(_ text: DisplayedTexts.Shown) -> Bool {
        do {
            guard try file.rewrite(with: text.text) else {
                isStale = true
                return false
            }
            shown.rewrote(text)
            return true
        } catch {
            news.cannotShow(error)
            (isStale, newsAt) = (true, .now + Self.pause)
            return false
        }
    }
}
