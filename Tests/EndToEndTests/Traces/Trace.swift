import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// All keystrokes of a writing session; positions count Unicode scalars.
struct Trace {
    struct Patch {
        let position: Int
        let deleted: Int
        let inserted: [Unicode.Scalar]
    }

    private(set) var patches: [Patch] = []
    private(set) var end: [UInt8]

    struct Malformed: Error {}

    /// - Parameter json: in the format of <https://github.com/josephg/editing-traces>.
    init(_ json: [UInt8]) throws {
        let root = try JSONDocument(parsing: json, depthMax: 8).root
        guard let end = root["endContent"]?.string, root["startContent"]?.string?.isEmpty == true, let txns = root["txns"] else {
            throw Malformed()
        }
        self.end = end.utf8
        for txn in txns.elements {
            for patch in txn["patches"]?.elements.map({ $0 }) ?? [] {
                let parts = Array(patch.elements)
                guard parts.count == 3, let position = parts[0].integer, let deleted = parts[1].integer,
                    let inserted = parts[2].string
                else { throw Malformed() }
                patches.append(
                    Patch(
                        position: Int(position), deleted: Int(deleted),
                        inserted: Array(String(decoding: inserted.utf8, as: UTF8.self).unicodeScalars)))
            }
        }
    }

    /// The first keystrokes, with vowels replaced by characters of two, three and four bytes,
    /// because the traces are ASCII.
    func widened(first count: Int) -> Trace {
        let wide: [Unicode.Scalar: Unicode.Scalar] = [
            "a": "\u{E4}", "e": "\u{20AC}", "i": "\u{1F642}", "o": "\u{301}", "u": "\u{6F22}",
        ]
        var trace = self
        trace.patches = patches.prefix(count).map { patch in
            Patch(position: patch.position, deleted: patch.deleted, inserted: patch.inserted.map { wide[$0] ?? $0 })
        }
        var end: [Unicode.Scalar] = []
        for patch in trace.patches {
            end.replaceSubrange(patch.position..<patch.position + patch.deleted, with: patch.inserted)
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: end)
        trace.end = Array(String(text).utf8)
        return trace
    }
}

/// A text as its writer holds it, which converts scalar positions to the units of an encoding.
///
/// It remembers the last position, so that nearby keystrokes are found quickly.
struct TracedText {
    private let encoding: PositionEncoding
    private var scalars: [Unicode.Scalar] = []
    private var index = 0
    private var unit = 0

    init(_ encoding: PositionEncoding) {
        self.encoding = encoding
    }

    /// Applies the keystroke and returns it as an edit for the daemon.
    mutating func apply(_ patch: Trace.Patch) -> PositionedEdit {
        move(to: patch.position)
        let start = unit
        let end = patch.position + patch.deleted
        let removed = scalars[patch.position..<end].reduce(0) { $0 + width($1) }
        scalars.replaceSubrange(patch.position..<end, with: patch.inserted)
        var text = String.UnicodeScalarView()
        text.append(contentsOf: patch.inserted)
        return PositionedEdit(start: start, end: start + removed, text: Array(String(text).utf8))
    }

    private mutating func move(to target: Int) {
        while index < target {
            unit += width(scalars[index])
            index += 1
        }
        while index > target {
            index -= 1
            unit -= width(scalars[index])
        }
    }

    private func width(_ scalar: Unicode.Scalar) -> Int {
        switch encoding {
        case .utf8: UTF8.width(scalar)
        case .utf16: UTF16.width(scalar)
        case .utf32: 1
        }
    }
}
