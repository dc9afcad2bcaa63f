import Foundation

/// A recorded editing session, replayed keystroke by keystroke: what it leaves on the disk.
enum Keystrokes {
    static func measure(_ context: Context, trace path: String) throws(Failure) -> [Figure] {
        let trace = try Trace(path: path)
        let scratch = try context.scratch()
        let empty = try context.daemon(in: scratch).stop()
        let daemon = try context.daemon(in: scratch)
        let client = try daemon.client(positionEncoding: "utf-32")
        let start = seconds()
        let shown = try replay(trace, on: client)
        let time = seconds() - start
        guard Array(shown.utf8) == Array(trace.endContent.utf8) else {
            throw Failure("the replay does not end with the trace's text")
        }
        let room = try daemon.stop() - empty
        let keystrokes = trace.txns.count
        var figure = Figure(
            "store on disk, \(keystrokes.formatted()) keystrokes", .bytes, yardstick: "the text that they end with")
        figure.addRound(Double(room), yardstick: Double(trace.endContent.utf8.count))
        let each = (Double(room) / Double(keystrokes)).formatted(.number.precision(.fractionLength(1)))
        let rate = Int(Double(keystrokes) / time)
        figure.remarks.append("\(each) bytes a keystroke; replayed with \(rate.formatted()) a second, \(inFlight) at a time")
        return [figure]
    }

    private static let inFlight = 64

    /// Returns the text that the note has in the end.
    ///
    /// The versions are foretold, so that many keystrokes can be on their way at once: nobody else writes, so each takes the next
    /// dot of this run of the daemon. That they came so is checked with each answer.
    private static func replay(_ trace: Trace, on client: Client) throws(Failure) -> String {
        let made = try client.call(.createNote(json: Request.json(trace.startContent)))
        let note = try made.required(Keys.id)
        let first = try made.required(Keys.version).split(separator: ":").map(String.init)
        guard first.count == 2, let counter = Int(first[1]) else { throw Failure("a new note's version is not a dot") }
        for start in stride(from: 0, to: trace.txns.count, by: inFlight) {
            let range = start..<min(start + inFlight, trace.txns.count)
            try client.send(
                range.map { .editNote(note, base: "\(first[0]):\(counter + $0)", edits: trace.txns[$0].edits) })
            for index in range {
                let version = try client.next().result().required(Keys.version)
                guard version == "\(first[0]):\(counter + index + 1)" else { throw Failure("edit \(index) made \(version)") }
            }
        }
        let answer = try client.call(.getNote(note))
        do {
            return try JSONDecoder().decode(Shown.self, from: Data(answer.line)).result.note.text
        } catch {
            throw Failure("the note cannot be read: \(error)")
        }
    }

    private struct Shown: Decodable {
        struct Result: Decodable { let note: Note }
        struct Note: Decodable { let text: String }
        let result: Result
    }
}

/// An editing session in the form of https://github.com/josephg/editing-traces: positions are Unicode scalars, and a
/// transaction's patches apply one behind the other.
private struct Trace: Decodable {
    let startContent: String
    let endContent: String
    let txns: [Transaction]

    struct Transaction: Decodable {
        let patches: [Patch]

        /// As the protocol wants them. Only a single patch means the same there.
        var edits: String {
            patches.map { #"{"start":\#($0.position),"end":\#($0.position + $0.deleted),"text":\#(Request.json($0.inserted))}"# }
                .joined(separator: ",")
        }
    }

    struct Patch: Decodable {
        let position: Int
        let deleted: Int
        let inserted: String

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            position = try values.decode(Int.self)
            deleted = try values.decode(Int.self)
            inserted = try values.decode(String.self)
        }
    }

    /// - Parameter path: JSON, packed with gzip where it ends with `.gz`.
    init(path: String) throws(Failure) {
        var file = path
        var unpacked: Scratch?
        if path.hasSuffix(".gz") {
            let folder = try Scratch(in: "/tmp")
            file = "\(folder.path)/trace.json"
            unpacked = folder
            guard
                try Child(["/bin/sh", "-c", "exec gzip -dc -- \"$0\" > \"$1\"", path, file], environment: ["PATH=/usr/bin:/bin"])
                    .wait() == 0
            else { throw Failure("gzip cannot unpack \(path)") }
        }
        defer { withExtendedLifetime(unpacked) {} }
        guard let data = FileManager.default.contents(atPath: file) else { throw Failure("\(path) cannot be read") }
        do {
            self = try JSONDecoder().decode(Trace.self, from: data)
        } catch {
            throw Failure("\(path) is not a trace: \(error)")
        }
        guard txns.allSatisfy({ $0.patches.count == 1 }) else { throw Failure("\(path) has transactions of several patches") }
    }
}
