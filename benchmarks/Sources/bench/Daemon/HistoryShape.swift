import Foundation

/// A note whose old versions are far from any full text, or whose history is very long.
struct HistoryShape {
    /// Name for figures, such as `a star of 3,000`.
    let name: String
    let note: String
    /// The version after each write.
    let versions: [String]

    private static let inFlight = 100
    private static let lines = (0..<20).map { "line \($0)\n" }
    private static let text = lines.joined()

    /// One write of a shape.
    private struct Write {
        /// Number of the write that it is based on, from 1; 0 for the note's first version.
        let base: Int
        let text: String
    }

    /// Creates the note on a daemon to which nobody else writes.
    private init(_ name: String, _ writes: some Sequence<Write>, on client: Client) throws(Failure) {
        self.name = name
        let made = try client.call(.createNote(json: Request.json(Self.text)))
        note = try made.required(Keys.id)
        let foretold = try Foretold(after: try made.required(Keys.version))
        var (versions, sent): ([String], Int) = ([], 0)
        for write in writes {
            try client.send(.saveNote(note, base: foretold.version(after: write.base), json: Request.json(write.text)))
            sent += 1
            if sent - versions.count >= Self.inFlight { versions.append(try client.nextAnswer().required(Keys.version)) }
        }
        while versions.count < sent { versions.append(try client.nextAnswer().required(Keys.version)) }
        self.versions = versions
    }

    /// Writes that are all based on the first version.
    static func star(of count: Int, on client: Client) throws(Failure) -> HistoryShape {
        let writes = (0..<count).lazy.map { number in
            let place = number % lines.count
            return Write(base: 0, text: lines[..<place].joined() + "new \(number)\n" + lines[place...].joined())
        }
        return try HistoryShape("a star of \(count.formatted())", writes, on: client)
    }

    /// A chain, the spine, and for each of its versions a write that nobody builds on, the tooth.
    static func comb(of count: Int, on client: Client) throws(Failure) -> HistoryShape {
        var spine = (base: 0, text: text)
        var next = spine
        let writes = (1...count).map { number in
            guard number % 2 == 1 else {
                let tooth = Write(base: spine.base, text: "tooth \(number)\n\(spine.text)")
                spine = next
                return tooth
            }
            next = (base: number, text: "\(spine.text)spine \(number)\n")
            return Write(base: spine.base, text: next.text)
        }
        return try HistoryShape("a comb of \(count.formatted())", writes, on: client)
    }

    /// A write, and a chain of writes that do not know it.
    static func branch(of count: Int, on client: Client) throws(Failure) -> HistoryShape {
        var (base, text) = (0, text)
        let chain = (2...count).map { number in
            text += "new \(number)\n"
            defer { base = number }
            return Write(base: base, text: text)
        }
        let writes = [Write(base: 0, text: "first\n\(Self.text)")] + chain
        return try HistoryShape("a chain of \(count.formatted()) next to one more write", writes, on: client)
    }

    /// Writes that are each based on the one before.
    static func chain(of count: Int, on client: Client) throws(Failure) -> HistoryShape {
        let writes = (0..<count).lazy.map { Write(base: $0, text: "\(text)\($0)\n") }
        return try HistoryShape("a chain of \(count.formatted())", writes, on: client)
    }
}
