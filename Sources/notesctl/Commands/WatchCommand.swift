import ArgumentParser
import Causality
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON

struct WatchCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Report changes to notes as they happen.",
        discussion: """
            Examples:
              notesctl watch
              notesctl watch --prefix work/ --tag todo
              notesctl watch --note work/inbox --text
              notesctl watch --exec 'notify-send -- "$NOTESD_CHANGE" "$NOTESD_LABEL"'
              notesctl watch --json | jq -r 'select(.event=="changed") | .note.id'

            On a terminal, shows a live list of who has which note open and what changed, until \
            Ctrl-C. With --lines or --text, or if the output is not a terminal, prints one line per \
            change. If the daemon restarts, the watch continues where it stopped and misses \
            nothing.

            --exec runs a shell command for each change, one at a time. Its environment has \
            NOTESD_CHANGE (created, edited, deleted, ...), NOTESD_NOTE (the id), NOTESD_NAME, \
            NOTESD_LABEL (the name, or else the title), NOTESD_VERSION and NOTESD_BY, and its \
            standard input is the change as JSON. If a command fails, notesctl reports it, and the \
            watch continues.

            With --json, each line from which a watch can resume has a cursor; `--since CURSOR` \
            continues from there, even days later. "event" is started, changed, presence, synced, \
            bookmark, reset or interrupted. A changed event has "change" and "note". A presence \
            event has the id of the "note" and who has it open; "version" is null when they leave. \
            With --format, prints changes only.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(name: .long, help: "Only notes whose name starts with this.", completion: NoteCompletion.names)
    var prefix: String?

    @Option(name: .long, help: "Only notes with this tag.", completion: NoteCompletion.tags)
    var tag: String?

    @Option(name: .long, help: "Only this note; can be repeated.", completion: NoteCompletion.notes)
    var note: [String] = []

    @Flag(name: .long, help: "Also print the notes' texts.")
    var text = false

    @Flag(name: .long, help: "Start with the notes that exist.")
    var snapshot = false

    @Option(name: .long, help: ArgumentHelp("Start with the changes after this cursor.", valueName: "cursor"))
    var since: String?

    @Flag(name: .long, help: "Print one line per change, even on a terminal.")
    var lines = false

    @Option(name: .long, help: ArgumentHelp("Run this shell command for each change.", valueName: "command"))
    var exec: String?

    func perform() async throws {
        let params = try params()
        let client = try await options.connect(reconnecting: Backoff())
        let watch = try await client.watch(try await narrowed(params, client))
        if let exec { return try await WatchHook(command: exec).run(watch, client) }
        if Terminal.isOutput, !options.isForPrograms, !lines, !text, Environment["TERM"] != "dumb" {
            return try await LiveWatch(client: client, watch: watch).run()
        }
        var labels = WatchLabels()
        for try await event in watch {
            if options.isForPrograms { try reportToPrograms(event) } else { try await report(event, &labels, client) }
        }
    }

    /// The parameters of the watch, without `--note`.
    ///
    /// - Throws: `ExitFailure` if `--since` is not a cursor.
    private func params() throws -> WatchNotes {
        var params = WatchNotes(
            filter: Filter(prefix: prefix.map { ByteString($0) }, tag: tag.map(tagName)), include: text ? .text : .meta,
            snapshot: snapshot)
        if let since {
            guard let cursor = CursorText.cursor(parsing: ByteString(since)) else {
                throw ExitFailure("\(SafeText.quoted(since)) is not a cursor; `notesctl watch --json` prints them", .usage)
            }
            params.since = cursor
        }
        return params
    }

    /// The parameters, limited to the notes of `--note`.
    private func narrowed(_ params: WatchNotes, _ client: any NotesAPI) async throws -> WatchNotes {
        guard !note.isEmpty else { return params }
        var params = params
        var ids: Set<NoteID> = []
        for reference in note { ids.insert(try await NoteReference(reference).note(client, deleted: true).head.id) }
        params.filter.ids = ids
        return params
    }

    /// Prints an event for programs.
    private func reportToPrograms(_ event: WatchEvent) throws {
        // A template is only for changes; the other events have none of its fields.
        if options.format != nil { guard case .changed = event else { return } }
        if let object = WatchJSON.object(event) { try options.emit(object) }
    }

    /// Prints an event for people.
    private func report(_ event: WatchEvent, _ labels: inout WatchLabels, _ client: any NotesAPI) async throws {
        switch event {
        case .changed(let change):
            let label = await labels.label(of: change.note, client)
            var time: CalendarTime?
            var body: [UInt8] = []
            if case .shown(let note) = change.note {
                time = Clock.local(note.head.modified)
                if text { body = note.text ?? [] }
            }
            try Output.line(WatchLine(style: Terminal.style).text(change, label: label, time: time))
            if !body.isEmpty { try Output.lines(TextBlock.lines(body, indent: 4)) }
        case .interrupted, .started, .reset:
            if let sentence = event.sentence { Output.note(sentence) }
        case .synced, .bookmark, .presence: break
        }
    }
}
