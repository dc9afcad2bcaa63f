import EditSession
import NotesModel

/// The keys of each place.
extension Browser {
    mutating func press(_ key: Key, _ now: Duration) {
        switch key {
        case .control("c"): return leave(now)
        case .control("z") where place != .note || hasView || helpTop != nil: return requests.append(.suspend)
        case .click, .wheel: return pressMouse(key, now)
        default: break
        }
        if let prompt { return pressInPrompt(key, prompt) }
        if helpTop != nil { return pressInHelp(key.moving) }
        if opensResult { return pressBeforeResult(key) }
        switch place {
        case .search: pressInSearch(key, now)
        case .list where history != nil, .note where history != nil: pressInHistory(key.moving, now)
        case .list where view != nil, .note where view != nil: if let view { pressInView(key.moving, view, now) }
        case .list: pressInList(key.moving, now)
        case .note: pressInNote(key, now)
        }
    }

    private mutating func pressInSearch(_ key: Key, _ now: Duration) {
        switch key {
        case .character(let character): type(String(character))
        case .paste(let text): type(String(decoding: text, as: UTF8.self))
        case .backspace: if line.delete() { load(isRefresh: false) }
        case .delete: if line.delete(isForward: true) { load(isRefresh: false) }
        case .control("u"), .escape:
            guard !line.isEmpty else {
                if key == .escape { message = "Tab goes to the list, and q quits there; ^C quits everywhere" }
                return
            }
            line.clear()
            load(isRefresh: false)
        case .left: line.moveCaret(by: -1)
        case .right: line.moveCaret(by: 1)
        case .enter: enter(now)
        case .tab: place = .list
        case .backTab: if listing.state == .current { open(now) } else { enter(now) }
        default: choose(key)
        }
    }

    private mutating func type(_ text: String) {
        let before = line.characters.count
        line.insert(text)
        if line.characters.count == before, line.characters.count == SearchLine.charactersMax {
            message = "a search has at most \(SearchLine.charactersMax) characters"
        } else {
            load(isRefresh: false)
        }
    }

    /// Moves the cursor of the list.
    private mutating func choose(_ key: Key) {
        let (page, before) = (max(1, layout.list.height - 1), rows.cursor)
        defer { if rows.cursor != before { listing.hasChosen = true } }
        switch key {
        case .up: rows.move(by: -1)
        case .down: rows.move(by: 1)
        case .pageUp: rows.move(by: -page)
        case .pageDown: rows.move(by: page)
        case .home: rows.move(to: 0)
        case .end: rows.move(to: rows.rows.count - 1)
        default: message = "this key does nothing here; \(place == .list ? "? lists all keys" : "Tab and then ? lists all keys")"
        }
    }

    private mutating func pressInList(_ key: Key, _ now: Duration) {
        switch key {
        case .character("q"): leave(now)
        case .character("?"): helpTop = 0
        case .character("/"): place = .search
        // A user who presses Esc once too often would type commands into the search line.
        case .escape: message = "you are in the list; / goes to the search line, and q quits"
        case .enter: enter(now)
        case .tab, .right: if listing.state == .current { open(now) } else { enter(now) }
        case .character("n"): if isReachable() { prompt = BrowserPrompt(subject: .create) }
        case .character("r"):
            if let head = chosen(mustExist: true), isReachable() { prompt = BrowserPrompt(subject: .rename(head)) }
        case .backTab: place = .search
        case .character("e"):
            if let head = chosen(mustExist: true), isReachable() {
                requests.append(head.kind == .file ? .openFile(head.id) : .edit(head.id))
            }
        case .character("f"): if isReachable() { changeKind() }
        case .character("h"): if let head = chosen(), isReachable() { requests.append(.history(head.id)) }
        case .character("l"): showLinks()
        case .character("c"): showConflicts()
        case .character("t"): if isReachable() { requests.append(.tags) }
        case .backspace: goBack(now)
        case .character("d"): if let head = chosen(mustExist: true), isReachable() { change(head.id, .delete(head)) }
        case .character("u"): if let head = chosen(), isReachable() { undo(head.id) }
        case .paste: message = "the list takes no text; / goes to the search line"
        default: choose(key)
        }
    }

    private mutating func pressInHistory(_ key: Key, _ now: Duration) {
        let page = max(1, layout.note.height / 2)
        switch key {
        case .escape, .character("h"), .character("q"): history = nil
        case .tab:
            history = nil
            place = .search
        case .character("?"): helpTop = 0
        case .up: if history?.move(by: -1) == true { differenceWanted(now) }
        case .down: if history?.move(by: 1) == true { differenceWanted(now) }
        case .home: if history?.move(by: .min) == true { differenceWanted(now) }
        case .end: if history?.move(by: .max) == true { differenceWanted(now) }
        case .pageUp: history?.scrollDifference(by: -page)
        case .pageDown, .character(" "): history?.scrollDifference(by: page)
        default: message = "this key does nothing in the history; Esc goes back"
        }
    }

