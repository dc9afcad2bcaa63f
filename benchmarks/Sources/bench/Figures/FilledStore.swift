/// A store with many short notes.
struct FilledStore {
    let scratch: Scratch
    /// Number of notes.
    private(set) var count = 0
    /// The first 1,000 notes with their newest versions, for figures that save some.
    private(set) var first: [(id: String, version: String)] = []

    static let firstCount = 1_000
    static let inFlight = 256
    static let text = SampleText.short

    /// Creates notes on one connection with 256 requests in flight, as an import does.
    mutating func create(_ more: Int, on client: Client) throws(Failure) {
        let end = count + more
        var sent = count
        while count < end {
            // Sends half of the requests in flight at a time, so that neither side waits for the
            // other.
            if sent - count <= Self.inFlight / 2, sent < end {
                let next = sent..<min(sent + Self.inFlight / 2, end)
                try client.send(next.map { .createNote(json: Self.text.json($0), name: "bench/\($0 / 1_000)/\($0)") })
                sent = next.upperBound
            }
            let made = try client.next().result()
            count += 1
            if first.count < Self.firstCount {
                first.append((try made.required(Keys.id), try made.required(Keys.version)))
            }
        }
    }

    /// Saves each of the first notes once more. Returns a cursor from before these saves.
    mutating func saveFirst(on client: Client) throws(Failure) -> String {
        let cursor = try client.call(.watchNotes(ids: [first[0].id])).required(Keys.cursor)
        let most = Self.inFlight / 2
        for start in stride(from: 0, to: first.count, by: most) {
            let range = start..<min(start + most, first.count)
            try client.send(first[range].map { .saveNote($0.id, base: $0.version, json: Self.text.json(999_999_999)) })
            for index in range { first[index].version = try client.nextAnswer().required(Keys.version) }
        }
        return cursor
    }
}
