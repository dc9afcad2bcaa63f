/// Writes the tape of a JSON text in one pass, without recursion.
struct JSONParser {
    private let bytes: [UInt8]
    private let depthMax: Int
    private var offset = 0
    private(set) var tape: [JSONToken] = []
    private(set) var hasNull = false
    /// Tape indices of the brackets that are open, outermost first.
    private var open: [Int] = []

    /// The tokens that may follow, after white space.
    private enum Expectation {
        case value
        case valueOrEndOfArray
        case name
        case nameOrEndOfObject
        case commaOrEnd
        case endOfText
    }

    init(bytes: [UInt8], depthMax: Int) {
        self.bytes = bytes
        self.depthMax = depthMax
        // The most frequent requests have about one token every 16 bytes.
        tape.reserveCapacity(min(bytes.count / 16 + 8, 256))
    }

    /// Reads the whole text.
    mutating func run() throws(JSONFault) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw JSONFault(offset: 0, reason: .byteOrderMark) }
        var expected = Expectation.value
        while true {
            skipWhiteSpace()
            switch expected {
            case .value:
                expected = try value()
            case .valueOrEndOfArray:
                expected = peek == UInt8(ascii: "]") ? try close() : try value()
            case .name:
                expected = try name()
            case .nameOrEndOfObject:
                expected = peek == UInt8(ascii: "}") ? try close() : try name()
            case .commaOrEnd:
                expected = try commaOrEnd()
            case .endOfText:
                guard offset == bytes.count else { throw unexpected() }
                return
            }
        }
    }

    // MARK: Bytes

    /// The current byte; 0 at the end of the text. No JSON token may begin with 0.
    private var peek: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    private mutating func skipWhiteSpace() {
        while true {
            switch peek {
            case .space, .lineFeed, .carriageReturn, .tab: offset += 1
            default: return
            }
        }
    }

    private func unexpected() -> JSONFault {
        guard offset < bytes.count else { return JSONFault(offset: offset, reason: .unexpectedEnd) }
        return JSONFault(offset: offset, reason: .unexpectedByte(bytes[offset]))
    }

    // MARK: Structure

    private mutating func value() throws(JSONFault) -> Expectation {
        switch peek {
        case .quote:
            try string()
        case UInt8(ascii: "{"):
            try descend(.openObject)
            return .nameOrEndOfObject
        case UInt8(ascii: "["):
            try descend(.openArray)
            return .valueOrEndOfArray
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try number()
        case UInt8(ascii: "t"):
            try literal("true", .true)
        case UInt8(ascii: "f"):
            try literal("false", .false)
        case UInt8(ascii: "n"):
            try literal("null", .null)
        default:
            throw unexpected()
        }
        return afterValue
    }

    private var afterValue: Expectation { open.isEmpty ? .endOfText : .commaOrEnd }

    private mutating func descend(_ kind: JSONToken.Kind) throws(JSONFault) {
        guard open.count < depthMax else { throw JSONFault(offset: offset, reason: .tooDeep(limit: depthMax)) }
        open.append(tape.count)
        tape.append(JSONToken(kind, offset: offset, extent: 0))
        offset += 1
    }

    /// Closes the innermost open bracket. The caller has checked that the current byte matches it.
    private mutating func close() throws(JSONFault) -> Expectation {
        guard let index = open.popLast() else { throw unexpected() }
        let opening = tape[index]
        tape[index] = JSONToken(opening.kind, offset: opening.offset, extent: tape.count)
        tape.append(JSONToken(.close, offset: offset, extent: 0))
        offset += 1
        if opening.kind == .openObject, let second = JSONNames.firstDuplicate(in: index, tape: tape, bytes: bytes) {
            // The fault is at the quote, one byte before the name.
            throw JSONFault(offset: second.offset - 1, reason: .duplicateMember)
        }
        return afterValue
    }

    private mutating func name() throws(JSONFault) -> Expectation {
        guard peek == .quote else { throw unexpected() }
        try string()
        skipWhiteSpace()
        guard peek == UInt8(ascii: ":") else { throw unexpected() }
        offset += 1
        return .value
    }

    private mutating func commaOrEnd() throws(JSONFault) -> Expectation {
        guard let index = open.last else { throw unexpected() }
        let isObject = tape[index].kind == .openObject
        switch peek {
        case UInt8(ascii: ","):
            offset += 1
            return isObject ? .name : .value
        case UInt8(ascii: "]") where !isObject, UInt8(ascii: "}") where isObject:
            return try close()
        default:
            throw unexpected()
        }
    }

    // MARK: Scalars

    private mutating func literal(_ text: StaticString, _ kind: JSONToken.Kind) throws(JSONFault) {
        let start = offset
        for position in 0..<text.utf8CodeUnitCount {
            guard peek == text.utf8Start[position] else { throw unexpected() }
            offset += 1
        }
        tape.append(JSONToken(kind, offset: start, extent: offset - start))
    }

    private mutating func number() throws(JSONFault) {
        let start = offset
        if peek == UInt8(ascii: "-") { offset += 1 }
        if peek == UInt8(ascii: "0") {
            offset += 1
            if isDigit(peek) { throw JSONFault(offset: start, reason: .invalidNumber) }
        } else {
            try digits(of: start)
        }
        var kind = JSONToken.Kind.integer
        if peek == UInt8(ascii: ".") {
            kind = .decimal
            offset += 1
            try digits(of: start)
        }
        if peek | 0x20 == UInt8(ascii: "e") {
            kind = .decimal
            offset += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { offset += 1 }
            try digits(of: start)
        }
        tape.append(JSONToken(kind, offset: start, extent: offset - start))
    }

    /// Reads one digit or more.
    private mutating func digits(of start: Int) throws(JSONFault) {
        guard isDigit(peek) else {
            throw offset < bytes.count ? JSONFault(offset: start, reason: .invalidNumber) : unexpected()
        }
        while isDigit(peek) { offset += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    private mutating func string() throws(JSONFault) {
        let string = try JSONString(startingAt: offset + 1, in: bytes)
        tape.append(JSONToken(string.hasEscapes ? .escapedString : .string, offset: offset + 1, extent: string.end - offset - 1))
        hasNull = hasNull || string.hasNull
        offset = string.end + 1
    }
}
