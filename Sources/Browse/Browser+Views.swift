import Causality
import Console
import EditSession
import NoteTasks
import NoteText
import NotesModel
import NotesWire
import TextMerge

/// A place that the user left by following a link or choosing a tag.
struct Visit {
    /// The text of the search line.
    let search: String
    /// The note under the cursor; nil if there was none.
    let note: Head?
    /// The caret in the note.
    let caret: Int
}

/// The keys of the views of links, tags and conflicts, and the ways through the links.
extension Browser {
    /// Most places that Backspace returns to.
    static let visitsMax = 100

    mutating func pressInView(_ key: Key, _ view: BrowserView, _ now: Duration) {
        switch key {
        case .escape, .character("q"): self.view = nil
        case .tab:
            self.view = nil
            place = .search
        case .character("?"): helpTop = 0
        default:
            switch view {
            case .choice(let pane): press(key, in: pane, now)
            case .conflicts(let pane): press(key, in: pane, now)
            }
        }
    }

    private mutating func press(_ key: Key, in pane: ChoicePane, _ now: Duration) {
        var pane = pane
        let page = max(1, layout.note.height - 1)
        switch key {
        case .up: pane.move(by: -1)
        case .down: pane.move(by: 1)
        case .pageUp: pane.move(by: -page)
        case .pageDown, .character(" "): pane.move(by: page)
        case .home: pane.move(by: .min)
        case .end: pane.move(by: .max)
        case .backspace: return goBack(now)
        case .enter, .right: return choose(pane.chosen?.choice ?? .none("there is nothing to choose"), now)
        default: message = "this key does nothing here; Esc goes back"
        }
        view = .choice(pane)
    }

    private mutating func choose(_ choice: ChoicePane.Choice, _ now: Duration) {
        switch choice {
        case .note(let head, let offset): follow(head, offset: offset, now)
        case .tag(let tag):
            remember()
            view = nil
            line.clear()
            line.insert("tag:\"\(tag)\"")
            load(isRefresh: false)
            place = .list
        case .none(let reason): message = reason
        }
    }

    // MARK: Links

    /// Reads the links of the note under the cursor.
    mutating func showLinks() {
        if let head = chosen(mustExist: true), isReachable() { requests.append(.links(head.id)) }
    }

    /// Follows the link at the caret, or else the nearest one in the caret's line.
    mutating func followLink() {
        guard let session, isReachable() else { return }
        let newline = UInt8(ascii: "\n")
        let start = (session.text[..<session.caret].lastIndex(of: newline) ?? -1) + 1
        let end = session.text.firstOffset(of: newline, from: session.caret) ?? session.text.count
        let distance = { (range: Range<Int>) in max(0, range.lowerBound - session.caret, session.caret - range.upperBound) }
        let inLine = Links.of(session.text).filter { start <= $0.range.lowerBound && $0.range.upperBound <= end }
        guard let link = inLine.min(by: { distance($0.range) < distance($1.range) }) else {
            message = "this line has no link; ^L lists all links of the note"
            return
        }
        guard !link.target.isEmpty else {
            message = "this link points into the note itself"
            return
        }
        requests.append(.resolveLink(LinkTarget(link), from: session.note))
    }

    /// Goes to the note that a link of the note at hand means.
    mutating func followed(_ meaning: Head?, _ target: LinkTarget, from note: NoteID, _ now: Duration) {
        guard place == .note, note == watched else { return }
        guard let meaning else {
            message = "no note has the name \(SafeText.line(target.text.description))"
            return
        }
        follow(meaning, offset: nil, now)
    }

    private mutating func follow(_ head: Head, offset: Int?, _ now: Duration) {
        remember()
        go(to: head, offset.map { ($0, head.version) }, now)
    }

    private mutating func remember() {
        visits.append(Visit(search: line.text, note: rows.chosen?.head, caret: session?.caret ?? 0))
        if visits.count > Self.visitsMax { visits.removeFirst() }
    }

    /// Returns to the place that the user left last by a link or a tag.
    mutating func goBack(_ now: Duration) {
        guard let visit = visits.popLast() else {
            message = "there is no way back: no link was followed"
            return
        }
        view = nil
        if visit.search != line.text {
            line.clear()
            line.insert(visit.search)
            load(isRefresh: visit.note != nil)
        }
        if let note = visit.note { go(to: note, (visit.caret, nil), now) } else { place = .list }
    }

