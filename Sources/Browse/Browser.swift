import Causality
import EditSession
import NoteText
import NotesModel
import NotesSearch
import NotesWire

/// The state of `notesctl browse`: a search line, a list and a note, in which the user types.
///
/// It receives events and returns requests; `screen` draws it. The list and the note are two watches
/// of one connection, and nothing passes from one to the other. Callers pass the time as the duration
/// since some fixed moment.
struct Browser {
    /// The part of the screen that receives keys.
    enum Place: Hashable {
        case search, list, note
    }

    var place = Place.search
    var line = SearchLine()
    var rows = NoteRows()
    var pane: NotePane?
    var history: HistoryPane?
    /// A view of links, tags or conflicts; nil if none is shown.
    var view: BrowserView?
    /// Whether the user asked for the view of conflicts of the chosen note, and it has not arrived.
    var conflictsAsked = false
    /// The places that the user left by links and tags, oldest first.
    var visits: [Visit] = []
    /// The place of the caret in a note that has not arrived.
    var wantedCaret: WantedCaret?
    /// The first row of the list of keys; nil while the list is not shown.
    var helpTop: Int?
    /// The note that a command of the user changed last, until `u` undoes that.
    var changedNote: NoteID?
    /// A sentence for the user, until the next key.
    var message: String?
    var layout = BrowserLayout(columns: 80, rows: 24)

    private(set) var isOnline = false
    /// The number of notes in the store; nil if unknown.
    private(set) var noteCount: Int?
    /// What the list shows, and what was requested for it.
    var listing = Listing()
    /// Whether the user pressed Enter and the result of the search has not arrived.
    var opensResult = false

    private var own: DependentID?
    /// The user's name for the daemon; nil if unknown.
    private(set) var user: ByteString?
    /// The places of the clients that have a note open.
    private var present: [DependentID: (note: NoteID, place: PositionObject)] = [:]
    /// The note that is watched.
    private(set) var watched: NoteID?
    /// The note of which another program left a draft, until the user goes into it.
    var leftDraft: NoteID?
    /// The sessions of the watched note, and of notes that the user left before everything was saved.
    var sessions: [NoteID: EditSession] = [:]
    private var heads: [NoteID: Head] = [:]
    /// The start of the `op` of all writes; unique for each run of the program.
    private let operations: ByteString
    private var sessionCount = 0
    /// The newest typed key, with which the next one may make one undo step.
    var typed: TypedKey?
    /// The column that Up and Down aim at.
    var goalColumn: Int?
    /// The keys that the user pressed in a note whose text has not arrived, oldest first.
    var waiting = WaitingKeys()
    /// Whether the newest key was a paste, of which another piece may follow.
    var isPasting = false
    /// A question in the row of messages; nil if there is none.
    var prompt: BrowserPrompt?
    /// The time at which the program ends even if the daemon has not acknowledged everything.
    private var quitAt: Duration?
    /// The times at which the note under the cursor is watched, its difference read and the notes
    /// counted; nil if they are not due.
    private var (watchAt, differenceAt, countAt): (Duration?, Duration?, Duration?)
    /// The time at which the search is repeated; nil if it is not due.
    var searchAt: Duration?
    var requests: [BrowserRequest] = []
    /// Finds the searched words in the note that is shown; nil if this SQLite cannot.
    let searchMarks: SearchMarks? = try? SearchMarks()

    init(operations: ByteString = "browse") { self.operations = operations }

    /// How long the cursor rests on a note before the note is read.
    static let rest = Duration.milliseconds(30)
    /// How long changes are collected before a search or a count is repeated.
    static let pause = Duration.milliseconds(300)
    /// How long the program waits for the daemon when the user quits.
    static let quitPatience = Duration.seconds(2)
    /// How long a search waits for the daemon to build its index.
    static let indexPause = Duration.seconds(1)

    /// Most carets of others that are shown.
    static let caretsMax = 100

    /// The time of the next `clock` event; nil if none is needed.
    var deadline: Duration? {
        ([watchAt, differenceAt, searchAt, countAt, quitAt] + sessions.values.map(\.deadline)).compactMap { $0 }.min()
    }

    // MARK: Events

    /// Handles an event and returns the requests that it causes.
    mutating func receive(_ event: BrowserEvent, at now: Duration) -> [BrowserRequest] {
        let chosen = rows.chosen?.head.id
        handle(event, now)
        let opensNow = opensResult && listing.state == .current
        if opensNow { openResult(now) }
        if isNoteShown, !opensResult, !waiting.isEmpty { pressWaiting(now) }
        takeUpDraft()
        rows.scroll(height: layout.list.height)
        pane?.mark(listing.query, searchMarks)
        pane?.fit(width: layout.note.width, height: layout.note.height)
        pane?.scrollToFound(height: layout.note.height)
        history?.fit(height: layout.note.height)
        view?.fit(width: layout.note.width, height: layout.note.height)
        if place == .note, pane?.isWhole == true, let caret = session?.caret, let row = pane?.place(of: caret).row {
            pane?.scroll(to: row, height: layout.note.height)
        }
        readOn()
        if rows.chosen?.head.id != chosen {
            watchAt = place == .note ? now : now + Self.rest
            (history, view, conflictsAsked) = (nil, nil, false)
            if !opensNow, !opensResult { waiting = WaitingKeys() }
            if place == .note, rows.chosen == nil { place = .list }
        }
        defer { requests = [] }
        return requests
    }

