import ArgumentParser
import NotesClient
import NotesModel
import NotesWire

/// What the shells offer for a word, asked of the daemon. Where there is none, they offer nothing.
enum NoteCompletion {
    /// Names, and ids once the word looks like the beginning of one.
    static var notes: CompletionKind { .custom { words, _, prefix in offered(words, prefix) { found(prefix, $0, ids: true) } } }

    static var names: CompletionKind { .custom { words, _, prefix in offered(words, prefix) { found(prefix, $0, ids: false) } } }

    static var tags: CompletionKind {
        .custom { words, _, prefix in
            offered(words, prefix) { client in
                var tags: Set<String> = []
                each(Filter(), client) { note in
                    for tag in note.head.tags { tags.insert(tag.description) }
                    return tags.count < countMax
                }
                return tags.sorted().filter { $0.hasPrefix(prefix.hasPrefix("#") ? prefix.dropFirst() : prefix[...]) }
            }
        }
    }

    static var operations: CompletionKind {
        .custom { words, _, prefix in
            offered(words, prefix) { client in
                client.helloNow.map { OperationJournal.entries(store: $0.store) }?.map(\.operation) ?? []
            }
        }
    }

    /// Most words that are offered, and so many notes are looked at for tags and ids.
    static let countMax = 1_000
    private static let notesMax = 20_000

    private static func found(_ prefix: String, _ client: BlockingClient, ids: Bool) -> [String] {
        var found: [String] = []
        each(Filter(prefix: ByteString(prefix)), client) { note in
            if let name = note.head.name { found.append(name.description) }
            return found.count < countMax
        }
        guard ids, found.isEmpty, NoteReference.isPrefix(prefix) else { return found }
        each(Filter(), client) { note in
            let id = note.head.id.description
            if id.hasPrefix(prefix) { found.append(id) }
            return found.count < countMax
        }
        return found
    }

    /// - Parameter body: returns whether to go on.
    private static func each(_ filter: Filter, _ client: BlockingClient, _ body: (NoteObject) -> Bool) {
        var params = ListParams(filter: filter, limit: WireProtocol.listLimits.upperBound)
        var seen = 0
        while seen < notesMax, let page = try? client.answerNow(to: .listNotes(params), as: ListResult.self) {
            for note in page.notes where !body(note) { return }
            seen += page.notes.count
            guard let next = page.next else { return }
            params.after = next
        }
    }

    /// - Parameter words: of the command line, of which one may name the socket.
    private static func offered(_ words: [String], _ prefix: String, _ ask: (BlockingClient) -> [String]) -> [String] {
        var options = GlobalOptions.plain
        options.socket = zip(words, words.dropFirst()).first { $0.0 == "--socket" }?.1
        guard let client = try? BlockingClient.connect(options.clientOptions()) else { return [] }
        return ask(client).compactMap { word in
            switch CompletionShell.requesting {
            // The script has the shell expand each word as it stands on a command line, and quote it when it is put there, all
            // but $ and `.
            case .some(.bash): word.contains("$") || word.contains("`") ? nil : Shell.quoted(word)
            // A colon stands between a word and what is said of it.
            case .some(.zsh): word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            default: word
            }
        }
    }
}
