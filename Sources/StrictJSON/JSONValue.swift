/// One value in a document. Cheap to copy; keeps the document alive.
package struct JSONValue: Sendable {
    let document: JSONDocument
    let index: Int

    private var token: JSONToken { document.tape[index] }

    /// The types of JSON values.
    package enum Kind: Hashable, Sendable {
        case null, bool, number, string, array, object
    }

    /// The type of the value.
    package var kind: Kind {
        switch token.kind {
        case .null: .null
        case .true, .false: .bool
        case .integer, .decimal: .number
        case .string, .escapedString: .string
        case .openArray: .array
        // A value never begins with a `close` token.
        case .openObject, .close: .object
        }
    }

    /// Whether the value is null.
    package var isNull: Bool { token.kind == .null }

    /// The value of a boolean; nil for other types.
    package var bool: Bool? {
        switch token.kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The value of a number within ±2^63 that is written without fraction and exponent; nil
    /// otherwise. `-0` is 0.
    package var integer: Int64? {
        guard token.kind == .integer else { return nil }
        let digits = document.bytes[token.range]
        let isNegative = digits.first == UInt8(ascii: "-")
        var value: Int64 = 0
        for byte in digits.dropFirst(isNegative ? 1 : 0) {
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (tens, overTen) = value.multipliedReportingOverflow(by: 10)
            let (sum, overOne) = isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
            guard !overTen, !overOne else { return nil }
            value = sum
        }
        return value
    }

    /// The decoded string in UTF-8; nil for other types.
    ///
    /// - Complexity: O(length). Each call decodes the string again.
    package var utf8: [UInt8]? {
        utf8(of: token)
    }

    private func utf8(of token: JSONToken) -> [UInt8]? {
        switch token.kind {
        case .string: Array(document.bytes[token.range])
        case .escapedString: JSONEscape.decode(token.range, of: document.bytes)
        default: nil
        }
    }

    /// The bytes of the value as they are in the text, with quotes and brackets.
    package var source: ArraySlice<UInt8> {
        switch token.kind {
        case .openArray, .openObject: document.bytes[token.offset...document.tape[token.extent].offset]
        case .string, .escapedString: document.bytes[token.offset - 1..<token.offset + token.extent + 1]
        case .null, .true, .false, .integer, .decimal, .close: document.bytes[token.range]
        }
    }

    /// The elements of an array, in the order of the text; empty for other types.
    package var elements: Elements { Elements(document: document, range: inside(.openArray)) }

    /// The members of an object, in the order of the text; empty for other types.
    package var members: Members { Members(document: document, range: inside(.openObject)) }

    private func inside(_ kind: JSONToken.Kind) -> Range<Int> {
        token.kind == kind ? index + 1..<token.extent : index..<index
    }

    /// The member with the name; nil if there is none, or if the value is not an object.
    ///
    /// - Complexity: O(members).
    package subscript(_ name: StaticString) -> JSONValue? {
        // Without a value for each member, since each would retain the document.
        let range = inside(.openObject)
        var index = range.lowerBound
        while index < range.upperBound {
            if document.isName(at: index, name) { return JSONValue(document: document, index: index + 1) }
            index = Self.end(of: index + 1, in: document.tape)
        }
        return nil
    }

    /// Tape index after the value that starts at `index`.
    fileprivate static func end(of index: Int, in tape: [JSONToken]) -> Int {
        let token = tape[index]
        return (token.kind == .openArray || token.kind == .openObject ? token.extent : index) + 1
    }

    /// The elements of an array.
    package struct Elements: Sequence, IteratorProtocol, Sendable {
        fileprivate let document: JSONDocument
        fileprivate var range: Range<Int>

        /// The next element; nil at the end. O(1).
        package mutating func next() -> JSONValue? {
            guard let index = range.first else { return nil }
            range = JSONValue.end(of: index, in: document.tape)..<range.upperBound
            return JSONValue(document: document, index: index)
        }
    }

    /// A name and a value in an object.
    package struct Member: Sendable {
        fileprivate let nameIndex: Int
        /// The member's value.
        package let value: JSONValue

        private var nameToken: JSONToken { value.document.tape[nameIndex] }

        /// The decoded name in UTF-8. O(length).
        package var nameUTF8: [UInt8] { value.utf8(of: nameToken) ?? [] }

        /// Whether the decoded name equals `name`.
        package func isNamed(_ name: StaticString) -> Bool {
            value.document.isName(at: nameIndex, name)
        }
    }

    /// The members of an object.
    package struct Members: Sequence, IteratorProtocol, Sendable {
        fileprivate let document: JSONDocument
        fileprivate var range: Range<Int>

        /// The next member; nil at the end. O(1).
        package mutating func next() -> Member? {
            guard let nameIndex = range.first else { return nil }
            range = JSONValue.end(of: nameIndex + 1, in: document.tape)..<range.upperBound
            return Member(nameIndex: nameIndex, value: JSONValue(document: document, index: nameIndex + 1))
        }
    }
}
