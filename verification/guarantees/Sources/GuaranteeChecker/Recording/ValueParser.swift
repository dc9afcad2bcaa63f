/// A parser of JSON that shares no code with the daemon, so that no fault of the daemon's parser
/// can hide from the checker.
///
/// Reads RFC 8259 as the protocol restricts it: valid UTF-8 without a byte order mark, no unpaired
/// surrogate, and no duplicate member name in an object. It reads the text byte by byte, by
/// recursion whose depth `depthMax` bounds.
struct ValueParser {
    private let text: [UInt8]
    private var offset = 0

    /// Largest number of nested arrays and objects.
    static let depthMax = 64
    /// Length of the longest text, in bytes.
    static let bytesMax = 256 << 20

    /// The value of a text; nil if the text is not JSON or exceeds a limit.
    ///
    /// - Complexity: O(bytes), expected.
    static func value(of text: [UInt8]) -> Value? {
        guard text.count <= bytesMax, String(validating: text, as: UTF8.self) != nil else { return nil }
        var parser = ValueParser(text: text)
        guard let value = parser.value(depth: 0), parser.isAtEnd else { return nil }
        return value
    }

    private init(text: [UInt8]) {
        self.text = text
    }

    // MARK: Bytes

    private var isAtEnd: Bool { offset == text.count }

    /// Reads one byte; nil at the end.
    private mutating func next() -> UInt8? {
        guard !isAtEnd else { return nil }
        defer { offset += 1 }
        return text[offset]
    }

    /// Reads these bytes if they are next.
    private mutating func take(_ word: StaticString) -> Bool {
        guard word.utf8CodeUnitCount <= text.count - offset else { return false }
        for index in 0..<word.utf8CodeUnitCount where text[offset + index] != word.utf8Start[index] { return false }
        offset += word.utf8CodeUnitCount
        return true
    }

    private mutating func skipSpace() {
        while take(" ") || take("\n") || take("\r") || take("\t") {}
    }

    // MARK: Values

    /// Reads a value and the white space around it.
    private mutating func value(depth: Int) -> Value? {
        skipSpace()
        defer { skipSpace() }
        if take("\"") { return string().map { .string($0) } }
        if take("{") { return depth < Self.depthMax ? object(depth: depth + 1) : nil }
        if take("[") { return depth < Self.depthMax ? array(depth: depth + 1) : nil }
        if take("true") { return .bool(true) }
        if take("false") { return .bool(false) }
        if take("null") { return .null }
        return number()
    }

    /// Reads the elements of an array, after its opening bracket.
    private mutating func array(depth: Int) -> Value? {
        skipSpace()
        if take("]") { return .array([]) }
        var elements: [Value] = []
        while let element = value(depth: depth) {
            elements.append(element)
            if take("]") { return .array(elements) }
            guard take(",") else { return nil }
        }
        return nil
    }

    /// Reads the members of an object, after its opening brace.
    private mutating func object(depth: Int) -> Value? {
        skipSpace()
        if take("}") { return .object([:]) }
        var members: [[UInt8]: Value] = [:]
        repeat {
            skipSpace()
            guard take("\""), let name = string() else { return nil }
            skipSpace()
            guard take(":"), let value = value(depth: depth), members.updateValue(value, forKey: name) == nil else { return nil }
        } while take(",")
        return take("}") ? .object(members) : nil
    }

    private mutating func number() -> Value? {
        let start = offset
        _ = take("-")
        guard take("0") || digits() else { return nil }
        let end = offset
        if take("."), !digits() { return nil }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            guard digits() else { return nil }
        }
        let digits = text[start..<offset]
        guard offset == end, let integer = Int(String(decoding: digits, as: UTF8.self)) else { return .decimal(Array(digits)) }
        return .integer(integer)
    }

    /// Reads digits; false if there is none.
    private mutating func digits() -> Bool {
        let start = offset
        while !isAtEnd, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[offset]) { offset += 1 }
        return offset > start
    }

    // MARK: Strings

    /// Reads the rest of a string, after its opening quote, and decodes its escapes.
    private mutating func string() -> [UInt8]? {
        var content: [UInt8] = []
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "\""): return content
            case UInt8(ascii: "\\"):
                guard let character = escape() else { return nil }
                content += character
            case 0..<0x20: return nil
            default: content.append(byte)
            }
        }
        return nil
    }

    /// Reads the rest of an escape, after its backslash: the UTF-8 that it denotes.
    private mutating func escape() -> [UInt8]? {
        guard let letter = next() else { return nil }
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return codePoint().flatMap { Unicode.Scalar($0) }.map { Array(String($0).utf8) }
        default: return nil
        }
    }

    /// Reads the digits of a `\u` escape, and of a second one if the first is a leading surrogate.
    private mutating func codePoint() -> UInt32? {
        guard let unit = codeUnit() else { return nil }
        guard (0xD800..<0xDC00).contains(unit) else { return unit }
        guard take("\\u"), let trail = codeUnit(), (0xDC00..<0xE000).contains(trail) else { return nil }
        return 0x10000 + (unit - 0xD800) * 0x400 + (trail - 0xDC00)
    }

    private mutating func codeUnit() -> UInt32? {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit * 16 + UInt32(digit)
        }
        return unit
    }
}
