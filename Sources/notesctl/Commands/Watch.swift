import ArgumentParser
import Causality
import NotesClient
import NotesModel
import NotesWire

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Tell what happens to notes, as it happens.",
        discussion: """
            One line a change, until Ctrl-C. When the daemon is restarted, the watch goes on where it was and misses nothing. \
            With --json every line has a cursor; `--since CURSOR` goes on from there another day. \
            Its "event" is started, changed, synced, bookmark, reset or interrupted; a changed one has "change" and "note".

            Examples:
              notesctl watch
              notesctl watch --prefix work/ --tag todo
              notesctl watch --note work/inbox --text
              notesctl watch --json | jq -r 'select(.event=="changed") | .note.id'
            """)

    @OptionGroup var options: GlobalOptions

    @Option(name: .long, help: "Only notes whose name begins so.")
    var prefix: String?

    @Option(name: .long, help: "Only notes with this tag.")
    var tag: String?

    @Option(name: .long, help: "Only this note; may be given several times.")
    var note: [String] = []

    @Flag(name: .long, help: "Print the notes' texts too.")
    var text = false

    @Flag(name: .long, help: "Begin with the notes that are there.")
    var snapshot = false

    @Option(name: .long, help: ArgumentHelp("Begin with what changed since then.", valueName: "cursor"))
    var since: String?

    func run() async throws {
        var params = WatchParams(
            filter: Filter(prefix: prefix.map { ByteString($0) }, tag: tag.map(tagName)), include: text ? .text : .meta,
            snapshot: snapshot)
        if let since {
            guard let cursor = CursorText.position(parsing: ByteString(since)) else {
                throw Failure("\(SafeText.quoted(since)) is not a cursor; `notesctl watch --json` prints them", .usage)
            }
            params.since = cursor
        }
        let client = try await options.connect(reconnecting: Backoff())
        if !note.isEmpty {
            var ids: Set<NoteID> = []
            for reference in note { ids.insert(try await NoteReference(reference).note(client, deleted: true).head.id) }
            params.filter.ids = ids
        }
        var labels = WatchLabels()
        for try await event in try await client.watch(params) {
            if options.json { try WatchJSON.tell(event) } else { try tell(event, &labels) }
        }
    }

    private func tell(_ event: WatchEvent, _ labels: inout WatchLabels) throws {
        switch event {
        case .changed(let change):
            let label = labels.label(of: change.note)
            var time: CalendarTime?
            var body: [UInt8] = []
            if case .shown(let note) = change.note {
                time = Clock.local(note.head.modified)
                if text { body = note.text ?? [] }
            }
            try Output.line(WatchLine(style: Terminal.style).text(change, label: label, time: time))
            if !body.isEmpty { try Output.lines(TextBlock.lines(body, indent: 4)) }
        case .interrupted: Output.complain("the daemon is gone; waiting for it to come back")
        case .started(let start):
            if start.isResumed { Output.complain("the daemon is back; going on where it was") }
            if start.isReset { Output.complain("the daemon cannot go on from there, so everything comes anew") }
        case .reset: Output.complain("this watch was too slow; what it missed follows")
        case .synced, .bookmark: break
        }
    }
}

/// `watch --json`: one object an event.
enum WatchJSON {
    static func tell(_ event: WatchEvent) throws {
        if let object = object(event) { try Output.json(object) }
    }

    static func object(_ event: WatchEvent) -> [UInt8]? {
        var writer = JSONWriter()
        writer.object { line in
            line.member("event", word(event))
            if let cursor = event.cursor { line.member("cursor", CursorText.text(cursor)) }
            switch event {
            case .started(let start):
                line.member("resumed", start.isResumed)
                line.member("reset", start.isReset)
            case .changed(let change): write(change, to: &line)
            case .reset(let reset): line.member("reason", reset.reason)
            case .synced, .bookmark, .interrupted: break
            }
        }
        return writer.bytes
    }

    private static func word(_ event: WatchEvent) -> String {
        switch event {
        case .started: "started"
        case .changed: "changed"
        case .synced: "synced"
        case .bookmark: "bookmark"
        case .reset: "reset"
        case .interrupted: "interrupted"
        }
    }

    private static func write(_ change: NoteChanged, to line: inout JSONWriter) {
        line.member("change", change.change.rawValue)
        line.name("note")
        switch change.note {
        case .shown(let note): note.write(to: &line)
        case .left(let id, let version):
            line.object { note in
                note.member("id", id.description)
                note.member("version", version.description)
            }
        }
        if change.changes > 1 { line.member("coalesced", change.changes) }
        guard let origin = change.origin else { return }
        line.name("origin")
        line.object { object in
            object.member("dependent", origin.dependent.number)
            object.member("label", origin.label)
        }
    }
}