    private mutating func pressInHelp(_ key: Key) {
        let top = helpTop ?? 0
        let last = max(0, BrowserHelp.lines.count - layout.bodyHeight)
        switch key {
        case .up: helpTop = max(0, top - 1)
        case .down: helpTop = min(last, top + 1)
        case .pageUp, .home: helpTop = 0
        case .pageDown, .end: helpTop = last
        default: helpTop = nil
        }
    }

    /// Requests a change of a note, which `u` takes back.
    mutating func change(_ note: NoteID, _ request: BrowserRequest) {
        changedNote = note
        requests.append(request)
    }

    mutating func undo(_ note: NoteID) {
        changedNote = nil
        requests.append(.undo(note))
    }

    /// Goes to the note under the cursor.
    mutating func open(_ now: Duration) {
        guard let head = chosen() else { return }
        // A file has no text to type in.
        guard head.kind == .text else {
            place = .list
            if isReachable() { requests.append(.openFile(head.id)) }
            return
        }
        place = .note
        if let id = rows.chosen?.head.id { wantedCaret = WantedCaret(note: id, aim: .found) }
        guard isNoteShown else { return watchNow(now) }
        placeCaret(now)
        if let session, session.isSaved, isOnline {
            requests.append(.presence(session.note, session.version, caret: session.caret))
        }
    }

    /// Whether there is a connection; tells the user if not.
    mutating func isReachable() -> Bool {
        if !isOnline { message = "the daemon is away, so this is not possible now" }
        return isOnline
    }

    /// The note under the cursor; nil, with the reason for the user, if there is none.
    ///
    /// - Parameter mustExist: whether a deleted note does not count.
    mutating func chosen(mustExist: Bool = false) -> Head? {
        guard isListCurrent() else { return nil }
        guard let row = rows.chosen else {
            message = isFiltered ? "no note matches" : "there is no note yet; n in the list creates one"
            return nil
        }
        guard !mustExist || !row.isGone else {
            message = "this note is deleted or no longer matches; u undoes your last change to it"
            return nil
        }
        return row.head
    }
}

extension Key {
    /// The key that moves as this one does in vi, for the parts of the screen that take no text; otherwise
    /// the key itself.
    fileprivate var moving: Key {
        switch self {
        case .character("j"): .down
        case .character("k"): .up
        case .character("g"): .home
        case .character("G"): .end
        default: self
        }
    }
}

/// The keys, as the screen lists them.
enum BrowserHelp {
    static let lines = [
        "Search line (the program starts here)",
        "  letters        search: words, \"a phrase\", tag:x (notesctl help query)",
        "  Esc, ^U        clear the line",
        "  Left, Right    move in the line",
        "List (also from the search line)",
        "  Up, Down, PgUp, PgDn, Home, End",
        "                 choose a note, which is shown as it changes",
        "  Enter          type in the note, at the first searched word; Esc goes back",
        "  Tab            go on: search line, list, note; Shift-Tab goes back",
        "List only",
        "  j, k, g, G     down, up, to the first note, to the last one",
        "  e              edit the note in your editor, as notesctl edit does",
        "  f              list the files, or the texts again; Enter opens a copy of a file",
        "  h              history: Up, Down choose a revision, PgUp, PgDn scroll",
        "  l              links to and from the note: Enter follows one",
        "  Backspace      go back after a link or a tag",
        "  c              conflicts of the note: 1, 2 take a side, b keeps both",
        "                 e edits them, Enter goes to the place, u undoes",
        "  t              tags: Enter searches for one",
        "  n, r           create a note; rename the note",
        "  d              delete the note",
        "  u              undo your last change of the note, or its deletion",
        "  /              go to the search line",
        "  q              quit",
        "Note",
        "  letters        type; others see each key",
        "  arrows, Home, End, PgUp, PgDn, Ctrl-Left, Ctrl-Right",
        "                 move",
        "  ^Z, ^Y         undo and redo what you typed here",
        "  ^S             report when everything is saved",
        "  ^G, ^O         follow the link at the caret, or the next one; go back",
        "  ^L, ^K         links; conflicts",
        "  ^R             merge the text of an interrupted edit, if a message offers it",
        "  ^E             edit the note, as e does in the list",
        "Everywhere",
        "  mouse          click to go to a note or a place; the wheel scrolls",
        "  ^Z             suspend, except in a note; fg comes back",
        "  ^C             quit",
    ]
}
