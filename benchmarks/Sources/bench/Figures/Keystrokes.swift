import Foundation

/// Bytes on disk after a recorded editing session, replayed keystroke by keystroke.
enum Keystrokes {
    static func measure(_ context: Context, trace path: String) throws(Failure) -> [Figure] {
        let trace = try Trace(path: path)
        let patches = trace.keystrokes
        let scratch = try context.scratch()
        let empty = try context.daemon(in: scratch).stop()
        let daemon = try context.daemon(in: scratch)
        let client = try daemon.client(positionEncoding: "utf-32")
        let start = seconds()
        let shown = try replay(patches, from: trace.startContent, on: client)
        let time = seconds() - start
        guard Array(shown.utf8) == Array(trace.endContent.utf8) else {
            throw Failure("the replay does not end with the trace's final text")
        }
        let room = try daemon.stop() - empty
        let keystrokes = patches.count
        let name = URL(fileURLWithPath: path).lastPathComponent.split(separator: ".")[0]
        let title = "store on disk, \(keystrokes.formatted()) keystrokes of \(name)"
        var figure = Figure(
            title, .bytes, beside: Yardstick("the final text"), Yardstick("the recording with gzip"))
        figure.addRound(
            Measured(value: Double(room)), beside: Measured(value: Double(trace.endContent.utf8.count)),
            Measured(value: Double(try Unpacked.packedBytes(of: path))))
        let each = (Double(room) / Double(keystrokes)).formatted(.number.precision(.fractionLength(1)))
        let rate = Int(Double(keystrokes) / time)
        figure.remarks.append("\(each) bytes a keystroke; replayed with \(rate.formatted()) a second, \(inFlight) at a time")
        return [figure]
    }

    private static let inFlight = 64

    /// Replays the session. Returns the note's final text.
    private static func replay(
        _ keystrokes: [Trace.Patch], from start: String, on client: Client
    ) throws(Failure) -> String {
        let made = try client.call(.createNote(json: Request.json(start)))
        let note = try made.required(Keys.id)
        let foretold = try Foretold(after: try made.required(Keys.version))
        for start in stride(from: 0, to: keystrokes.count, by: inFlight) {
            let range = start..<min(start + inFlight, keystrokes.count)
            try client.send(range.map { .editNote(note, base: foretold.version(after: $0), edits: keystrokes[$0].edit) })
            for index in range { try foretold.check(try client.next(), isWrite: index + 1) }
        }
        let answer = try client.call(.getNote(note))
        do {
            return try JSONDecoder().decode(Merged.self, from: Data(answer.line)).result.note.text
        } catch {
            throw Failure("cannot decode the note: \(error)")
        }
    }

    private struct Merged: Decodable {
        struct Result: Decodable { let note: Note }
        struct Note: Decodable { let text: String }
        let result: Result
    }
}
