import EditSession
import NotesModel
import TextMerge

/// A key that changed the text of a note.
struct TypedKey {
    enum Kind { case letter, space, removal }

    let note: NoteID
    let kind: Kind
}

/// The keys that wait for the text of a note, oldest first.
struct WaitingKeys {
    private var keys: [Key] = []
    private var bytes = 0

    /// Most bytes of the keys, where a key other than a paste counts as one byte.
    static let bytesMax = 1_024 * 1_024

    var isEmpty: Bool { keys.isEmpty }
    var last: Key? { keys.last }

    /// Appends a key. Returns false, and appends nothing, if there are too many.
    mutating func append(_ key: Key) -> Bool {
        var count = 1
        if case .paste(let text) = key { count = text.count }
        guard bytes + count <= Self.bytesMax else { return false }
        keys.append(key)
        bytes += count
        return true
    }

    /// Removes all keys, and returns them.
    mutating func take() -> [Key] {
        defer { self = WaitingKeys() }
        return keys
    }
}

/// The keys of the note, in which the user types.
extension Browser {
    mutating func pressInNote(_ key: Key, _ now: Duration) {
        let leaves = Self.leavesNote(key)
        guard rows.chosen?.head.kind != .file || leaves else {
            place = .list
            message = "this is a file; Enter opens a copy"
            return
        }
        if !isNoteShown, !waiting.isEmpty || !(leaves || key == .control("e")) { return wait(key) }
        defer { if case .paste = key { isPasting = true } else { isPasting = false } }
        switch key {
        case .escape, .backTab: leaveNote(for: .list)
        case .tab: leaveNote(for: .search)
        case .control("e"): editElsewhere(now)
        case .control("l"): showLinks()
        case .control("g"): followLink()
        case .control("o"): goBack(now)
        case .control("k"): showConflicts()
        case .control("r"): resumeDraft()
        default:
            guard let session, let pane, pane.isWhole || worksInPart(key) else { return scrollNote(key) }
            if !type(key, session, now), !move(key, session, pane, now) {
                message = "this key does nothing here; Esc goes back to the list"
            }
        }
    }

    private static func leavesNote(_ key: Key) -> Bool { key == .escape || key == .backTab || key == .tab }

    /// Whether a key changes a note of which only a part is shown: it needs no caret on the screen, or
    /// is the next piece of a paste that began while the whole note was shown.
    private func worksInPart(_ key: Key) -> Bool {
        if case .paste = key { return isPasting }
        return [.control("z"), .control("y"), .control("s")].contains(key)
    }

    // MARK: Keys before the text

    /// Keeps a key until the text of the note arrives. A second key that leaves the note gives up.
    mutating func wait(_ key: Key) {
        if Self.leavesNote(key), let last = waiting.last, Self.leavesNote(last) {
            place = key == .tab ? .search : .list
            return dropWaiting(because: "the note has not arrived")
        }
        if !waiting.append(key) {
            message = "this key was dropped: too many keys wait for the note, which has not arrived"
        } else if !isOnline {
            message = "the daemon is away; keys wait for the note, and Esc twice drops them"
        }
    }

    mutating func dropWaiting(because reason: String) {
        forgetEnter()
        message = "\(reason); the keys that you pressed in it were dropped"
    }

    /// Hands the keys that waited for the note to it.
    mutating func pressWaiting(_ now: Duration) {
        for key in waiting.take() {
            // Each key moves in the lines that the one before made.
            pane?.fit(width: layout.note.width, height: layout.note.height)
            press(key, now)
        }
    }

    private mutating func leaveNote(for place: Place) {
        self.place = place
        announceLeaving()
    }

    /// Tells others that the user is in no place of the note.
    mutating func announceLeaving() {
        if let watched, isOnline { requests.append(.presence(watched, nil, caret: 0)) }
    }

    private mutating func editElsewhere(_ now: Duration) {
        guard let head = chosen(mustExist: true), isReachable() else { return }
        guard sessions[head.id]?.isSaved != false else {
            message = "not saved yet; press ^E again when the top line says saved"
            return
        }
        requests.append(.edit(head.id))
    }

    private mutating func resumeDraft() {
        guard let head = chosen(mustExist: true), let session, isReachable() else { return }
        guard session.isSaved else {
            message = "not saved yet; press ^R again when the top line says saved"
            return
        }
        requests.append(.resumeDraft(head.id))
    }

    /// Goes on with the text of an interrupted program when the user is in its note.
    mutating func takeUpDraft() {
        guard place == .note, isOnline, isNoteShown, let session, session.note == leftDraft, session.isSaved else { return }
        leftDraft = nil
        requests.append(.resumeDraft(session.note))
    }

    /// A note of which only a part is shown scrolls.
    private mutating func scrollNote(_ key: Key) {
        let page = max(1, layout.note.height - 1)
        let counts: [Key: Int] = [.up: -1, .down: 1, .pageUp: -page, .pageDown: page, .home: .min, .end: .max]
        guard let count = counts[key] else {
            message = "this note is only shown here; ^E edits it in your editor"
            return
        }
        pane?.scroll(by: count, height: layout.note.height)
    }

    // MARK: Typing

