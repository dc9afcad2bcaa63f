package import Causality
import NoteText
import NotesModel
package import StrictJSON

/// Reading of members by clients, which ignore the members that they do not know.
extension JSONValue {
    /// The member's value; nil if there is no such member.
    func optional<Value>(
        _ name: StaticString, _ read: (JSONValue) throws(ParamFault) -> Value
    ) throws(ParamFault) -> Value? {
        guard let value = self[name] else { return nil }
        do throws(ParamFault) {
            return try read(value)
        } catch {
            throw error.inside("\(name)")
        }
    }

    /// The member's value.
    ///
    /// - Throws: `ParamFault` if there is no such member.
    func required<Value>(
        _ name: StaticString, _ read: (JSONValue) throws(ParamFault) -> Value
    ) throws(ParamFault) -> Value {
        guard let value = try optional(name, read) else {
            throw ParamFault(path: "\(name)", reason: "is missing; it is required")
        }
        return value
    }
}

extension Param {
    package static func nullable<Value>(
        _ read: @escaping (JSONValue) throws(ParamFault) -> Value
    ) -> (JSONValue) throws(ParamFault) -> Value? {
        { (value) throws(ParamFault) -> Value? in value.isNull ? nil : try read(value) }
    }

    /// A count or a size, 0 to 2^53.
    static func count(_ value: JSONValue) throws(ParamFault) -> Int {
        try integer(in: 0...Int(WireProtocol.integers.upperBound))(value)
    }

    /// An id or a counter that is kept as `UInt64`, 0 to 2^53.
    package static func number(_ value: JSONValue) throws(ParamFault) -> UInt64 {
        UInt64(try count(value))
    }

    static func replica(_ value: JSONValue) throws(ParamFault) -> ReplicaID {
        try parsed(value, "16 lower-case hexadecimal digits") { ReplicaID(parsing: $0.utf8) }
    }

    static func name(_ value: JSONValue) throws(ParamFault) -> NoteName {
        try parsed(value, "a note name") { try? NoteName($0) }
    }

    static func timestamp(_ value: JSONValue) throws(ParamFault) -> Timestamp {
        try parsed(value, "an RFC 3339 time in UTC with milliseconds") { TimestampText.timestamp(parsing: $0) }
    }
}

extension JSONWriter {
    /// Writes a text form.
    package mutating func string(_ value: some TextForm) {
        plainString { value.appendText(to: &$0) }
    }

    /// Writes a member with a text form.
    package mutating func member(_ name: StaticString, _ value: some TextForm) {
        self.name(name)
        string(value)
    }

    /// Writes a member with a text form, or with null if `value` is nil.
    package mutating func member(_ name: StaticString, _ value: (some TextForm)?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    mutating func member(_ name: StaticString, _ time: Timestamp) {
        self.name(name)
        plainString { TimestampText.append(time, to: &$0) }
    }

    mutating func member(_ name: StaticString, _ times: FileTimes) {
        self.name(name)
        object { object in
            object.member("modified", times.modified)
            if let created = times.created { object.member("created", created) }
        }
    }

    mutating func member(_ name: StaticString, _ cursor: Cursor) {
        member(name, CursorText.text(cursor))
    }

    mutating func member(_ name: StaticString, _ edits: [PositionedEdit]) {
        self.name(name)
        array(of: edits) { $1.write(to: &$0) }
    }
}
