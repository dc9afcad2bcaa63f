package import NotesModel

/// Appends JSON texts to bytes, without white space, strings byte for byte but for what RFC 8259 wants escaped.
///
///     writer.object { object in
///         object.member("seq", 3)
///         object.name("ids")
///         object.array { array in array.integer(1) }
///     }
package struct JSONWriter {
    package private(set) var bytes: [UInt8]
    /// Whether a value stands before the place at hand in the same array or object.
    private var needsComma = false

    /// Goes on behind `bytes`.
    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// An empty one, with room for so many bytes.
    package init(roomFor bytesExpected: Int) {
        bytes = []
        bytes.reserveCapacity(bytesExpected)
    }

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        bracketed(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        bracketed(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    package mutating func array<Element>(of elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void) {
        array { writer in
            for element in elements { write(&writer, element) }
        }
    }

    private mutating func bracketed(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(open)
        needsComma = false
        body(&self)
        bytes.append(close)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// The name of the member whose value is written next. Names of the protocol's own need no escape.
    package mutating func name(_ name: StaticString) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A string of the protocol's own, which needs no escape.
    package mutating func string(_ string: StaticString) {
        separate()
        bytes.append(.quote)
        bytes.append(contentsOf: UnsafeBufferPointer(start: string.utf8Start, count: string.utf8CodeUnitCount))
        bytes.append(.quote)
    }

    package mutating func name(_ name: some Collection<UInt8>) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func null() { raw("null".utf8) }

    package mutating func bool(_ value: Bool) { raw(value ? "true".utf8 : "false".utf8) }

    package mutating func integer(_ value: some BinaryInteger) { raw(String(value).utf8) }

    package mutating func string(_ string: ByteString) { self.string(string.utf8) }

    package mutating func string(_ string: String) { self.string(Array(string.utf8)) }

    /// - Precondition: valid UTF-8.
    /// - Complexity: O(length).
    package mutating func string(_ utf8: some Collection<UInt8>) {
        separate()
        bytes.append(.quote)
        appendEscaped(utf8)
        bytes.append(.quote)
    }

    private mutating func appendEscaped(_ utf8: some Collection<UInt8>) {
        var rest = utf8[...]
        while let special = rest.firstIndex(where: { $0 < 0x20 || $0 == .quote || $0 == .backslash }) {
            bytes.append(contentsOf: rest[..<special])
            appendEscape(of: rest[special])
            rest = rest[rest.index(after: special)...]
        }
        bytes.append(contentsOf: rest)
    }

    private mutating func appendEscape(of byte: UInt8) {
        bytes.append(.backslash)
        switch byte {
        case .quote, .backslash: bytes.append(byte)
        case .lineFeed: bytes.append(UInt8(ascii: "n"))
        case .carriageReturn: bytes.append(UInt8(ascii: "r"))
        case .tab: bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(Self.hexDigits[Int(byte >> 4)])
            bytes.append(Self.hexDigits[Int(byte & 0xF)])
        }
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)

    /// A value that is JSON already.
    package mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Ends the line.
    package mutating func endLine() {
        bytes.append(.lineFeed)
        needsComma = false
    }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
        self.name(name)
        integer(value)
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    package mutating func member(_ name: StaticString, _ value: String) {
        self.name(name)
        string(value)
    }

    /// Null where there is none.
    package mutating func member(_ name: StaticString, _ value: ByteString?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    /// A text, as a string.
    package mutating func member(_ name: StaticString, text: [UInt8]) {
        self.name(name)
        string(text)
    }

    package mutating func member(_ name: StaticString, json: [UInt8]) {
        self.name(name)
        raw(json)
    }
}
