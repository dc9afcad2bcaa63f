import NotesModel
import NotesWire
import TextMerge

/// Every keystroke of several who wrote one text at once, and what each had been shown.
struct ConcurrentTrace {
    struct Keystroke {
        /// Earlier ones, by their places in the trace; none for the first.
        let parents: [Int]
        let edit: Edit
    }

    let keystrokes: [Keystroke]
    let end: [UInt8]

    /// - Parameter json: as <https://github.com/josephg/editing-traces> has it, in ASCII, so that its positions count bytes.
    init(_ json: [UInt8]) throws {
        let root = try JSONDocument(parsing: json, depthMax: 8).root
        guard let end = root["endContent"]?.string, let txns = root["txns"], end.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw Trace.Malformed()
        }
        self.end = end.utf8
        keystrokes = try txns.elements.enumerated().map { index, txn in
            let parents = txn["parents"]?.elements.compactMap(\.integer).map { Int($0) } ?? []
            let patches = txn["patches"]?.elements.map { Array($0.elements) } ?? []
            guard patches.count == 1, patches[0].count == 3, let start = patches[0][0].integer,
                let deleted = patches[0][1].integer, let text = patches[0][2].string, parents.allSatisfy({ $0 < index }),
                text.utf8.allSatisfy({ $0 < 0x80 })
            else { throw Trace.Malformed() }
            return Keystroke(
                parents: parents, edit: Edit(start: Int(start), end: Int(start + deleted), replacement: text.utf8))
        }
    }
}
