/// A key that the user pressed, or a text that the terminal pasted.
enum Key: Hashable {
    case character(Character)
    /// Ctrl and a letter, in lower case.
    case control(Character)
    case enter, tab, backTab, escape, backspace, delete
    case up, down, left, right, pageUp, pageDown, home, end
    /// Ctrl and an arrow key.
    case wordLeft, wordRight
    /// The left button of the mouse, pressed in a cell of the screen.
    case click(row: Int, column: Int)
    /// The wheel of the mouse, turned by one step in a cell of the screen.
    case wheel(isUp: Bool, row: Int, column: Int)
    /// A text from the clipboard, or a piece of it: at most `KeyMachine.pasteBytesMax` bytes and the
    /// rest of a character or of CR LF. A longer text arrives in several pieces.
    case paste([UInt8])
}

/// Converts the bytes of a terminal to keys.
///
/// It knows CSI and SS3 sequences (ECMA-48, xterm), UTF-8, bracketed paste, and the left button and the
/// wheel in the mouse reports of xterm (SGR 1006). It drops every other sequence whole, such as function keys and keys with Alt, so that no part of it
/// counts as a key. ESC is the Esc key only if no other byte follows within `escapeTime`. A sequence
/// that pauses for `sequenceTime` is over, so that a key with Alt that looks like the start of one
/// swallows no more keys; ^C ends each sequence and counts.
///
/// Callers pass the time as the duration since some fixed moment.
struct KeyMachine {
    private enum State {
        case ground
        /// The bytes of an unfinished UTF-8 sequence, and the number of bytes that are missing.
        case character([UInt8], missing: Int, isAlt: Bool)
        case escape(since: Duration)
        /// The parameters of a control sequence, at most `parametersMax` bytes of them.
        case control([UInt8])
        case singleShift
        /// A function key of the Linux console: `ESC [ [` and a letter.
        case consoleKey
        /// A string up to ST, or BEL: a report of the terminal that nobody asked for.
        case string(isEscaped: Bool)
        case paste([UInt8], matched: Int)
    }

    private var state = State.ground
    /// The time of the newest byte.
    private var newest = Duration.zero

    /// How long ESC waits for the rest of a sequence.
    static let escapeTime = Duration.milliseconds(25)
    /// How long an unfinished sequence waits for its next byte.
    static let sequenceTime = Duration.milliseconds(100)
    /// Bytes of a paste after which the next piece begins.
    static let pasteBytesMax = 64 * 1_024
    /// Bytes of a sequence's parameters that are kept; longer sequences are unknown.
    static let parametersMax = 32

    private static let escape: UInt8 = 0x1B
    private static let interrupt: UInt8 = 0x03

    /// Whether a byte is CAN or SUB, which end a sequence.
    private static func cancels(_ byte: UInt8) -> Bool { byte == 0x18 || byte == 0x1A }

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    /// The time at which `pass` has to be called if no byte arrives; nil if it need not be called.
    var deadline: Duration? {
        switch state {
        case .escape(let since): since + Self.escapeTime
        case .control, .singleShift, .consoleKey, .string: newest + Self.sequenceTime
        case .ground, .character, .paste: nil
        }
    }

    /// Lets the time pass. An ESC that has waited long enough becomes the Esc key; other unfinished
    /// sequences are dropped.
    mutating func pass(to now: Duration) -> Key? {
        guard let deadline, now >= deadline else { return nil }
        defer { state = .ground }
        switch state {
        case .escape, .string(isEscaped: true): return .escape
        default: return nil
        }
    }

    /// Takes bytes that arrived together, and returns the keys that they complete.
    ///
    /// - Complexity: O(bytes).
    mutating func receive(_ bytes: some Sequence<UInt8>, at now: Duration) -> [Key] {
        var keys: [Key] = []
        if let key = pass(to: now) { keys.append(key) }
        newest = now
        for byte in bytes {
            if let key = receive(byte, now) { keys.append(key) }
        }
        return keys
    }

    private mutating func receive(_ byte: UInt8, _ now: Duration) -> Key? {
        // Appending in place: a copy for each byte of a paste would take quadratic time.
        if case .paste(var text, let matched) = state {
            state = .ground
            return paste(&text, matched, byte)
        }
        let before = state
        state = .ground
        if byte == Self.interrupt { return .control("c") }
        switch before {
        case .ground, .paste: return ground(byte, now, isAlt: false)
        case .escape: return afterEscape(byte, now)
        case .character(let bytes, let missing, let isAlt): return character(bytes, missing, byte, now, isAlt: isAlt)
        case .control(let parameters): return control(parameters, byte, now)
        case .singleShift:
            if byte == Self.escape { state = .escape(since: now) }
            return Self.singleShift(byte)
        case .consoleKey:
            if byte == Self.escape { state = .escape(since: now) }
            return nil
        case .string(let isEscaped):
            // BEL, or the `\` of ST.
            if byte == 0x07 || isEscaped && byte == UInt8(ascii: "\\") || Self.cancels(byte) { return nil }
            if isEscaped, byte != Self.escape { return afterEscape(byte, now) }
            state = .string(isEscaped: byte == Self.escape)
            return nil
        }
    }

