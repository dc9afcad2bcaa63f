package import Causality
package import NoteText
package import NotesModel
package import NotesWire
import TextMerge

/// A text that a user edits while others change the note, as docs/live-clients.md describes.
///
/// The session receives events and returns actions; it never waits. At most one request is outstanding.
/// The text that the user types in the meantime is compared with the newest text that the daemon
/// acknowledged, and sent with the next write. Texts of others are merged into the user's text by lines
/// where the merge by characters would join what nobody joined (`LineMerge`). Undo and redo restore the
/// user's own steps only.
///
/// An editor in the same process shows what the session returns before it takes another key. A remote
/// editor may have changed its text by then. So the session offers it every edit, at most one at a
/// time, and a version counts as shown when the editor has accepted. What crossed an offer is written on the
/// version that the editor showed, so that the daemon merges it (`EditSession+Offers`).
///
/// Callers pass the time as the duration since some fixed moment. Responses to earlier requests are
/// ignored; edits outside the text are a fault.
package struct EditSession: Sendable {
    package let note: NoteID
    /// Whether the editor may change its text before it receives an edit of the session.
    package let isRemote: Bool
    /// The text that the user sees, in UTF-8.
    package internal(set) var text: [UInt8]
    /// The offset of the caret in the text, on a character boundary.
    package internal(set) var caret = 0
    /// The other end of the selection; nil if nothing is selected.
    var anchor: Int?
    /// Whether the user typed at the caret last.
    var isTyping = false
    /// The version that the text is based on, and its text as the daemon has it.
    package internal(set) var version: Version
    var shadow: [UInt8]

    /// The open conflicts in `shadow`.
    var marks: [Range<Int>]
    var history = EditHistory()
    /// The write without a response.
    var flight: Flight?
    /// The read without a response.
    var reading: (number: UInt64, kind: Reading)?
    /// Writes that follow the flight: the second half of a marked clash.
    var queue: [Flight] = []
    /// Whether the daemon has announced a newer version.
    var isBehind = false
    /// Whether the next read has to return the whole text.
    var needsWholeText = false
    /// Whether the shadow may differ from the text of `version`.
    var isDoubtful = false
    package internal(set) var isOnline = true
    /// Whether the daemon knows no version that the session has shown.
    package internal(set) var isParted = false
    package internal(set) var isDeleted = false
    /// The texts that were shown last, oldest first.
    var shown: [(version: Version, text: [UInt8])]
    /// The number of versions adopted since the shadow was compared.
    var adoptions = 0
    /// Why the daemon refused the newest write.
    var refusal: Refusal?
    /// The times of the next write, of the next attempt after a failure, of the next draft, and the
    /// earliest time of the next presence; nil if not due.
    var (sendAt, retryAt, draftAt, presenceAt): (Duration?, Duration?, Duration?, Duration?)
    /// The time since which typed text has not been sent; nil if there is none.
    var heldSince: Duration?
    /// Whether the next write is the whole text, however old it is: the session does not know which text the
    /// daemon has.
    var isHeld = false
    /// Whether each write is the whole text, so that the daemon marks conflicts: the user's changes are known only
    /// together, from what the editor saved.
    private let savesWholeTexts: Bool
    var hasDraft = false
    var isSaveAsked = false
    var announced: (version: Version, caret: Int, anchor: Int)?

    /// The number of changes that the user made, of those that the daemon has, and of those of which the editor
    /// knows that.
    package internal(set) var changes: UInt64 = 0
    var (writtenChanges, savedChanges): (UInt64, UInt64) = (0, 0)
    /// The number of the edit that the editor accepted last, and whether the editor waits to learn that the
    /// daemon has what it shows, though it changed nothing.
    var acceptedOffers: UInt64 = 0
    var owesSaved = false
    /// The number of edits that were offered, and the one to which the editor has not responded.
    var offers: UInt64 = 0
    package internal(set) var offer: Offer?
    /// Requested steps that the session has not offered.
    var steps: [Step] = []

    enum Step: Sendable {
        case undo, redo
        case want([UInt8])
    }

    /// Whether the editor can take no edit until it says so, and the time at which the session offers
    /// again by itself.
    var isBusy = false
    var offerAt: Duration?

    private let prefix: ByteString
    private var number: UInt64 = 0
    var actions: [EditAction] = []

    /// A write with what its response is compared with.
    struct Flight: Sendable {
        var number: UInt64 = 0
        let write: EditWrite
        let base: Version
        /// The text of `base`, and the text that the write makes of it.
        let baseText: [UInt8]
        let sent: [UInt8]
        /// The changes of the user that `sent` includes; nil for a write of the session itself.
        var changes: UInt64?
    }

    /// The purpose of a read.
    enum Reading: Sendable {
        case newest
        /// The text of others that a write met.
        case theirs(Met)
        /// The newest text, which may still be the daemon's merge that the session wants to repair.
        case repair(merged: [UInt8], wish: [UInt8])
        /// Whether the daemon still has this one of `shown`.
        case probe(Int)
        case check
    }

    /// A write that met another one in the daemon.
    struct Met: Sendable {
        let flight: Flight
        let dot: Dot
        let version: Version
        let merged: [UInt8]
        let marks: [Range<Int>]
    }

    struct Refusal: Sendable {
        let text: [UInt8]
        /// The time of the next attempt with the same text; nil if the text has to change.
        let retryAt: Duration?
    }

    /// How long changes are collected before a write.
    static let quiet = Duration.milliseconds(5)
    /// How long typed text may wait before it is sent as a whole text.
    static let heldMax = Duration.seconds(10)
    /// How long typed text may be unacknowledged without a draft.
    static let draftAfter = Duration.seconds(1)
    /// How long the session waits before it sends a refused request again, and before it tries a new
    /// write after an error that lasts.
    static let (retry, pause) = (Duration.milliseconds(500), Duration.seconds(5))
    /// The least time between two presences.
    static let presencePause = Duration.milliseconds(100)
    /// Most texts in `shown`, and most bytes of them; the newest stays in any case.
    static let (shownMax, shownBytesMax) = (30, 32 << 20)
    /// Versions adopted before the shadow is compared with the daemon's text.
    static let adoptionsMax = 500

    /// Opens a note that was read with its text.
    ///
    /// - Parameters:
    ///   - prefix: the start of the `op` of every write; must be unique.
    ///   - savesWholeTexts: whether each write is the whole text.
    package init(
        _ note: NoteObject, operations prefix: ByteString, isRemote: Bool = false, savesWholeTexts: Bool = false
    ) {
        self.savesWholeTexts = savesWholeTexts
        self.note = note.head.id
        self.isRemote = isRemote
        self.prefix = prefix
        version = note.head.version
        shadow = note.text ?? []
        text = shadow
        shown = [(version, shadow)]
        marks = note.conflicts.filter { $0.kind == .text }.map(\.range)
        isDeleted = note.head.isDeleted
    }

    /// Goes on with the text of a remote editor whose session ended.
    ///
    /// - Parameters:
    ///   - text: the text that the user sees.
    ///   - version: the newest version whose text is part of it, with everything that the editor's own writes
    ///     added, and `shadow` the text of that version.
    ///   - isHeld: whether what the daemon lacks is sent as a whole text, so that it marks conflicts.
    ///   - prefix: the start of the `op` of every write. It must be that of the session before, so that
    ///     both cannot write on one base.
    ///   - savesWholeTexts: whether later writes are whole texts, too.
    ///   - hasDraft: whether there is a draft, to be removed when everything is saved.
    package init(
        resuming note: NoteID, text: [UInt8], version: Version, shadow: [UInt8], isHeld: Bool, operations prefix: ByteString,
        savesWholeTexts: Bool = false, hasDraft: Bool = false
    ) {
        self.savesWholeTexts = savesWholeTexts
        self.note = note
        isRemote = true
        self.prefix = prefix
        (self.version, self.shadow, self.text, self.isHeld) = (version, shadow, text, isHeld)
        shown = [(version, shadow)]
        marks = []
        isBehind = true
        owesSaved = true
        self.hasDraft = hasDraft
    }

    /// Whether the daemon has acknowledged everything that the user typed.
    package var isSaved: Bool { flight == nil && queue.isEmpty && text.isSame(as: shadow) }

    /// The time of the next `clock` event; nil if none is needed.
    package var deadline: Duration? { [sendAt, retryAt, draftAt, presenceAt, offerAt].compactMap { $0 }.min() }

    /// The open conflicts, as ranges of the text.
    package var conflicts: [Range<Int>] {
        guard !marks.isEmpty else { return [] }
        let edits = text.isSame(as: shadow) ? [] : StatedDiff.edits(from: shadow, to: text)
        return marks.map { edits.moved($0, limit: text.count) }
    }

    /// Handles an event and returns the actions that it causes.
    package mutating func receive(_ event: EditEvent, at now: Duration) -> [EditAction] {
        switch event {
        case .changed(let edits, let caret, let continues, let before): changed(edits, caret, continues: continues, before, now)
        case .moved(let caret, let anchor):
            guard isBoundary(caret), isBoundary(anchor ?? caret) else { return [] }
            (self.caret, self.anchor, isTyping) = (caret, anchor, false)
        case .entered: announced = nil
        case .undo: steps.append(.undo)
        case .redo: steps.append(.redo)
        case .wanted(let text): if UTF8Validation.isValid(text) { steps.append(.want(text)) }
        case .accepted(let number): accepted(number, now)
        case .declined(let number, let isBusy): declined(number, isBusy: isBusy, now)
        case .ready: (isBusy, offerAt) = (false, nil)
        case .saveAsked:
            isSaveAsked = true
            sendAt = nil
            if !isOnline { saveOffline() }
        case .watched(let note): watched(note)
        case .written(let number, let result):
            guard let flight, flight.number == number else { return [] }
            self.flight = nil
            refusal = nil
            written(result, flight)
        case .read(let number, let note):
            guard let reading, reading.number == number else { return [] }
            self.reading = nil
            read(note, reading.kind, now)
        case .refused(let number, let error): refused(number, error, now)
        case .connected:
            isOnline = true
            isBehind = true
            if let flight { fly(flight) }
        case .disconnected:
            if isOnline, isSaveAsked { saveOffline() }
            (isOnline, isBehind, reading, retryAt, announced) = (false, true, nil, nil, nil)
        case .clock: pass(now)
        case .closed: if !isSaved { actions.append(.keepDraft) }
        }
        proceed(now)
        defer { actions = [] }
        return actions
    }

    private mutating func saveOffline() {
        guard !isSaved else {
            isSaveAsked = false
            return actions.append(.durable(version))
        }
        hasDraft = true
        actions += [.keepDraft, .tell(.offline)]
    }

    private mutating func pass(_ now: Duration) {
        if let at = sendAt, at <= now { sendAt = nil }
        if let at = presenceAt, at <= now { presenceAt = nil }
        if let at = offerAt, at <= now { (isBusy, offerAt) = (false, nil) }
        if let at = draftAt, at <= now {
            draftAt = nil
            if !isSaved {
                hasDraft = true
                actions.append(.keepDraft)
            }
        }
        if let at = retryAt, at <= now {
            retryAt = nil
            if let flight, isOnline { fly(flight) }
        }
    }

    /// Starts the next request if none is outstanding.
    mutating func proceed(_ now: Duration) {
        while mayOffer, !steps.isEmpty { step(steps.removeFirst(), now) }
        acknowledge()
        guard isOnline, flight == nil, reading == nil, retryAt == nil, !isParted else { return }
        if !queue.isEmpty { return fly(queue.removeFirst()) }
        // The editor may show this version already, and the user goes on from there.
        if let offer, offer.adoption != nil, !offer.isCrossed { return }
        if isDoubtful, mayOffer { return request(.at(version), .check) }
        let isHeld = isHeld || savesWholeTexts || heldSince.map { $0 + Self.heldMax <= now } ?? false
        let mayWrite = refusal.map { $0.retryAt.map { $0 <= now } ?? !$0.text.isSame(as: text) } ?? true
        let isUnsent = !text.isSame(as: shadow)
        if isUnsent, isHeld, mayWrite { return save(on: version) }
        // In a remote editor, others would see the text of somebody who types without a pause too late.
        if isBehind, mayOffer, !isRemote || !isUnsent {
            isBehind = false
            return request(.newest(from: needsWholeText ? nil : version), .newest)
        }
        if isUnsent {
            guard mayWrite else {
                retryAt = refusal?.retryAt
                return
            }
            guard sendAt == nil else { return }
            return edit()
        }
        (refusal, heldSince, self.isHeld, sendAt, draftAt) = (nil, nil, false, nil, nil)
        if hasDraft {
            hasDraft = false
            actions.append(.removeDraft)
        }
        if isSaveAsked {
            isSaveAsked = false
            actions.append(.durable(version))
        }
        let place = (version, caret, anchor ?? caret)
        if announced.map({ $0 != place }) ?? true, presenceAt == nil, !isDeleted {
            announced = place
            presenceAt = now + Self.presencePause
            actions.append(.presence(version, caret: caret, anchor: anchor ?? caret))
        }
    }

    // MARK: Requests

    private mutating func edit() {
        let edits = StatedDiff.edits(from: shadow, to: text, caret: caret)
        let params = EditNote(
            id: note, base: version, edits: edits.map { PositionedEdit(start: $0.start, end: $0.end, text: $0.replacement) },
            op: operation(on: version))
        fly(Flight(write: .edit(params), base: version, baseText: shadow, sent: text, changes: changes))
    }

    /// Sends the whole text, so that the daemon marks where others changed the same lines.
    mutating func save(on base: Version) {
        let params = SaveNote(id: note, base: base, text: text, op: operation(on: base))
        fly(Flight(write: .save(params), base: base, baseText: shadow, sent: text, changes: changes))
    }

    /// Sends a write for the first time or again. Its `op` stays.
    mutating func fly(_ flight: Flight) {
        number += 1
        var flight = flight
        flight.number = number
        self.flight = flight
        (heldSince, isHeld, sendAt) = text.isSame(as: flight.sent) ? (nil, false, nil) : (heldSince, isHeld, sendAt)
        // Once a draft exists, it has the text before the daemon does.
        if hasDraft { actions.append(.keepDraft) }
        actions.append(.write(number, flight.write))
    }

    mutating func request(_ read: EditRead, _ kind: Reading) {
        number += 1
        reading = (number, kind)
        actions.append(.read(number, read))
    }

    /// The name of a write.
    ///
    /// For a remote editor it follows from the base: a session that ended may still be writing, and the session
    /// that goes on with the text must not write the same text a second time.
    ///
    /// - Parameter purpose: distinguishes writes on one base.
    mutating func operation(on base: Version, _ purpose: StaticString = "") -> ByteString {
        number += 1
        guard isRemote else { return ByteString(validUTF8: prefix.utf8 + Array("-\(number)".utf8)) }
        return Self.operation(of: prefix, on: base, purpose)
    }

    /// The name of the write of a remote editor on a version.
    package static func operation(of prefix: ByteString, on base: Version, _ purpose: StaticString = "") -> ByteString {
        let digest = SHA256.hash(of: Array("\(base)".utf8)).prefix(16)
        let digits = digest.flatMap { [UInt8($0 >> 4), $0 & 0xF] }.map { Array("0123456789abcdef".utf8)[Int($0)] }
        return ByteString(validUTF8: prefix.utf8 + Array("-".utf8) + digits + Array("\(purpose)".utf8))
    }

    func isBoundary(_ offset: Int) -> Bool {
        offset == text.count || text.indices.contains(offset) && !text[offset].isContinuation
    }
}
