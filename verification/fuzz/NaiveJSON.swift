/// RFC 8259 as the protocol restricts it, read naively: by recursion, character by character, with
/// no code of the parser.
indirect enum NaiveJSON: Equatable {
    case null
    case bool(Bool)
    case number([UInt8])
    case string([UInt8])
    case array([NaiveJSON])
    case object([Member])

    struct Member: Equatable {
        let name: [UInt8]
        let value: NaiveJSON
    }

    /// Nil unless the bytes are one JSON text.
    init?(_ text: [UInt8], depthMax: Int) {
        guard String(validating: text, as: UTF8.self) != nil, !text.starts(with: [0xEF, 0xBB, 0xBF]) else { return nil }
        var reader = Reader(text: text, depthMax: depthMax)
        guard let value = reader.value(0) else { return nil }
        reader.space()
        guard reader.at == text.count else { return nil }
        self = value
    }

    init(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .bool: self = .bool(value.bool == true)
        case .number: self = .number(Array(value.source))
        case .string: self = .string(value.utf8 ?? [])
        case .array: self = .array(value.elements.map { NaiveJSON($0) })
        case .object: self = .object(value.members.map { Member(name: $0.nameUTF8, value: NaiveJSON($0.value)) })
        }
    }

    var hasNull: Bool {
        switch self {
        case .string(let bytes): bytes.contains(0)
        case .array(let elements): elements.contains(where: \.hasNull)
        case .object(let members): members.contains { $0.name.contains(0) || $0.value.hasNull }
        case .null, .bool, .number: false
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let bool): writer.bool(bool)
        case .number(let digits): writer.raw(digits)
        case .string(let bytes): writer.string(bytes)
        case .array(let elements): writer.array(of: elements) { $1.write(to: &$0) }
        case .object(let members):
            writer.object { object in
                for member in members {
                    object.name(member.name)
                    member.value.write(to: &object)
                }
            }
        }
    }
}

private struct Reader {
    let text: [UInt8]
    let depthMax: Int
    var at = 0

    mutating func take(_ word: String) -> Bool {
        guard text[at...].starts(with: word.utf8) else { return false }
        at += word.utf8.count
        return true
    }

    mutating func space() {
        while at < text.count, " \t\n\r".utf8.contains(text[at]) { at += 1 }
    }

    mutating func value(_ depth: Int) -> NaiveJSON? {
        space()
        if take("null") { return .null }
        if take("true") { return .bool(true) }
        if take("false") { return .bool(false) }
        if take("\"") { return string().map { .string($0) } }
        if take("[") { return depth < depthMax ? array(depth + 1) : nil }
        if take("{") { return depth < depthMax ? object(depth + 1) : nil }
        return number()
    }

    mutating func array(_ depth: Int) -> NaiveJSON? {
        var elements: [NaiveJSON] = []
        space()
        if take("]") { return .array([]) }
        while let element = value(depth) {
            elements.append(element)
            space()
            if take("]") { return .array(elements) }
            guard take(",") else { return nil }
        }
        return nil
    }

    mutating func object(_ depth: Int) -> NaiveJSON? {
        var members: [NaiveJSON.Member] = []
        space()
        if take("}") { return .object([]) }
        while true {
            space()
            guard take("\""), let name = string() else { return nil }
            space()
            guard take(":"), let value = value(depth), !members.contains(where: { $0.name == name }) else { return nil }
            members.append(NaiveJSON.Member(name: name, value: value))
            space()
            if take("}") { return .object(members) }
            guard take(",") else { return nil }
        }
    }

    mutating func digits() -> Bool {
        let start = at
        while at < text.count, "0123456789".utf8.contains(text[at]) { at += 1 }
        return at > start
    }

    mutating func number() -> NaiveJSON? {
        let start = at
        _ = take("-")
        if !take("0"), !digits() { return nil }
        if take("."), !digits() { return nil }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            if !digits() { return nil }
        }
        return .number(Array(text[start..<at]))
    }

    mutating func string() -> [UInt8]? {
        var units: [UInt16] = []
        var bytes: [UInt8] = []
        // Collects the units of escapes, so that surrogate pairs combine.
        func flushed() -> [UInt8]? {
            var made: [UInt8] = []
            var index = 0
            while index < units.count {
                var value = UInt32(units[index])
                if UTF16.isLeadSurrogate(units[index]), index + 1 < units.count, UTF16.isTrailSurrogate(units[index + 1]) {
                    value = 0x10000 + (value - 0xD800) * 0x400 + UInt32(units[index + 1]) - 0xDC00
                    index += 1
                }
                guard let scalar = Unicode.Scalar(value) else { return nil }
                made += Array(String(scalar).utf8)
                index += 1
            }
            return made
        }
        while at < text.count {
            let byte = text[at]
            if text[at...].starts(with: "\\u".utf8) {
                let hex = text[at...].dropFirst(2).prefix(4)
                guard hex.count == 4, hex.allSatisfy({ "0123456789abcdefABCDEF".utf8.contains($0) }),
                    let unit = UInt16(String(decoding: hex, as: UTF8.self), radix: 16)
                else { return nil }
                units.append(unit)
                at += 6
                continue
            }
            guard let escaped = flushed() else { return nil }
            bytes += escaped
            units = []
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return bytes
            case UInt8(ascii: "\\"):
                let plain = Array("\"\\/bfnrt".utf8)
                guard at < text.count, let index = plain.firstIndex(of: text[at]) else { return nil }
                bytes.append(Array("\"\\/\u{8}\u{C}\n\r\t".utf8)[index])
                at += 1
            case 0..<0x20: return nil
            default: bytes.append(byte)
            }
        }
        return nil
    }
}