    private mutating func handle(_ event: BrowserEvent, _ now: Duration) {
        switch event {
        case .key(let key):
            message = nil
            press(key, now)
        case .resized(let columns, let rows): layout = BrowserLayout(columns: columns, rows: rows)
        case .clock: pass(now)
        case .connected(let own, let user, let isReset):
            (self.own, self.user, isOnline) = (own, user ?? self.user, true)
            countAt = now
            if listing.generation == 0 || isReset { load(isRefresh: listing.generation > 0) }
            for id in sessions.keys.sorted() { edit(.connected, in: id, now) }
        case .disconnected:
            (isOnline, present) = (false, [:])
            for id in sessions.keys.sorted() { edit(.disconnected, in: id, now) }
        case .listed(let heads, let next, let isFirst, let generation):
            page(heads, next.map(Listing.Next.list), isFirst: isFirst, generation)
        case .found(let heads, let next, let isFirst, let generation):
            page(heads, next.map(Listing.Next.search), isFirst: isFirst, generation)
        case .failed(let sentence, let isTemporary, let generation):
            guard generation == listing.generation else { return }
            if isTemporary { postpone(sentence, now) } else { fail(sentence) }
        case .unsearchable(let fault, let generation): searchAgain(fault, generation)
        case .counted(let count): noteCount = count
        case .changed(let change): changed(change, now)
        case .shown(let note): show(note, now)
        case .session(let id, let event):
            if case .read(_, let note) = event, id == watched, note.head.version != session?.version { describe(note) }
            edit(event, in: id, now)
        case .draftFound(let note, let sentence, let isTakenUp):
            message = sentence
            if isTakenUp { leftDraft = note }
        case .created(let head):
            if !line.isEmpty {
                line.clear()
                load(isRefresh: true)
            }
            rows.changed(head, isNewestFirst: true)
            if let index = rows.rows.firstIndex(where: { $0.head.id == head.id }) { rows.move(to: index) }
            place = .note
        case .presence(let presence):
            present[presence.dependent] = presence.place.map { (presence.note, $0) }
        case .history(let read):
            guard read.note == rows.chosen?.head.id, place != .search else { return }
            (history, view) = (HistoryPane(read), nil)
            differenceAt = now
        case .links(let links):
            guard links.note == rows.chosen?.head.id, place != .search else { return }
            (view, history) = (.choice(links.pane), nil)
        case .linkResolved(let target, let from, let meaning): followed(meaning, target, from: from, now)
        case .tags(let tags):
            guard place != .search else { return }
            (view, history) = (.choice(ChoicePane(tags: tags)), nil)
        case .conflicts(let note): receive(conflictsOf: note)
        case .difference(let lines, let dot): history?.receive(lines, of: dot)
        case .ended(let sentence): message = sentence
        }
    }

    private mutating func pass(_ now: Duration) {
        if due(&watchAt, now), watched != rows.chosen?.head.id {
            if let old = watched, sessions[old]?.isSaved == true { sessions[old] = nil }
            watched = rows.chosen?.head.id
            (pane, typed) = (nil, nil)
            requests.append(.watch(watched))
        }
        for id in sessions.keys.sorted() where sessions[id]?.deadline.map({ $0 <= now }) == true { edit(.clock, in: id, now) }
        if quitAt.map({ $0 <= now }) == true { quit(now) }
        if due(&differenceAt, now), let note = history?.history.note, let chosen = history?.chosen {
            requests.append(.difference(note, chosen))
        }
        if due(&searchAt, now) { load(isRefresh: true) }
        if due(&countAt, now) { requests.append(.count) }
    }

    private func due(_ time: inout Duration?, _ now: Duration) -> Bool {
        guard let at = time, at <= now else { return false }
        time = nil
        return true
    }

    private mutating func changed(_ change: NoteChanged, _ now: Duration) {
        switch change.note {
        case .shown(let note):
            if note.head.isDeleted || note.head.kind == listing.kind { rows.changed(note.head, isNewestFirst: !isFiltered) }
        case .left(let id, _): rows.left(id)
        }
        if isFiltered { searchAt = searchAt ?? now + Self.pause }
        switch change.change {
        case .created, .deleted, .restored, .left: countAt = countAt ?? now + Self.pause
        case .snapshot, .edited, .conflicted, .resolved: break
        }
    }

    // MARK: Others and views

