package import Causality
package import NotesModel
import StrictJSON

/// What happened to a note. If several apply, the first in this order is sent.
package enum ChangeWord: String, CaseIterable, Hashable, Sendable {
    case snapshot, left, deleted, created, restored, conflicted, resolved, edited
}

/// The `note` member of a `note.changed`, encoded once for all dependents that get it in the same
/// form.
package struct EncodedNote: Hashable, Sendable {
    /// The member's value as JSON.
    package let json: [UInt8]

    /// Encodes a note.
    package init(_ note: NoteObject) {
        var writer = JSONWriter()
        note.write(to: &writer)
        json = writer.bytes
    }

    /// Encodes a note that left the filter: its id and version.
    package init(left head: Head) {
        var writer = JSONWriter()
        writer.object { note in
            note.member("id", head.id)
            note.member("version", head.version)
        }
        json = writer.bytes
    }
}

/// A `note.changed` for many watches: everything but the watch, the number and the cursor, encoded
/// once for all watches that get the same content.
package struct EncodedChange: Hashable, Sendable {
    /// The bytes after the cursor, including the LF.
    fileprivate let rest: [UInt8]

    /// Encodes a change.
    ///
    /// - Parameters:
    ///   - changes: number of changes that the line combines.
    ///   - origin: the connection that made the newest of these commits.
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
        // The line begins with start, "0", number, "0" and a comma; each line rewrites these.
        rest = Array(writer.bytes[(Self.start.count + Self.number.count + 3)...])
    }

    /// Size of the shared part, in bytes.
    package var byteCount: Int { rest.count }

    /// The bytes of the cursor member, including the commas around it.
    fileprivate static func member(_ cursor: Cursor) -> [UInt8] {
        Array(#","cursor":"\#(CursorText.text(cursor))","#.utf8)
    }

    /// The line for one watch, including its LF.
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
    /// Longest decimal form of a `UInt64`.
    fileprivate static let digitsMax = 20
    /// Approximate size of a line without its note, in bytes.
    private static let envelopeBytes = 256
}

/// Consecutive `note.changed` lines for many watches, numbered without a gap. Everything but the
/// watch and the numbers is encoded once.
package struct EncodedChangeSequence: Sendable {
    /// The bytes after the number of each line, line after line.
    private let rests: [UInt8]
    /// The offset in `rests` at which each line ends.
    private let ends: [Int]

    /// Joins the changes, each with the cursor of its commit.
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

    /// Upper bound on the size of the lines for any watch, in bytes.
    package var byteCountMax: Int {
        rests.count + ends.count * (EncodedChange.start.count + EncodedChange.number.count + 2 * EncodedChange.digitsMax)
    }

    /// Writes the lines for one watch, with numbers from `seq`. Returns the number of bytes
    /// written.
    ///
    /// - Precondition: the buffer has at least `byteCountMax` bytes.
    /// - Complexity: O(bytes), which are copied.
    package func write(watch: UInt64, seq: UInt64, to buffer: UnsafeMutableRawBufferPointer) -> Int {
        precondition(buffer.count >= byteCountMax, "there is room for the lines")
        var place = 0
        var start = 0
        rests.withUnsafeBytes { rests in
            for (index, end) in ends.enumerated() {
                place += EncodedChange.start.withUnsafeBytes { buffer.copy($0, at: place) }
                place += buffer.copyDigits(of: watch, at: place)
                place += EncodedChange.number.withUnsafeBytes { buffer.copy($0, at: place) }
                place += buffer.copyDigits(of: seq + UInt64(index), at: place)
                place += buffer.copy(UnsafeRawBufferPointer(rebasing: rests[start..<end]), at: place)
                start = end
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

/// A `note.changed` as a client reads it.
package struct NoteChanged: Hashable, Sendable {
    /// The number of the watch.
    package var watch: UInt64
    /// The number of the line in the watch, from 1 without a gap.
    package var seq: UInt64
    /// The position after this line, to resume from.
    package var cursor: Cursor
    /// What happened to the note.
    package var change: ChangeWord
    /// The note after the change.
    package var note: Subject
    /// Number of changes that the line combines.
    package var changes: Int
    /// The connection that made the newest commit; nil if the daemon does not know it any more.
    package var origin: Origin?

    /// The note of a line.
    package enum Subject: Hashable, Sendable {
        /// A note that matches the filter, or that was deleted.
        case shown(NoteObject)
        /// A note that does not match the filter any more.
        case left(NoteID, Version)

        /// The note's id.
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