    /// Shows a note, with the caret at an offset in the text of a version, or of any version.
    private mutating func go(to head: Head, _ caret: (offset: Int, version: Version?)?, _ now: Duration) {
        view = nil
        if place == .note, watched != head.id { announceLeaving() }
        if !rows.visit(head), isFiltered {
            line.clear()
            load(isRefresh: true)
        }
        place = .note
        wantedCaret = caret.map { WantedCaret(note: head.id, aim: .offset($0.offset, $0.version)) }
        if watched == head.id { placeCaret(now) } else { watchNow(now) }
    }

    /// Moves the caret to where a link, the way back or the search wants it, once the note is shown.
    mutating func placeCaret(_ now: Duration) {
        guard let wanted = wantedCaret, wanted.note == watched, let session else { return }
        wantedCaret = nil
        let caret: Int
        switch wanted.aim {
        case .offset(let offset, let version):
            guard version.map({ $0 == session.version }) ?? true else { return }
            caret = offset
        case .found:
            pane?.mark(listing.query, searchMarks)
            guard let place = pane?.enter() else { return }
            caret = place
            (goalColumn, typed) = (nil, nil)
        }
        edit(.moved(caret: min(caret, session.text.count)), in: wanted.note, now)
    }

    // MARK: Conflicts

    /// Reads the open conflicts of the note under the cursor.
    mutating func showConflicts() {
        guard let head = chosen(mustExist: true), isReachable() else { return }
        guard sessions[head.id]?.isSaved != false else {
            message = "not saved yet; try again when the top line says saved"
            return
        }
        conflictsAsked = true
        requests.append(.conflicts(head.id))
    }

    /// Takes the open conflicts of a note, for which the user or the view of them asked.
    mutating func receive(conflictsOf note: NoteObject) {
        guard note.head.id == rows.chosen?.head.id, place != .search else { return }
        defer { conflictsAsked = false }
        if case .conflicts(let pane) = view {
            view = note.conflicts.isEmpty ? nil : .conflicts(ConflictPane(note, showing: pane.conflict?.id, user: user))
        } else if !conflictsAsked {
            // The view asked, and was closed meanwhile.
        } else if note.conflicts.isEmpty {
            message = "this note is not in conflict"
        } else {
            (view, history) = (.conflicts(ConflictPane(note, user: user)), nil)
        }
    }

    private mutating func press(_ key: Key, in pane: ConflictPane, _ now: Duration) {
        var pane = pane
        let page = max(1, layout.note.height - 1)
        switch key {
        case .right, .character("n"): pane.move(by: 1)
        case .left, .character("p"): pane.move(by: -1)
        case .up: pane.scroll(by: -1)
        case .down: pane.scroll(by: 1)
        case .pageUp: pane.scroll(by: -page)
        case .pageDown, .character(" "): pane.scroll(by: page)
        case .enter:
            let (note, offset) = (pane.note.head, pane.conflict?.range.lowerBound ?? 0)
            return go(to: note, (offset, note.version), now)
        default: return resolve(by: key, pane)
        }
        view = .conflicts(pane)
    }

    private mutating func resolve(by key: Key, _ pane: ConflictPane) {
        guard let conflict = pane.conflict, isReachable() else { return }
        let note = pane.note
        switch key {
        case .character("b"): change(note.head.id, .resolve(note, .keeping([conflict])))
        case .character("e"): change(note.head.id, .resolveInEditor(note.head.id, conflict.id))
        case .character("u"): undo(note.head.id)
        case .character(let digit):
            let number = digit.isASCII ? digit.wholeNumberValue ?? 0 : 0
            guard number > 0 else { return refuse() }
            guard conflict.sides.indices.contains(number - 1) else {
                message = "this conflict has \(counted(conflict.sides.count, "side"))"
                return
            }
            change(note.head.id, .resolve(note, .taking(conflict.sides[number - 1], in: conflict, of: note.text ?? [])))
        default: refuse()
        }
        func refuse() { message = "this key does nothing here; a digit takes a side, b keeps both, Esc goes back" }
    }
}

/// A place of the caret in a note that is not shown yet.
struct WantedCaret {
    enum Aim {
        /// An offset in the text of a version, or of any version.
        case offset(Int, Version?)
        /// The first place of the searched words.
        case found
    }

    let note: NoteID
    let aim: Aim
}
