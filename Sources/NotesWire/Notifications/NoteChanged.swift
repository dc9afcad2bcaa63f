package import Causality
package import NotesModel

/// What a line says happened to a note; of those that apply, the first in this order.
package enum ChangeWord: String, CaseIterable, Hashable, Sendable {
    case snapshot, left, deleted, created, restored, conflicted, resolved, edited
}

/// The `note` of a `note.changed`, encoded once for all dependents that are sent it in one form.
package struct EncodedNote: Hashable, Sendable {
    package let json: [UInt8]

    package init(_ note: NoteObject) {
        var writer = JSONWriter()
        note.write(to: &writer)
        json = writer.bytes
    }

    /// Of a note that is no longer in the filter: its id and version.
    package init(left head: Head) {
        var writer = JSONWriter()
        writer.object { note in
            note.member("id", head.id.description)
            note.member("version", head.version)
        }
        json = writer.bytes
    }
}

/// `note.changed`, on its way out: all of it but which watch is told and by what number, encoded once for all who are told the same.
package struct EncodedChange: Hashable, Sendable {
    /// What stands behind the number, with the LF.
    private let rest: [UInt8]

    /// - Parameters:
    ///   - changes: how many the line stands for.
    ///   - origin: of the newest commit.
    package init(cursor: CommitPosition, change: ChangeWord, note: EncodedNote, changes: Int, origin: Origin?) {
        var writer = JSONWriter(roomFor: note.json.count + Self.envelopeBytes)
        writer.notification("note.changed") { params in
            params.member("watch", 0)
            params.member("seq", 0)
            params.member("cursor", cursor)
            params.member("change", change.rawValue)
            params.member("note", json: note.json)
            if changes >= 2 { params.member("coalesced", changes) }
            if let origin {
                params.name("origin")
                params.object { object in
                    object.member("dependent", origin.dependent.number)
                    object.member("label", origin.label)
                }
            }
        }
        rest = Array(writer.bytes[(Self.start.count + Self.number.count + 2)...])
    }

    package var byteCount: Int { rest.count }

    /// The line, with its LF.
    ///
    /// - Complexity: O(bytes), which are copied.
    package func line(watch: UInt64, seq: UInt64) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(Self.start.count + Self.number.count + 2 * Self.digitsMax + rest.count)
        line += Self.start
        line.append(contentsOf: String(watch).utf8)
        line += Self.number
        line.append(contentsOf: String(seq).utf8)
        line += rest
        return line
    }

    private static let start = Array(#"{"jsonrpc":"2.0","method":"note.changed","params":{"watch":"#.utf8)
    private static let number = Array(#","seq":"#.utf8)
    private static let digitsMax = 20
    /// About what a line has around its note.
    private static let envelopeBytes = 256
}

/// `note.changed`, as a client reads it.
package struct NoteChanged: Hashable, Sendable {
    package var watch: UInt64
    package var seq: UInt64
    package var cursor: CommitPosition
    package var change: ChangeWord
    package var note: Subject
    /// How many changes the line stands for.
    package var changes: Int
    package var origin: Origin?

    package enum Subject: Hashable, Sendable {
        case shown(NoteObject)
        /// No longer in the filter.
        case left(NoteID, Version)

        package var id: NoteID {
            switch self {
            case .shown(let note): note.head.id
            case .left(let id, _): id
            }
        }
    }

    init(reading params: JSONValue) throws(ParamFault) {
        watch = try params.required("watch", Param.number)
        seq = try params.required("seq", Param.number)
        cursor = try params.required("cursor", Param.cursor)
        change = try params.required("change", Param.word(ChangeWord.self))
        let isLeft = change == .left
        note = try params.required("note") { (value) throws(ParamFault) -> Subject in
            isLeft
                ? .left(try value.required("id", Param.noteID), try value.required("version", Param.version))
                : .shown(try NoteObject(reading: value))
        }
        changes = try params.optional("coalesced", Param.count) ?? 1
        origin = try params.optional("origin") { (value) throws(ParamFault) in
            Origin(
                dependent: DependentID(try value.required("dependent", Param.number)),
                label: try value.required("label", Param.nullable(Param.string)))
        }
    }
}
