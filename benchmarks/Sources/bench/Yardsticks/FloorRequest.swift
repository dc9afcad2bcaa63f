/// The members of a request that the floor program uses, from strict JSON in one pass.
struct FloorRequest {
    /// The id as it was written.
    private(set) var id: [UInt8] = []
    private(set) var method: [UInt8] = []
    private(set) var note: [UInt8] = []
    private(set) var base: [UInt8] = []
    private(set) var text: [UInt8] = []
    private let bytes: UnsafeBufferPointer<UInt8>
    private var at = 0

    private static let depthMax = 32

    /// - Parameter line: A line without its LF, valid until this returns.
    init(_ line: UnsafeBufferPointer<UInt8>) throws(Failure) {
        bytes = line
        try object(depth: 0)
        guard at == bytes.count else { throw Failure("bytes follow the request") }
    }

    /// A number in decimal digits; nil for other bytes.
    static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.count <= 18 else { return nil }
        var number = 0
        for digit in digits {
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return number
    }

    /// The next byte; 0 at the end.
    private var next: UInt8 { at < bytes.count ? bytes[at] : 0 }

    private mutating func skipSpace() {
        while next == 0x20 || next == 0x09 || next == 0x0d { at += 1 }
    }

    private mutating func takes(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        at += 1
        return true
    }

    private mutating func demand(_ byte: UInt8) throws(Failure) {
        guard takes(byte) else { throw Failure("`\(Character(Unicode.Scalar(byte)))` is missing in a request") }
    }

    /// Reads an object. Keeps the members of the request, at depth 0, and those of its params, at
    /// depth 1.
    private mutating func object(depth: Int) throws(Failure) {
        try demand(UInt8(ascii: "{"))
        skipSpace()
        if takes(UInt8(ascii: "}")) { return }
        repeat {
            skipSpace()
            let key = try string()
            skipSpace()
            try demand(UInt8(ascii: ":"))
            skipSpace()
            if depth == 0, key.elementsEqual("method".utf8) {
                method = try string()
            } else if depth == 0, key.elementsEqual("id".utf8) {
                let start = at
                try value(depth: 1)
                id = Array(bytes[start..<at])
            } else if depth == 0, key.elementsEqual("params".utf8) {
                try object(depth: 1)
            } else if depth == 1, key.elementsEqual("id".utf8) {
                note = try string()
            } else if depth == 1, key.elementsEqual("base".utf8) {
                base = try string()
            } else if depth == 1, key.elementsEqual("text".utf8) {
                text = try string()
            } else {
                try value(depth: max(depth, 1) + 1)
            }
            skipSpace()
        } while takes(UInt8(ascii: ","))
        try demand(UInt8(ascii: "}"))
    }

    private mutating func value(depth: Int) throws(Failure) {
        guard depth < Self.depthMax else { throw Failure("a request is nested too deeply") }
        switch next {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "{"): try object(depth: max(2, depth))
        case UInt8(ascii: "["):
            at += 1
            skipSpace()
            if takes(UInt8(ascii: "]")) { return }
            repeat {
                skipSpace()
                try value(depth: depth + 1)
                skipSpace()
            } while takes(UInt8(ascii: ","))
            try demand(UInt8(ascii: "]"))
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
    }

    private mutating func word(_ word: StaticString) throws(Failure) {
        for byte in UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount) { try demand(byte) }
    }

    private mutating func number() throws(Failure) {
        _ = takes(UInt8(ascii: "-"))
        if !takes(UInt8(ascii: "0")) { try digits() }
        if takes(UInt8(ascii: ".")) { try digits() }
        if takes(UInt8(ascii: "e")) || takes(UInt8(ascii: "E")) {
            if !takes(UInt8(ascii: "+")) { _ = takes(UInt8(ascii: "-")) }
            try digits()
        }
    }

    private mutating func digits() throws(Failure) {
        guard next >= 0x30, next <= 0x39 else { throw Failure("a request has a value that is not JSON") }
        while next >= 0x30, next <= 0x39 { at += 1 }
    }

    /// Reads a string, which has to be UTF-8 without lone surrogates.
    private mutating func string() throws(Failure) -> [UInt8] {
        try demand(UInt8(ascii: "\""))
        var (decoded, isASCII) = ([UInt8](), true)
        while true {
            let start = at
            while at < bytes.count, bytes[at] != 0x22, bytes[at] != 0x5c, bytes[at] >= 0x20 {
                if bytes[at] >= 0x80 { isASCII = false }
                at += 1
            }
            if decoded.isEmpty, next != 0x22 { decoded.reserveCapacity(min(bytes.count - start, 4_096)) }
            decoded.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<at]))
            if takes(0x22) { break }
            guard takes(0x5c), at < bytes.count else { throw Failure("a string has no end or a control character") }
            let escaped = bytes[at]
            at += 1
            switch escaped {
            case UInt8(ascii: "n"): decoded.append(0x0a)
            case UInt8(ascii: "r"): decoded.append(0x0d)
            case UInt8(ascii: "t"): decoded.append(0x09)
            case UInt8(ascii: "b"): decoded.append(0x08)
            case UInt8(ascii: "f"): decoded.append(0x0c)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(escaped)
            case UInt8(ascii: "u"):
                var code = try codeUnit()
                if 0xd800..<0xdc00 ~= code, takes(UInt8(ascii: "\\")), takes(UInt8(ascii: "u")) {
                    let low = try codeUnit()
                    code = 0xdc00..<0xe000 ~= low ? 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00) : 0xd800
                }
                guard let scalar = Unicode.Scalar(code) else { throw Failure("a string has a lone surrogate") }
                decoded += String(Character(scalar)).utf8
            default: throw Failure("an escape is unknown")
            }
        }
        guard isASCII || String(validating: decoded, as: UTF8.self) != nil else { throw Failure("a string is not UTF-8") }
        return decoded
    }

    private mutating func codeUnit() throws(Failure) -> UInt32 {
        let digits = bytes[at...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw Failure("`\\u` needs four hexadecimal digits") }
        at += 4
        return code
    }
}
