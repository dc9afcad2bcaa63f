/// A string in a JSON text, validated up to its closing quote.
struct JSONString {
    /// Offset of the closing quote.
    private(set) var end: Int
    private(set) var hasEscapes = false
    /// Whether an escape denotes U+0000. An unescaped U+0000 is a control character and is
    /// rejected.
    private(set) var hasNull = false

    /// Validates a string.
    ///
    /// - Parameter start: offset of the first byte after the opening quote.
    /// - Complexity: O(length), eight bytes per step in plain ASCII.
    init(startingAt start: Int, in bytes: [UInt8]) throws(JSONFault) {
        end = start
        while true {
            end = Self.firstNotPlain(in: bytes, from: end)
            guard end < bytes.count else { throw JSONFault(offset: end, reason: .unexpectedEnd) }
            switch bytes[end] {
            case .quote: return
            case .backslash: try escape(in: bytes)
            case 0x80...: try multibyteRun(in: bytes)
            default: throw JSONFault(offset: end, reason: .controlCharacter)
            }
        }
    }

    /// Offset of the first quote, backslash, control character or non-ASCII byte; the length of the
    /// text if there is none.
    private static func firstNotPlain(in bytes: [UInt8], from start: Int) -> Int {
        bytes.withUnsafeBytes { raw in
            var offset = start
            while offset + WordScan.step <= raw.count {
                let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let found = WordScan.escaped(word) | WordScan.notASCII(word)
                if found != 0 { return offset + WordScan.firstMarked(found) }
                offset += WordScan.step
            }
            while offset < raw.count {
                let byte = raw[offset]
                if byte == .quote || byte == .backslash || byte < 0x20 || byte >= 0x80 { return offset }
                offset += 1
            }
            return offset
        }
    }

    /// Validates the non-ASCII characters at `end` and moves `end` past them.
    private mutating func multibyteRun(in bytes: [UInt8]) throws(JSONFault) {
        let valid = bytes.withUnsafeBytes { raw in
            var offset = end
            while offset < raw.count, raw[offset] >= 0x80 {
                guard let length = UTF8Sequence.length(at: offset, in: raw) else { return (offset, false) }
                offset += length
            }
            return (offset, true)
        }
        end = valid.0
        guard valid.1 else { throw JSONFault(offset: end, reason: .invalidUTF8) }
    }

    /// Validates the escape at `end` and moves `end` past it. A surrogate pair counts as one
    /// escape.
    private mutating func escape(in bytes: [UInt8]) throws(JSONFault) {
        let start = end
        hasEscapes = true
        guard start + 1 < bytes.count else { throw JSONFault(offset: bytes.count, reason: .unexpectedEnd) }
        guard bytes[start + 1] == UInt8(ascii: "u") else {
            guard JSONEscape.plain(bytes[start + 1]) != nil else { throw JSONFault(offset: start, reason: .invalidEscape) }
            end = start + 2
            return
        }
        guard let unit = JSONEscape.unit(at: start, in: bytes) else {
            throw JSONFault(offset: start, reason: .invalidEscape)
        }
        end = start + JSONEscape.unitBytes
        hasNull = hasNull || unit == 0
        if UTF16.isTrailSurrogate(unit) { throw JSONFault(offset: start, reason: .loneSurrogate) }
        if UTF16.isLeadSurrogate(unit) {
            guard let trail = JSONEscape.unit(at: end, in: bytes), UTF16.isTrailSurrogate(trail) else {
                throw JSONFault(offset: start, reason: .loneSurrogate)
            }
            end += JSONEscape.unitBytes
        }
    }
}