    /// The number of other clients that have a note open.
    func others(in note: NoteID) -> Int { present.count { $0.value.note == note && $0.key != own } }

    /// The carets of other clients in the note that is shown, as offsets in its text.
    var othersCarets: [Int] {
        guard let session else { return [] }
        let places = present.filter { $0.value.note == session.note && $0.key != own }.values.prefix(Self.caretsMax)
        return session.places(
            of: places.compactMap { present in present.place.selection.map { (present.place.version, $0.end) } })
    }

    /// Whether the newest command changed the note under the cursor, so that `u` takes it back.
    var mayUndo: Bool { changedNote != nil && changedNote == rows.chosen?.head.id }

    /// Whether a view takes the note's place.
    var hasView: Bool { history != nil || view != nil }

    /// Watches the note under the cursor with the next `clock` event.
    mutating func watchNow(_ now: Duration) { watchAt = now }

    /// Reads the difference of the chosen revision after a rest.
    mutating func differenceWanted(_ now: Duration) { differenceAt = now + Self.rest }
}

/// The sessions of notes.
extension Browser {
    /// The session of the note that is shown; nil until its text has arrived.
    var session: EditSession? { watched.flatMap { sessions[$0] } }

    /// Whether the note under the cursor is shown with its text, so that keys can change it.
    var isNoteShown: Bool { watched != nil && watched == rows.chosen?.head.id && session != nil && pane != nil }

    /// The texts that are not saved, with the heads of their notes and the versions that they are based on.
    var unsaved: [(head: Head, text: [UInt8], base: Version)] {
        sessions.sorted { $0.key < $1.key }.compactMap { id, session in
            session.isSaved ? nil : heads[id].map { ($0, session.text, session.version) }
        }
    }

    /// Whether everything that the user typed, in any note, is saved.
    var isSaved: Bool { sessions.values.allSatisfy(\.isSaved) }

    private mutating func show(_ note: NoteObject, _ now: Duration) {
        let id = note.head.id
        guard id == watched else { return }
        guard sessions[id] != nil else {
            guard note.text != nil else {
                if !waiting.isEmpty { dropWaiting(because: "the note was deleted") }
                return
            }
            sessionCount += 1
            let operations = ByteString(validUTF8: operations.utf8 + Array("-\(sessionCount)".utf8))
            sessions[id] = EditSession(note, operations: operations)
            describe(note)
            requests.append(.findDrafts(id, note.text ?? []))
            edit(.clock, in: id, now)
            return placeCaret(now)
        }
        describe(note)
        edit(.watched(note), in: id, now)
    }

    /// Takes what the daemon says about a note besides its text, which the session has.
    private mutating func describe(_ note: NoteObject) {
        heads[note.head.id] = note.head
        if case .conflicts(let pane) = view, pane.note.head.id == note.head.id, pane.note.head.version != note.head.version {
            requests.append(.conflicts(note.head.id))
        }
        var note = note
        if let text = sessions[note.head.id]?.text, !note.head.isDeleted { note.body = .text(text) }
        if pane?.note.head.id == note.head.id { pane?.update(note) } else { pane = NotePane(note) }
    }

    /// Hands an event to the session of a note, and performs its actions.
    mutating func edit(_ event: EditEvent, in id: NoteID, _ now: Duration) {
        guard let actions = sessions[id]?.receive(event, at: now), let session = sessions[id] else { return }
        for action in actions {
            switch action {
            case .write(let number, let write): requests.append(.write(id, number, write))
            case .read(let number, let read): requests.append(.read(id, number, read))
            case .presence(let version, let caret, _):
                if place == .note, id == watched { requests.append(.presence(id, version, caret: caret)) }
            case .durable: message = "saved"
            case .tell(.deleted) where place != .note: break
            case .tell(let notice): message = notice.sentence
            case .keepDraft:
                if let head = heads[id] { requests.append(.keepDraft(head, session.text, base: session.version)) }
            case .removeDraft: requests.append(.removeDraft(id))
            case .apply, .offer, .saved, .fault: break
            }
        }
        if id == watched {
            pane?.update(text: session.text)
        } else if session.isSaved {
            (sessions[id], heads[id]) = (nil, nil)
        }
        if quitAt != nil, isSaved { quit(now) }
    }

    /// Ends the program when everything is saved, or after `quitPatience`.
    mutating func leave(_ now: Duration) {
        guard isOnline, !isSaved, quitAt == nil else { return quit(now) }
        quitAt = now + Self.quitPatience
        for id in sessions.keys.sorted() { edit(.saveAsked, in: id, now) }
        if quitAt != nil { message = "saving; ^C quits and keeps a draft" }
    }

    private mutating func quit(_ now: Duration) {
        quitAt = nil
        for id in sessions.keys.sorted() where sessions[id]?.isSaved == false { edit(.closed, in: id, now) }
        requests.append(.quit)
    }
}
