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

/// `note.changed`, on its way out: all of it but which watch is told, by what number and up to where, encoded once for all who are told the same.
package struct EncodedChange: Hashable, Sendable {
    /// What stands behind the cursor, with the LF.
    fileprivate let rest: [UInt8]

    /// - Parameters:
    ///   - changes: how many the line stands for.
    ///   - origin: of the newest commit.
    package init(change: ChangeWord, note: EncodedNote, changes: Int, origin: Origin?) {
        var writer = JSONWriter(roomFor: note.json.count + Self.envelopeBytes)
        writer.notification("note.changed") { params in
            params.member("watch", 0)
            params.member("seq", 0)
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
        rest = Array(writer.bytes[(Self.start.count + Self.number.count + 3)...])
    }

    package var byteCount: Int { rest.count }

    /// The cursor, as it stands in the line before the rest.
    fileprivate static func member(_ cursor: Cursor) -> [UInt8] {
        Array(#","cursor":"\#(CursorText.text(cursor))","#.utf8)
    }

    /// The line, with its LF.
    ///
    /// - Complexity: O(bytes), which are copied.
    package func line(watch: UInt64, seq: UInt64, cursor: Cursor) -> [UInt8] {
        let cursor = Self.member(cursor)
        var line: [UInt8] = []
        line.reserveCapacity(Self.start.count + Self.number.count + 2 * Self.digitsMax + cursor.count + rest.count)
        line += Self.start
        line.append(contentsOf: String(watch).utf8)
        line += Self.number
        line.append(contentsOf: String(seq).utf8)
        line += cursor
        line += rest
        return line
    }

    fileprivate static let start = Array(#"{"jsonrpc":"2.0","method":"note.changed","params":{"watch":"#.utf8)
    fileprivate static let number = Array(#","seq":"#.utf8)
    fileprivate static let digitsMax = 20
    /// About what a line has around its note.
    private static let envelopeBytes = 256
}

/// `note.changed` lines that many watches are told one behind the other, numbered without a gap: encoded once, but for the watch
/// and the numbers.
package struct EncodedChangeSequence: Sendable {
    /// What stands behind the number of each line, line after line.
    private let rests: [UInt8]
    /// Where each one's ends.
    private let ends: [Int]

    package init(_ changes: some Sequence<(cursor: Cursor, change: EncodedChange)>) {
        var rests: [UInt8] = []
        var ends: [Int] = []
        for (cursor, change) in changes {
            rests += EncodedChange.member(cursor)
            rests += change.rest
            ends.append(rests.count)
        }
        (self.rests, self.ends) = (rests, ends)
    }

    /// No watch's lines are longer, in bytes.
    package var byteCountMax: Int {
        rests.count + ends.count * (EncodedChange.start.count + EncodedChange.number.count + 2 * EncodedChange.digitsMax)
    }

    /// Writes the lines as one watch is told them. Returns how many bytes that were.
    ///
    /// - Precondition: there is room for `byteCountMax`.
    /// - Complexity: O(bytes), which are copied.
    package func write(watch: UInt64, seq: UInt64, to buffer: UnsafeMutableRawBufferPointer) -> Int {
        precondition(buffer.count >= byteCountMax, "there is room for the lines")
        let head = EncodedChange.start + String(watch).utf8 + EncodedChange.number
        var place = 0
        var start = 0
        rests.withUnsafeBytes { rests in
            head.withUnsafeBytes { head in
                for (index, end) in ends.enumerated() {
                    place += buffer.copy(head, at: place)
                    place += buffer.copyDigits(of: seq + UInt64(index), at: place)
                    place += buffer.copy(UnsafeRawBufferPointer(rebasing: rests[start..<end]), at: place)
                    start = end
                }
            }
        }
        return place
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func copy(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
        UnsafeMutableRawBufferPointer(rebasing: self[place...]).copyMemory(from: bytes)
        return bytes.count
    }

    fileprivate func copyDigits(of number: UInt64, at place: Int) -> Int {
        var count = 1
        var rest = number / 10
        while rest > 0 {
            count += 1
            rest /= 10
        }
        rest = number
        for digit in stride(from: place + count - 1, through: place, by: -1) {
            self[digit] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        return count
    }
}

/// `note.changed`, as a client reads it.
package struct NoteChanged: Hashable, Sendable {
    package var watch: UInt64
    package var seq: UInt64
    package var cursor: Cursor
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
