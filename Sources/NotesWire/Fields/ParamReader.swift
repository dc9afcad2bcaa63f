package import Causality
package import NoteText
package import NotesModel
package import StrictJSON
import TextMerge

/// Reads the members of an object by name and finally rejects the members that were not read, so
/// that a misspelt name is never taken for an omitted one.
///
/// The paths of faults are relative to the object. The caller prefixes them (`ParamFault.inside`).
package struct ParamReader {
    private let object: JSONValue
    private let memberCount: Int
    /// Names of the members that were present and read.
    private var taken: [StaticString] = []

    package init(_ value: JSONValue) throws(ParamFault) {
        guard value.kind == .object else { throw ParamFault(path: "", reason: "is \(value.kind.noun); it must be an object") }
        object = value
        memberCount = value.members.reduce(0) { count, _ in count + 1 }
        taken.reserveCapacity(memberCount)
    }

    /// The member's value; nil if the object has no such member.
    ///
    /// - Complexity: O(members).
    package mutating func optional<Value>(
        _ name: StaticString, _ read: (JSONValue) throws(ParamFault) -> Value
    ) throws(ParamFault) -> Value? {
        let value = try object.optional(name, read)
        if value != nil { taken.append(name) }
        return value
    }

    /// The member's value.
    ///
    /// - Throws: `ParamFault` if the object has no such member.
    /// - Complexity: O(members).
    package mutating func required<Value>(
        _ name: StaticString, _ read: (JSONValue) throws(ParamFault) -> Value
    ) throws(ParamFault) -> Value {
        guard let value = try optional(name, read) else {
            throw ParamFault(path: "\(name)", reason: "is missing; it is required")
        }
        return value
    }

    /// Rejects the first member that was not read.
    package func finish() throws(ParamFault) {
        guard taken.count < memberCount else { return }
        for member in object.members where !taken.contains(where: member.isNamed) {
            throw ParamFault(path: ParamFault.quoted(member.name), reason: "is unknown here; check the spelling")
        }
    }
}

