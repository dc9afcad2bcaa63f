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

    private var tokens = 0

    func newToken() -> String {
        tokens += 1
        return Token.text(number, tokens)
    }

    /// Gives a note another name and leaves its text, unless the note is deleted.
    func rename(_ note: String, to name: String) {
        call("note.get", "\"id\":\"\(note)\"") { [unowned self] answer in
            guard case .result(let result) = answer, let got = result["note"], got["deleted"]?.flag == false,
                let version = got["version"]?.word
            else { return }
            call(
                "note.save", "\"id\":\"\(note)\",\"base\":\"\(version)\",\"name\":\(quoted(name)),\"op\":\"\(load.newOp())\"",
                op: true)
        }
    }

    /// Reads each note, and searches for its name and for a token of its text.
    func search(_ notes: [String]) {
        for note in notes {
            call("note.get", "\"id\":\"\(note)\"") { [unowned self] answer in
                guard case .result(let result) = answer, let got = result["note"] else { return }
                let name = got["name"]?.word
                if let name { search("name:\"\(Self.words(of: name))\"") }
                let text = got["text"]?.bytes ?? []
                guard let token = Token.ranges(in: text).first.map({ String(decoding: text[$0], as: UTF8.self) }) else { return }
                let ours = name == nil ? "" : " name:\"\(Self.words(of: load.prefix))\""
                search("\"\(Self.words(of: token))\"" + ours)
            }
        }
    }

    private func search(_ query: String) { call("note.search", "\"query\":\(quoted(query)),\"limit\":100") }

    /// The letters and digits of a name or token, with spaces between the words.
    private static func words(of text: String) -> String {
        text.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
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
