/// A token of a Swift file: a word, a number, a string or a single mark.
struct Token: Equatable {
    enum Kind {
        case word, number, string, mark
    }

    let kind: Kind
    /// The token's text; for a string, the text between its quotes with escapes unresolved.
    let text: String
    /// Line number, from 1.
    let line: Int
    /// Whether white space or a comment precedes the token.
    let isSpaced: Bool
}

/// Splits a Swift file into tokens and drops its comments, so that a rule sees code and nothing
/// else.
///
/// Knows nested comments, raw and multi-line strings, and interpolations, whose tokens follow their
/// string's. Does not know regex literals: one that holds a quote would be read as the start of a
/// string.
struct SwiftLexer {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var isSpaced = true
    private(set) var tokens: [Token] = []
    private(set) var comments: [Comment] = []

    struct Comment: Equatable {
        let line: Int
        let text: String
    }

    init(_ text: String) {
        bytes = Array(text.utf8)
        scan(untilClosing: false)
    }

    /// Scans code to the end, or to the parenthesis that closes an interpolation.
    private mutating func scan(untilClosing isInterpolation: Bool) {
        var depth = 0
        while let byte = peek() {
            if byte <= 0x20 {
                step()
                isSpaced = true
            } else if Self.isWord[Int(byte)] || byte == 0x60 {
                word()
            } else if starts("/", "/") {
                lineComment()
            } else if starts("/", "*") {
                blockComment()
            } else if let hashes = hashesBeforeQuote() {
                string(hashes: hashes)
            } else {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") {
                    if isInterpolation, depth == 0 { return step() }
                    depth -= 1
                }
                add(.mark, from: offset, to: offset + 1, at: line)
                step()
            }
        }
    }

    private func peek(_ ahead: Int = 0) -> UInt8? {
        offset + ahead < bytes.count ? bytes[offset + ahead] : nil
    }

    private func starts(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        peek() == UInt8(ascii: first) && peek(1) == UInt8(ascii: second)
    }

    private mutating func step() {
        guard offset < bytes.count else { return }
        if bytes[offset] == 0x0A { line += 1 }
        offset += 1
    }

    private mutating func step(_ count: Int) {
        for _ in 0..<count { step() }
    }

    private mutating func add(_ kind: Token.Kind, from start: Int, to end: Int, at line: Int) {
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        tokens.append(Token(kind: kind, text: text, line: line, isSpaced: isSpaced))
        isSpaced = false
    }

    /// For each byte value, whether it may be part of a word. A table, because tests are built
    /// without optimisation and read much text.
    private static let isWord = (0...255).map { byte -> Bool in
        let scalar = Unicode.Scalar(UInt8(byte))
        return byte >= 0x80 || scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    private mutating func word() {
        let isQuoted = peek() == UInt8(ascii: "`")
        if isQuoted { step() }
        let start = offset
        while offset < bytes.count, Self.isWord[Int(bytes[offset])] { offset += 1 }
        let isNumber = start < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[start])
        add(isNumber ? .number : .word, from: start, to: offset, at: line)
        if isQuoted { step() }
    }

    private mutating func lineComment() {
        let start = offset
        while offset < bytes.count, bytes[offset] != 0x0A { offset += 1 }
        comments.append(Comment(line: line, text: String(decoding: bytes[start..<offset], as: UTF8.self)))
        isSpaced = true
    }

    private mutating func blockComment() {
        let (start, first) = (offset, line)
        var depth = 0
        repeat {
            if starts("/", "*") {
                depth += 1
                step(2)
            } else if starts("*", "/") {
                depth -= 1
                step(2)
            } else {
                step()
            }
        } while depth > 0 && offset < bytes.count
        comments.append(Comment(line: first, text: String(decoding: bytes[start..<offset], as: UTF8.self)))
        isSpaced = true
    }

    /// The number of `#` before the quote at the current position; nil if there is no quote.
    private func hashesBeforeQuote() -> Int? {
        var hashes = 0
        while peek(hashes) == UInt8(ascii: "#") { hashes += 1 }
        return peek(hashes) == UInt8(ascii: "\"") ? hashes : nil
    }

    private mutating func string(hashes: Int) {
        let first = line
        step(hashes)
        let isLong = (0..<3).allSatisfy { peek($0) == UInt8(ascii: "\"") }
        let quotes = isLong ? 3 : 1
        step(quotes)
        let (start, spaced) = (offset, isSpaced)
        var inner: [Token] = []
        while offset < bytes.count, !isEnd(quotes: quotes, hashes: hashes) {
            guard peek() == UInt8(ascii: "\\"), areHashes(hashes, ahead: 1) else {
                step()
                continue
            }
            step(1 + hashes)
            let isInterpolation = peek() == UInt8(ascii: "(")
            step()
            guard isInterpolation else { continue }
            let mark = tokens.count
            scan(untilClosing: true)
            inner += tokens[mark...]
            tokens.removeSubrange(mark...)
        }
        isSpaced = spaced
        add(.string, from: start, to: offset, at: first)
        tokens += inner
        step(quotes + hashes)
    }

    private func isEnd(quotes: Int, hashes: Int) -> Bool {
        (0..<quotes).allSatisfy { peek($0) == UInt8(ascii: "\"") } && areHashes(hashes, ahead: quotes)
    }

    private func areHashes(_ count: Int, ahead: Int) -> Bool {
        (0..<count).allSatisfy { peek(ahead + $0) == UInt8(ascii: "#") }
    }
}