/// Readers of single values in params and results.
package enum Param {
    package static func string(_ value: JSONValue) throws(ParamFault) -> ByteString {
        guard let string = value.string else { throw mismatch(value, "a string") }
        return string
    }

    package static func text(_ value: JSONValue) throws(ParamFault) -> [UInt8] {
        try string(value).utf8
    }

    package static func label(_ value: JSONValue) throws(ParamFault) -> ByteString {
        let string = try string(value)
        guard string.utf8.count <= WireProtocol.labelBytesMax else {
            throw ParamFault(path: "", reason: "has \(string.utf8.count) bytes; the limit is \(WireProtocol.labelBytesMax)")
        }
        return string
    }

    /// The name of a person for whom a user connects.
    static func person(_ value: JSONValue) throws(ParamFault) -> ByteString {
        let string = try string(value)
        guard (1...WireProtocol.personBytesMax).contains(string.utf8.count) else {
            throw ParamFault(
                path: "", reason: "has \(string.utf8.count) bytes; it must have 1 to \(WireProtocol.personBytesMax)")
        }
        if let offset = NoteName.controlCharacter(in: string.utf8) {
            throw ParamFault(path: "", reason: "cannot have a control character; there is one at byte \(offset)")
        }
        return string
    }

    package static func bool(_ value: JSONValue) throws(ParamFault) -> Bool {
        guard let bool = value.bool else { throw mismatch(value, "true or false") }
        return bool
    }

    package static func integer(_ value: JSONValue) throws(ParamFault) -> Int64 {
        guard value.kind == .number else { throw mismatch(value, "an integer") }
        guard let integer = value.integer, WireProtocol.integers.contains(integer) else {
            throw ParamFault(path: "", reason: "must be an integer within ±2^53, without fraction or exponent")
        }
        return integer
    }

    package static func integer(in range: ClosedRange<Int>) -> (JSONValue) throws(ParamFault) -> Int {
        { (value) throws(ParamFault) -> Int in
            let number = Int(try integer(value))
            guard range.contains(number) else {
                throw ParamFault(path: "", reason: "is \(number); it must be from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }

    package static func offset(_ value: JSONValue) throws(ParamFault) -> Int {
        let offset = Int(try integer(value))
        guard offset >= 0 else { throw ParamFault(path: "", reason: "is negative; offsets count from 0") }
        return offset
    }

    package static func array<Element>(
        _ read: @escaping (JSONValue) throws(ParamFault) -> Element
    ) -> (JSONValue) throws(ParamFault) -> [Element] {
        { (value) throws(ParamFault) -> [Element] in
            guard value.kind == .array else { throw mismatch(value, "an array") }
            var elements: [Element] = []
            for element in value.elements {
                do throws(ParamFault) {
                    elements.append(try read(element))
                } catch {
                    throw error.inside(element: elements.count)
                }
            }
            return elements
        }
    }

    /// A value of an enumeration, by its raw value.
    package static func word<Word: RawRepresentable & CaseIterable>(
        _: Word.Type
    ) -> (JSONValue) throws(ParamFault) -> Word where Word.RawValue == String {
        { (value) throws(ParamFault) -> Word in
            let string = try string(value)
            guard let word = Word.allCases.first(where: { $0.rawValue.utf8.elementsEqual(string.utf8) }) else {
                let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
                throw ParamFault(path: "", reason: "must be one of \(words)")
            }
            return word
        }
    }

    package static func noteID(_ value: JSONValue) throws(ParamFault) -> NoteID {
        try parsed(value, "a note id: a UUID of version 7 in lower case") { NoteID(parsing: $0.utf8) }
    }

    package static func version(_ value: JSONValue) throws(ParamFault) -> Version {
        try parsed(value, "a version: dots joined by single spaces, or \"\"") { Version(parsing: $0.utf8) }
    }

    static func dot(_ value: JSONValue) throws(ParamFault) -> Dot {
        try parsed(value, "a dot: a replica, a colon and a counter, such as next of note.history") { Dot(parsing: $0.utf8) }
    }

    static func conflictID(_ value: JSONValue) throws(ParamFault) -> ConflictID {
        try parsed(value, "a conflict id: 32 lower-case hexadecimal digits") { ConflictID(parsing: $0.utf8) }
    }

    static func cursor(_ value: JSONValue) throws(ParamFault) -> Cursor {
        try parsed(value, "a cursor; send one that the daemon returned") { CursorText.cursor(parsing: $0) }
    }

    static func listPlace(in order: ListPlace.Order) -> (JSONValue) throws(ParamFault) -> ListPlace {
        { (value) throws(ParamFault) in
            try parsed(value, "a position in this order; send next of a note.list response with the same order") {
                ListToken.place(parsing: $0).flatMap { $0.order == order ? $0 : nil }
            }
        }
    }

    /// A position in a list of any order.
    static func listPlace(_ value: JSONValue) throws(ParamFault) -> ListPlace {
        try parsed(value, "a position in a list") { ListToken.place(parsing: $0) }
    }

    /// The commit before which a page of revisions begins.
    static func commit(_ value: JSONValue) throws(ParamFault) -> UInt64 {
        try parsed(value, "a position in this list; send next of a revisions.list response") { ListToken.commit(parsing: $0) }
    }

    static func searchQuery(_ value: JSONValue) throws(ParamFault) -> SearchQuery {
        let text = try string(value)
        do throws(SearchQueryFault) {
            return try SearchQuery(parsing: text)
        } catch {
            throw ParamFault(error)
        }
    }

    static func searchPosition(_ value: JSONValue) throws(ParamFault) -> SearchPosition {
        try parsed(value, "a position in a search; send next of a note.search response") { SearchToken.position(parsing: $0) }
    }

    static func operation(_ value: JSONValue) throws(ParamFault) -> ByteString {
        try parsed(value, "an op: a string of 1 to \(OperationKey.nameBytesMax) bytes") { name in
            (1...OperationKey.nameBytesMax).contains(name.utf8.count) ? name : nil
        }
    }

    /// The times of a file whose text makes a new note.
    static func fileTimes(_ value: JSONValue) throws(ParamFault) -> FileTimes {
        var times = try ParamReader(value)
        let modified = try times.required("modified", timestamp)
        let created = try times.optional("created", timestamp)
        try times.finish()
        return FileTimes(modified: modified, created: created)
    }

    /// The times of a file whose text changes a note. That the note exists longer than the file says
    /// nothing about the note.
    static func changedFileTimes(_ value: JSONValue) throws(ParamFault) -> FileTimes {
        var times = try ParamReader(value)
        let modified = try times.required("modified", timestamp)
        try times.finish()
        return FileTimes(modified: modified)
    }

    static func edit(_ value: JSONValue) throws(ParamFault) -> PositionedEdit {
        var edit = try ParamReader(value)
        let start = try edit.required("start", integer)
        let end = try edit.required("end", integer)
        let text = try edit.required("text", text)
        try edit.finish()
        return PositionedEdit(start: Int(start), end: Int(end), text: text)
    }

    static func filter(_ value: JSONValue) throws(ParamFault) -> Filter {
        var filter = try ParamReader(value)
        let ids = try filter.optional("ids", array(noteID))
        let prefix = try filter.optional("prefix", string)
        let tag = try filter.optional("tag", string)
        let conflicted = try filter.optional("conflicted", bool)
        let deleted = try filter.optional("deleted", bool)
        let kind = try filter.optional("kind", kind) ?? .text
        try filter.finish()
        return Filter(
            ids: ids.map { Set($0) }, prefix: prefix, tag: tag, conflicted: conflicted, deleted: deleted ?? false, kind: kind)
    }

    package static func parsed<Value>(
        _ value: JSONValue, _ wanted: String, _ parse: (ByteString) -> Value?
    ) throws(ParamFault) -> Value {
        guard let parsed = parse(try string(value)) else { throw ParamFault(path: "", reason: "is not \(wanted)") }
        return parsed
    }

    private static func mismatch(_ value: JSONValue, _ wanted: String) -> ParamFault {
        ParamFault(path: "", reason: "is \(value.kind.noun); it must be \(wanted)")
    }
}

extension JSONValue.Kind {
    /// The kind as a noun phrase for messages.
    var noun: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
