import NoteText
import NotesModel
import NotesWire

/// What the list shows, and what was requested for it.
struct Listing {
    /// How the list relates to the search line.
    enum State: Hashable {
        /// The list shows the result for the line.
        case current
        /// The result for the line has not arrived; the list shows an earlier one.
        case awaited
        /// There is no result for the line, for the reason in the sentence; the list shows an earlier
        /// one.
        case failed(String)
    }

    /// The place of a further page.
    enum Next: Hashable {
        case list(ListPlace)
        case search(SearchPosition)
    }

    fileprivate(set) var state = State.awaited
    /// The kind of the listed notes.
    var kind = NoteKind.text
    /// The place of the next page; nil if all are listed.
    fileprivate(set) var next: Next?
    /// The query whose result is listed; nil if the newest notes are.
    fileprivate(set) var query: SearchQuery?
    /// The query of the newest request for a first page, followed by those to try if the daemon refuses
    /// it.
    fileprivate var asked: [SearchQuery] = []
    fileprivate var isLoading = false
    /// The number of the newest list or search; responses to earlier ones are dropped.
    fileprivate(set) var generation = 0
    /// Whether the next first page keeps the cursor on its note because the line has not changed.
    fileprivate var isRefresh = false
    /// Whether the user has moved the cursor since the line changed.
    var hasChosen = false
}

/// The list, and Enter in it.
extension Browser {
    /// Whether the list shows the result of a search.
    var isFiltered: Bool { listing.query != nil }

    /// Requests the first page for what the search line says.
    ///
    /// - Parameter isRefresh: whether the cursor stays on its note.
    mutating func load(isRefresh: Bool) {
        listing.isRefresh = isRefresh && listing.state == .current
        if !listing.isRefresh { listing.state = .awaited }
        if !isRefresh { listing.hasChosen = false }
        searchAt = nil
        do throws(SearchQueryFault) {
            listing.asked = try line.queries()
            requestFirstPage()
        } catch {
            // Responses to earlier requests are about another line.
            listing.generation += 1
            let before = message
            fail(line.sentence(error))
            if isRefresh { message = before }
        }
    }

    private mutating func requestFirstPage() {
        listing.generation += 1
        listing.isLoading = true
        if let query = listing.asked.first {
            requests.append(.search(query, kind: listing.kind, after: nil, generation: listing.generation))
        } else {
            requests.append(.list(.newest(before: nil), kind: listing.kind, generation: listing.generation))
        }
    }

    /// Tries the next query for the line, because the daemon has refused the one before.
    mutating func searchAgain(_ fault: SearchQueryFault, _ generation: Int) {
        guard generation == listing.generation else { return }
        guard listing.asked.count > 1 else { return fail(line.sentence(fault)) }
        listing.asked.removeFirst()
        requestFirstPage()
    }

    /// Repeats the search soon, because the daemon cannot search yet.
    mutating func postpone(_ sentence: String, _ now: Duration) {
        listing.isLoading = false
        message = sentence
        searchAt = now + Self.indexPause
    }

    /// Gives up a list or a search.
    mutating func fail(_ sentence: String) {
        listing.isLoading = false
        message = sentence
        guard listing.state == .awaited else { return }
        listing.state = .failed(sentence)
        if opensResult { openNothing(sentence) }
    }

    /// Requests the next page if the cursor is less than a screen from the end of the list.
    mutating func readOn() {
        guard !listing.isLoading, let next = listing.next, rows.rows.count < NoteRows.rowsMax,
            rows.cursor + layout.list.height >= rows.rows.count
        else { return }
        listing.isLoading = true
        switch next {
        case .list(let place): requests.append(.list(place, kind: listing.kind, generation: listing.generation))
        case .search(let place):
            guard let query = listing.query else { return }
            requests.append(.search(query, kind: listing.kind, after: place, generation: listing.generation))
        }
    }

    /// Takes a page of the list.
    mutating func page(_ heads: [Head], _ next: Listing.Next?, isFirst: Bool, _ generation: Int) {
        guard generation == listing.generation else { return }
        (listing.next, listing.isLoading) = (next, false)
        guard isFirst else { return rows.append(heads) }
        listing.query = listing.asked.first
        // The user has chosen a note in the list before, which must be in this one, too.
        let isCheckingChoice = listing.hasChosen && listing.state == .awaited && isFiltered
        rows.replace(
            with: listing.query?.sorted(heads) ?? heads,
            // While the user types, the cursor stays on the note that receives the keys.
            keepsCursor: listing.isRefresh || listing.hasChosen || place == .note,
            isWhole: next == nil || isCheckingChoice)
        listing.state = .current
    }

    /// Lists the files in place of the texts, or the texts again.
    mutating func changeKind() {
        listing.kind = listing.kind == .text ? .file : .text
        listing.state = .awaited
        message = listing.kind == .text ? "texts" : "files; Enter opens a copy, and f lists the texts again"
        load(isRefresh: false)
    }

    // MARK: Enter

    /// Opens the note under the cursor. While the search is under way, waits for its result, so that
    /// Enter never opens a note that the search does not find.
    mutating func enter(_ now: Duration) {
        switch listing.state {
        case .current: openResult(now)
        case .awaited:
            opensResult = true
            let search = line.isEmpty ? "reading the list" : "searching"
            message = "\(isOnline ? search : "the daemon is away; Enter waits for it"); Esc takes Enter back"
        case .failed(let sentence): openNothing(sentence)
        }
    }

    /// Keeps a key for the note that Enter opens.
    mutating func pressBeforeResult(_ key: Key) {
        guard key == .escape else { return wait(key) }
        if waiting.isEmpty { forgetEnter() } else { dropWaiting(because: "Enter is taken back") }
    }

    /// Opens the note under the cursor if it belongs to the result, or offers to create one.
    mutating func openResult(_ now: Duration) {
        guard let row = rows.chosen else { return offerNote() }
        guard !row.isGone || place == .list && !opensResult else {
            return openNothing("the chosen note is deleted or does not match the search")
        }
        opensResult = false
        open(now)
    }

    /// Reports that Enter opens nothing. The user may be typing for the note already, so the keys that
    /// waited and the next ones are dropped.
    mutating func openNothing(_ reason: String) {
        forgetEnter()
        message = nil
        prompt = BrowserPrompt(subject: .nothingOpened(reason))
    }

    mutating func forgetEnter() { (opensResult, waiting) = (false, WaitingKeys()) }

    /// Whether the list shows what the search line says, so that a command is about the note that the
    /// user means; tells the user if not.
    mutating func isListCurrent() -> Bool {
        guard place != .note else { return true }
        switch listing.state {
        case .current: return true
        case .awaited: message = "the list is not there yet; try again in a moment"
        case .failed(let sentence): message = sentence
        }
        return false
    }
}
