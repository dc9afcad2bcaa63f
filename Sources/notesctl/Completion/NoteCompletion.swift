import ArgumentParser
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire

/// Shell completions, queried from the daemon. Without a daemon there are no completions.
enum NoteCompletion {
    /// Names of notes; ids if no name matches and the word can be the beginning of an id.
    static var notes: CompletionKind { .custom { words, _, prefix in offered(words, prefix) { found(prefix, $0, ids: true) } } }

    /// Names of notes.
    static var names: CompletionKind { .custom { words, _, prefix in offered(words, prefix) { found(prefix, $0, ids: false) } } }

    /// Tags of notes, with or without the leading `#`.
    static var tags: CompletionKind {
        .custom { words, _, prefix in
            offered(words, prefix) { client in
                let params = ListTags(prefix: tagName(prefix), limit: countMax)
                return (try? client.responseNow(to: .listTags(params), as: TagsResult.self))?.tags.map(\.tag.description) ?? []
            }
        }
    }

    /// Ids of the user's recorded commands, for `op undo`.
    static var operations: CompletionKind {
        .custom { words, _, prefix in
            offered(words, prefix) { client in
                client.helloNow.map { OperationLog.entries(store: $0.store) }?.map(\.operation) ?? []
            }
        }
    }

    /// Most words offered.
    static let countMax = 1_000
    /// Most notes examined for ids.
    private static let notesMax = 20_000

    private static func found(_ prefix: String, _ client: BlockingClient, ids: Bool) -> [String] {
        var found: [String] = []
        each(Filter(prefix: ByteString(prefix), kind: nil), client) { note in
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

    /// Calls `body` for each note that matches, page by page.
    ///
    /// - Parameter body: returns false to stop.
    private static func each(_ filter: Filter, _ client: BlockingClient, _ body: (NoteObject) -> Bool) {
        var params = ListNotes(filter: filter, limit: WireProtocol.listLimits.upperBound)
        var seen = 0
        while seen < notesMax, let page = try? client.responseNow(to: .list(params), as: ListResult.self) {
            for note in page.notes where !body(note) { return }
            seen += page.notes.count
            guard let next = page.next else { return }
            params.place = next
        }
    }

    /// Connects to the daemon, collects the words and quotes them for the shell that asks.
    ///
    /// - Parameter words: the words of the command line, which may name the socket.
    private static func offered(_ words: [String], _ prefix: String, _ ask: (BlockingClient) -> [String]) -> [String] {
        var options = GlobalOptions.plain
        options.socket = zip(words, words.dropFirst()).first { $0.0 == "--socket" }?.1
        guard let client = try? BlockingClient.connect(options.clientOptions()) else { return [] }
        return ask(client).compactMap { word in
            switch CompletionShell.requesting {
            // Bash's completion script expands each word as on a command line, and quotes the
            // word it inserts except for $ and `.
            case .some(.bash): word.contains("$") || word.contains("`") ? nil : Shell.quoted(word)
            // Zsh separates a word from its description by a colon.
            case .some(.zsh): word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            default: word
            }
        }
    }
}
