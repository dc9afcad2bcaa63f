/// Appends JSON texts to a byte array, without white space. Strings are copied byte for byte except
/// for the characters that RFC 8259 requires to be escaped.
///
///     writer.object { object in
///         object.member("seq", 3)
///         object.name("ids")
///         object.array { array in array.integer(1) }
///     }
///
/// The writer inserts the commas. The caller writes a name before each member's value.
package struct JSONWriter {
    /// The bytes that have been written.
    package private(set) var bytes: [UInt8]
    /// Whether the next value in the current array or object must be preceded by a comma.
    private var needsComma = false

    /// Appends to `bytes`.
    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// Makes an empty writer with capacity for `bytesExpected` bytes.
    package init(roomFor bytesExpected: Int) {
        bytes = []
        bytes.reserveCapacity(bytesExpected)
    }

    /// Writes an object whose members `body` writes.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        bracketed(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    /// Writes an array whose elements `body` writes.
    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        bracketed(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    /// Writes an array with one value for each element.
    @inlinable package mutating func array<Element>(
        of elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
    ) {
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

    /// Writes the name of the next member. The name must not need escapes, as those of the
    /// protocol.
    package mutating func name(_ name: StaticString) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string that needs no escapes, such as a word of the protocol.
    package mutating func string(_ string: StaticString) {
        separate()
        bytes.append(.quote)
        bytes.append(contentsOf: UnsafeBufferPointer(start: string.utf8Start, count: string.utf8CodeUnitCount))
        bytes.append(.quote)
    }

    /// Writes the name of the next member, escaped.
    package mutating func name(_ name: [UInt8]) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes null.
    package mutating func null() { append("null") }

    /// Writes true or false.
    package mutating func bool(_ value: Bool) { append(value ? "true" : "false") }

    /// Writes a number in decimal.
    @inlinable package mutating func integer(_ value: some BinaryInteger) { append(String(value)) }

    /// Writes a string that needs no escapes, whose bytes `append` appends.
    package mutating func plainString(_ append: (inout [UInt8]) -> Void) {
        separate()
        bytes.append(.quote)
        append(&bytes)
        bytes.append(.quote)
    }

    /// Writes a string, escaped.
    package mutating func string(_ string: String) {
        var string = string
        separate()
        string.withUTF8 { appendEscaped(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a string, escaped.
    ///
    /// - Precondition: `utf8` is valid UTF-8.
    /// - Complexity: O(length), eight bytes per step between escapes.
    package mutating func string(_ utf8: [UInt8]) { string(utf8[...]) }

    /// Writes a string, escaped.
    ///
    /// - Precondition: `utf8` is valid UTF-8.
    /// - Complexity: O(length), eight bytes per step between escapes.
    package mutating func string(_ utf8: ArraySlice<UInt8>) {
        separate()
        utf8.withUnsafeBytes { appendEscaped($0) }
    }

    /// Appends a string with its quotes.
    private mutating func appendEscaped(_ utf8: UnsafeRawBufferPointer) {
        bytes.append(.quote)
        var (start, offset) = (0, 0)
        while offset < utf8.count {
            if offset + WordScan.step <= utf8.count {
                let word = UInt64(littleEndian: utf8.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let found = WordScan.escaped(word)
                offset += found == 0 ? WordScan.step : WordScan.firstMarked(found)
                if found == 0 { continue }
            }
            if Self.isEscaped(utf8[offset]) {
                bytes.append(contentsOf: utf8[start..<offset])
                appendEscape(of: utf8[offset])
                start = offset + 1
            }
            offset += 1
        }
        bytes.append(contentsOf: utf8[start...])
        bytes.append(.quote)
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == .quote || byte == .backslash
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

    /// Writes a value that is already encoded as JSON.
    package mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Writes a value that is already encoded as JSON.
    package mutating func raw(_ json: ArraySlice<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    @usableFromInline mutating func append(_ word: String) {
        separate()
        bytes.append(contentsOf: word.utf8)
    }

    /// Appends bytes that are whole lines.
    package mutating func lines(_ lines: some Sequence<UInt8>) {
        bytes.append(contentsOf: lines)
        needsComma = false
    }

    /// Writes an LF.
    package mutating func endLine() {
        bytes.append(.lineFeed)
        needsComma = false
    }
}

extension JSONWriter {
    /// Writes a member with a number.
    @inlinable package mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
        self.name(name)
        integer(value)
    }

    /// Writes a member with a boolean.
    package mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    /// Writes a member with a string.
    package mutating func member(_ name: StaticString, _ value: String) {
        self.name(name)
        string(value)
    }

    /// Writes a member with a text as a string.
    package mutating func member(_ name: StaticString, text: [UInt8]) {
        self.name(name)
        string(text)
    }

    /// Writes a member whose value is already encoded as JSON.
    package mutating func member(_ name: StaticString, json: [UInt8]) {
        self.name(name)
        raw(json)
    }
}