    private mutating func ground(_ byte: UInt8, _ now: Duration, isAlt: Bool) -> Key? {
        switch byte {
        case Self.escape: state = .escape(since: now)
        case 0xC2...0xDF: state = .character([byte], missing: 1, isAlt: isAlt)
        case 0xE0...0xEF: state = .character([byte], missing: 2, isAlt: isAlt)
        case 0xF0...0xF4: state = .character([byte], missing: 3, isAlt: isAlt)
        case _ where isAlt: break
        case 0x0A, 0x0D: return .enter
        case 0x09: return .tab
        case 0x08, 0x7F: return .backspace
        case 0x01...0x1A: return .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x20...0x7E: return .character(Character(Unicode.Scalar(byte)))
        default: break
        }
        return nil
    }

    private mutating func afterEscape(_ byte: UInt8, _ now: Duration) -> Key? {
        switch byte {
        case UInt8(ascii: "["): state = .control([])
        case UInt8(ascii: "O"): state = .singleShift
        // OSC, DCS, SOS, PM and APC.
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string(isEscaped: false)
        default: return ground(byte, now, isAlt: true)
        }
        return nil
    }

    private mutating func character(_ bytes: [UInt8], _ missing: Int, _ byte: UInt8, _ now: Duration, isAlt: Bool) -> Key? {
        // A byte that continues nothing ends an invalid sequence, which is dropped.
        guard byte & 0xC0 == 0x80 else { return ground(byte, now, isAlt: false) }
        let bytes = bytes + [byte]
        guard missing == 1 else {
            state = .character(bytes, missing: missing - 1, isAlt: isAlt)
            return nil
        }
        guard !isAlt, let text = String(validating: bytes, as: UTF8.self), let scalar = text.unicodeScalars.first,
            scalar.properties.generalCategory != .control
        else { return nil }
        return .character(Character(scalar))
    }

    private mutating func control(_ parameters: [UInt8], _ byte: UInt8, _ now: Duration) -> Key? {
        switch byte {
        case Self.escape: state = .escape(since: now)
        case UInt8(ascii: "[") where parameters.isEmpty: state = .consoleKey
        case 0x20...0x3F:
            let isFull = parameters.count >= Self.parametersMax
            state = .control(isFull ? parameters : parameters + [byte])
        case 0x40...0x7E:
            if byte == UInt8(ascii: "~"), parameters == Array("200".utf8) {
                state = .paste([], matched: 0)
                return nil
            }
            return Self.controlSequence(String(decoding: parameters, as: UTF8.self), byte)
        // Terminals ignore other bytes in a sequence.
        case _ where Self.cancels(byte): break
        default: state = .control(parameters)
        }
        return nil
    }

    private static func controlSequence(_ parameters: String, _ final: UInt8) -> Key? {
        if parameters.hasPrefix("<") { return final == UInt8(ascii: "M") ? mouse(parameters.dropFirst()) : nil }
        return switch (parameters, final) {
        case ("", UInt8(ascii: "Z")): .backTab
        case ("1", UInt8(ascii: "~")), ("7", UInt8(ascii: "~")): .home
        case ("4", UInt8(ascii: "~")), ("8", UInt8(ascii: "~")): .end
        case ("3", UInt8(ascii: "~")): .delete
        case ("5", UInt8(ascii: "~")): .pageUp
        case ("6", UInt8(ascii: "~")): .pageDown
        case ("1;5", UInt8(ascii: "C")): .wordRight
        case ("1;5", UInt8(ascii: "D")): .wordLeft
        case ("", _), ("1", _): arrow(final)
        default: nil
        }
    }

    /// The key of a mouse report: the button, the column and the row, which count from 1.
    private static func mouse(_ parameters: Substring) -> Key? {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard numbers.count == 3, (1...Grid.sideMax) ~= numbers[1], (1...Grid.sideMax) ~= numbers[2] else { return nil }
        let (row, column) = (numbers[2] - 1, numbers[1] - 1)
        return switch numbers[0] {
        case 0: .click(row: row, column: column)
        case 64: .wheel(isUp: true, row: row, column: column)
        case 65: .wheel(isUp: false, row: row, column: column)
        default: nil
        }
    }

    private static func singleShift(_ byte: UInt8) -> Key? {
        byte == UInt8(ascii: "M") ? .enter : arrow(byte)
    }

    private static func arrow(_ final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        default: nil
        }
    }

    /// Takes a byte of a paste. `matched` bytes of the end mark have arrived and are not in the text.
    private mutating func paste(_ text: inout [UInt8], _ matched: Int, _ byte: UInt8) -> Key? {
        if byte == Self.pasteEnd[matched] {
            guard matched + 1 < Self.pasteEnd.count else { return .paste(text) }
            state = .paste(text, matched: matched + 1)
            return nil
        }
        // The mark contains ESC only at its start, so no part of a failed match begins another.
        let isStart = byte == Self.escape
        let rest = Self.pasteEnd[..<matched] + (isStart ? [] : [byte])
        var piece: Key?
        if let next = rest.first, Self.isFull(text, before: next) {
            piece = .paste(text)
            text = []
        }
        text += rest
        state = .paste(text, matched: isStart ? 1 : 0)
        return piece
    }

    /// Whether a piece of a paste ends before a byte. Characters and CR LF stay whole, but a paste that
    /// is no valid UTF-8 may be cut anywhere.
    private static func isFull(_ text: [UInt8], before next: UInt8) -> Bool {
        let isInside = next & 0xC0 == 0x80 || text.last == 0x0D && next == 0x0A
        return text.count >= pasteBytesMax && (!isInside || text.count >= pasteBytesMax + 8)
    }
}