    /// Changes the text by a key. Returns false if the key is none that does.
    private mutating func type(_ key: Key, _ session: EditSession, _ now: Duration) -> Bool {
        let caret = session.caret
        switch key {
        case .character(let character):
            replace(caret..<caret, with: Array(String(character).utf8), character == " " ? .space : .letter, session, now)
        case .enter:
            let isCarriageReturn = Lines(session.text).count > 0 && session.endsLinesWithCarriageReturn
            replace(caret..<caret, with: Array((isCarriageReturn ? "\r\n" : "\n").utf8), nil, session, now)
        case .paste(let bytes):
            // Terminals send CR for the line ends of a paste.
            let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            replace(caret..<caret, with: text.utf8.filter { $0 != 0 }, nil, session, now)
        case .backspace: replace(session.characterBefore..<caret, with: [], .removal, session, now)
        case .delete: replace(caret..<session.characterAfter, with: [], .removal, session, now)
        case .control("z"): step(.undo, in: session.note, now)
        case .control("y"): step(.redo, in: session.note, now)
        case .control("s"): edit(.saveAsked, in: session.note, now)
        default: return false
        }
        goalColumn = nil
        return true
    }

    /// Undoes or redoes a step. The next key begins another one.
    private mutating func step(_ event: EditEvent, in note: NoteID, _ now: Duration) {
        typed = nil
        edit(event, in: note, now)
    }

    /// Replaces a part of the text.
    ///
    /// - Parameter kind: nil for a change that is an undo step of its own.
    private mutating func replace(
        _ range: Range<Int>, with text: [UInt8], _ kind: TypedKey.Kind?, _ session: EditSession, _ now: Duration
    ) {
        guard !range.isEmpty || !text.isEmpty else { return }
        let edit = TextMerge.Edit(start: range.lowerBound, end: range.upperBound, replacement: text)
        let caret = range.lowerBound + text.count
        let continues = typed.map { last in
            last.note == session.note && (last.kind == kind || last.kind == .letter && kind == .space)
        }
        self.edit(.changed([edit], caret: caret, continues: continues ?? false), in: session.note, now)
        typed = kind.map { TypedKey(note: session.note, kind: $0) }
    }

    // MARK: Moving

    /// Moves the caret by a key. Returns false if the key is none that does.
    private mutating func move(_ key: Key, _ session: EditSession, _ pane: NotePane, _ now: Duration) -> Bool {
        let (row, column) = pane.place(of: session.caret)
        let page = max(1, layout.note.height - 1)
        var goal: Int?
        let caret: Int
        switch key {
        case .left: caret = session.characterBefore
        case .right: caret = session.characterAfter
        case .wordLeft: caret = session.wordBefore
        case .wordRight: caret = session.wordAfter
        case .home: caret = pane.offset(row: row, column: 0)
        case .end: caret = pane.offset(row: row, column: .max)
        case .up, .down, .pageUp, .pageDown:
            let steps: [Key: Int] = [.up: -1, .down: 1, .pageUp: -page, .pageDown: page]
            let column = goalColumn ?? column
            goal = column
            caret = pane.offset(row: row + (steps[key] ?? 0), column: column)
        default: return false
        }
        (goalColumn, typed) = (goal, nil)
        edit(.moved(caret: caret), in: session.note, now)
        return true
    }
}

/// Places around the caret.
extension EditSession {
    private static let newline = UInt8(ascii: "\n")

    /// Whether the first line ends with CR LF.
    var endsLinesWithCarriageReturn: Bool {
        guard let end = text.firstOffset(of: Self.newline) else { return false }
        return end > 0 && text[end - 1] == 0x0D
    }

    /// The start of the character before the caret.
    var characterBefore: Int { characterBefore(caret) }
    /// The end of the character after the caret.
    var characterAfter: Int { characterAfter(caret) }

    private func characterBefore(_ offset: Int) -> Int {
        guard offset > 0 else { return 0 }
        if text[offset - 1] == Self.newline { return offset - (offset > 1 && text[offset - 2] == 0x0D ? 2 : 1) }
        let start = (text[..<offset].lastIndex(of: Self.newline) ?? -1) + 1
        return offset - (String(decoding: text[start..<offset], as: UTF8.self).last?.utf8.count ?? 1)
    }

    private func characterAfter(_ offset: Int) -> Int {
        guard offset < text.count else { return text.count }
        let end = text.firstOffset(of: Self.newline, from: offset).map { $0 + 1 } ?? text.count
        return min(end, offset + (String(decoding: text[offset..<end], as: UTF8.self).first?.utf8.count ?? 1))
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    /// The start of the word before the caret.
    ///
    /// - Complexity: O(bytes of the lines up to the word).
    var wordBefore: Int {
        var (offset, isInWord) = (caret, false)
        while offset > 0 {
            let start = (text[..<(offset - 1)].lastIndex(of: Self.newline) ?? -1) + 1
            for character in String(decoding: text[start..<offset], as: UTF8.self).reversed() {
                if isInWord, !Self.isWord(character) { return offset }
                isInWord = Self.isWord(character)
                offset -= character.utf8.count
            }
        }
        return offset
    }

    /// The end of the word after the caret.
    ///
    /// - Complexity: O(bytes of the lines up to the word's end).
    var wordAfter: Int {
        var (offset, isInWord) = (caret, false)
        while offset < text.count {
            let end = text.firstOffset(of: Self.newline, from: offset).map { $0 + 1 } ?? text.count
            for character in String(decoding: text[offset..<end], as: UTF8.self) {
                if isInWord, !Self.isWord(character) { return offset }
                isInWord = Self.isWord(character)
                offset += character.utf8.count
            }
        }
        return offset
    }
}
