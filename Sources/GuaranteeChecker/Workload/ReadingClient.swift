/// A client that only reads: the sizes of outboxes during the load, and all notes at the end.
final class ReadingClient: Client {
    private var isAsking = false

    override func began() {
        guard number == 400 else { return }
        call("daemon.config", "") { [unowned self] answer in
            guard case .result(let result) = answer else { return }
            for setting in result["settings"]?.elements ?? [] where setting["key"]?.word == "limits.outbox_bytes_max" {
                let value = setting["value"]
                load.outboxBytesMax =
                    value?.number ?? value?.word.flatMap { Int($0.filter(\.isNumber)) } ?? load.outboxBytesMax
            }
        }
    }

    override func step() {
        if dice.chance(0.05) { look() }
    }

    func look() { call("dependents.list", "") }

    /// Reads the current state of each note, its revisions, and the text of each revision.
    func read(_ notes: [String]) {
        for note in notes {
            call("note.get", "\"id\":\"\(note)\"")
            readHistory(of: note)
        }
    }

    private func readHistory(of note: String, before: String? = nil) {
        let place = before.map { ",\"before\":\"\($0)\"" } ?? ""
        call("note.history", "\"id\":\"\(note)\",\"limit\":1000\(place)") { [unowned self] answer in
            guard case .result(let result) = answer else { return }
            for revision in result["revisions"]?.elements ?? [] {
                if let dot = revision["dot"]?.word { call("note.get", "\"id\":\"\(note)\",\"at\":\"\(dot)\"") }
            }
            if let next = result["next"]?.word, next != before { readHistory(of: note, before: next) }
        }
    }
}
