import Causality
import NotesModel
import NotesWire

/// The state of `notesctl browse`: a search line, a list and a note.
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
    /// The first row of the list of keys; nil while the list is not shown.
    var helpTop: Int?
    /// A sentence for the user, until the next key.
    var message: String?
    var layout = BrowserLayout(columns: 80, rows: 24)

    private(set) var isOnline = false
    /// The number of notes in the store; nil if unknown.
    private(set) var noteCount: Int?
    /// The place of the next page; nil if all are listed.
    private(set) var next: Next?
    /// Whether the list shows the result of a search.
    private(set) var isFiltered = false
    private var query: SearchQuery?
    private var isLoading = false
    /// The number of the newest list or search; responses to earlier ones are dropped.
    private var generation = 0
    /// Whether the next first page keeps the cursor on its note.
    private var isRefresh = false

    private var own: DependentID?
    private var present: [DependentID: NoteID] = [:]
    /// The note that is watched.
    private var watched: NoteID?
    /// The times at which the note under the cursor is watched, its difference read, the search
    /// repeated and the notes counted; nil if they are not due.
    private var (watchAt, differenceAt, searchAt, countAt): (Duration?, Duration?, Duration?, Duration?)
    var requests: [BrowserRequest] = []

    enum Next: Hashable {
        case list(ListPlace)
        case search(SearchPosition)
    }

    /// How long the cursor rests on a note before the note is read.
    static let rest = Duration.milliseconds(30)
    /// How long changes are collected before a search or a count is repeated.
    static let pause = Duration.milliseconds(300)
    /// How long a search waits for the daemon to build its index.
    static let indexPause = Duration.seconds(1)

    /// The time of the next `clock` event; nil if none is needed.
    var deadline: Duration? { [watchAt, differenceAt, searchAt, countAt].compactMap { $0 }.min() }

    // MARK: Events

    /// Handles an event and returns the requests that it causes.
    mutating func receive(_ event: BrowserEvent, at now: Duration) -> [BrowserRequest] {
        let chosen = rows.chosen?.head.id
        handle(event, now)
        rows.scroll(height: layout.list.height)
        pane?.fit(width: layout.note.width, height: layout.note.height)
        history?.fit(height: layout.note.height)
        readOn()
        if rows.chosen?.head.id != chosen {
            watchAt = now + Self.rest
            history = nil
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
        case .connected(let own, let isReset):
            (self.own, isOnline) = (own, true)
            countAt = now
            if generation == 0 || isReset { load(isRefresh: generation > 0) }
        case .disconnected: (isOnline, present) = (false, [:])
        case .listed(let heads, let next, let isFirst, let generation):
            page(heads, next.map(Next.list), isFirst: isFirst, generation)
        case .found(let heads, let next, let isFirst, let generation):
            page(heads, next.map(Next.search), isFirst: isFirst, generation)
        case .failed(let sentence, let isTemporary, let generation):
            guard generation == self.generation else { return }
            isLoading = false
            message = sentence
            if isTemporary { searchAt = now + Self.indexPause }
        case .counted(let count): noteCount = count
        case .changed(let change): changed(change, now)
        case .shown(let note):
            guard note.head.id == watched else { return }
            if pane?.note.head.id == note.head.id { pane?.update(note) } else { pane = NotePane(note) }
        case .presence(let presence):
            present[presence.dependent] = presence.place == nil ? nil : presence.note
        case .history(let read):
            guard read.note == rows.chosen?.head.id, place != .search else { return }
            history = HistoryPane(read)
            differenceAt = now
        case .difference(let lines, let dot): history?.receive(lines, of: dot)
        case .ended(let sentence): message = sentence
        }
    }

    private mutating func pass(_ now: Duration) {
        if due(&watchAt, now), watched != rows.chosen?.head.id {
            watched = rows.chosen?.head.id
            pane = nil
            requests.append(.watch(watched))
        }
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

    // MARK: The list

    /// Requests the first page for what the search line says.
    ///
    /// - Parameter isRefresh: whether the cursor stays on its note.
    mutating func load(isRefresh: Bool) {
        do throws(SearchQueryFault) {
            query = try line.query()
        } catch {
            message = "\(SafeText.quoted(line.text)): \(error.reason)"
            return
        }
        generation += 1
        (isLoading, searchAt) = (true, nil)
        self.isRefresh = isRefresh
        if let query {
            requests.append(.search(query, after: nil, generation: generation))
        } else {
            requests.append(.list(.newest(before: nil), generation: generation))
        }
    }

    /// Requests the next page if the cursor is less than a screen from the end of the list.
    private mutating func readOn() {
        guard !isLoading, let next, rows.rows.count < NoteRows.rowsMax,
            rows.cursor + layout.list.height >= rows.rows.count
        else { return }
        isLoading = true
        switch next {
        case .list(let place): requests.append(.list(place, generation: generation))
        case .search(let place):
            guard let query else { return }
            requests.append(.search(query, after: place, generation: generation))
        }
    }

    private mutating func page(_ heads: [Head], _ next: Next?, isFirst: Bool, _ generation: Int) {
        guard generation == self.generation else { return }
        self.next = next
        isFiltered = query != nil
        if isFirst {
            rows.replace(with: heads, keepsCursor: isRefresh, isWhole: next == nil)
        } else {
            rows.append(heads)
        }
        isLoading = false
    }

    private mutating func changed(_ change: NoteChanged, _ now: Duration) {
        switch change.note {
        case .shown(let note): rows.changed(note.head, isNewestFirst: !isFiltered)
        case .left(let id, _): rows.left(id)
        }
        if isFiltered { searchAt = searchAt ?? now + Self.pause }
        switch change.change {
        case .created, .deleted, .restored, .left: countAt = countAt ?? now + Self.pause
        case .snapshot, .edited, .conflicted, .resolved: break
        }
    }

    // MARK: The note

    /// The number of other clients that have a note open.
    func others(in note: NoteID) -> Int { present.count { $0.value == note && $0.key != own } }

    /// Reads the difference of the chosen revision after a rest.
    mutating func differenceWanted(_ now: Duration) { differenceAt = now + Self.rest }
}
