import Foundation

/// An editing session in the format of https://github.com/josephg/editing-traces: positions count
/// Unicode scalars, and the patches of a transaction apply one after another.
struct Trace: Decodable {
    let startContent: String
    let endContent: String
    let txns: [Transaction]

    struct Transaction: Decodable {
        let patches: [Patch]
    }

    struct Patch: Decodable {
        let position: Int
        let deleted: Int
        let inserted: String

        /// The patch as an edit of the protocol.
        var edit: String { #"{"start":\#(position),"end":\#(position + deleted),"text":\#(Request.json(inserted))}"# }

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            position = try values.decode(Int.self)
            deleted = try values.decode(Int.self)
            inserted = try values.decode(String.self)
        }
    }

    /// - Parameter path: Path of the JSON, compressed with gzip if it ends with `.gz`.
    init(path: String) throws(Failure) {
        let data = try Unpacked.contents(of: path)
        do {
            self = try JSONDecoder().decode(Trace.self, from: data)
        } catch {
            throw Failure("\(path) is not a trace: \(error)")
        }
    }

    /// All patches that change something, each as a separate edit, because the edits of one write
    /// all refer to its base.
    var keystrokes: [Patch] {
        var text = Array(startContent.unicodeScalars)
        return txns.flatMap(\.patches).filter { patch in
            let range = patch.position..<(patch.position + patch.deleted)
            if text[range].elementsEqual(patch.inserted.unicodeScalars) { return false }
            text.replaceSubrange(range, with: patch.inserted.unicodeScalars)
            return true
        }
    }
}
