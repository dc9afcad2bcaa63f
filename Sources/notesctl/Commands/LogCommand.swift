import ArgumentParser
import Causality
import Console
import NoteTasks
import NotesClient
import NotesModel
import NotesWire
import StrictJSON

struct LogCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "List the newest revisions of all notes.",
        discussion: """
            Examples:
              notesctl log
              notesctl log -n 100 --note work/inbox --note work/done
              notesctl log --by laptop/mcp --since 2h

            Like `history`, with the note's name on each line. Includes deleted notes.

            With --json, prints one object per revision: "note", the note's id, and "revision", as \
            in the protocol.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(name: [.customShort("n"), .customLong("limit")], help: ArgumentHelp("Show at most this many.", valueName: "count"))
    var limit = 20

    @Option(name: .long, help: "Only revisions of this note; can be repeated.", completion: NoteCompletion.notes)
    var note: [String] = []

    @OptionGroup var selection: RevisionSelection

    func validate() throws {
        if limit < 1 { throw ValidationError("-n must be at least 1.") }
    }

    func perform() async throws {
        options.page()
        let filter = try selection.filter()
        try await options.withClient { client in
            if note.isEmpty {
                try await print(try await newest(filter, client), filter, client)
            } else {
                try await print(try await histories(filter, client), filter, client)
            }
        }
    }

    /// The newest revisions of the notes named with `--note`.
    private func histories(_ filter: RevisionFilter, _ client: any NotesAPI) async throws -> [HistoryTable.Entry] {
        var notes: [NoteID: Head] = [:]
        for reference in note {
            let head = try await NoteReference(reference).note(client, deleted: true).head
            notes[head.id] = head
        }
        var log = RevisionLog(Array(notes.values), pageSize: min(limit + 1, WireProtocol.listLimits.upperBound)) {
            try await client.history($0)
        }
        var entries: [HistoryTable.Entry] = []
        while entries.count < limit, let entry = try await log.next() {
            if filter.matches(entry.revision) { entries.append(entry) }
        }
        return entries
    }

    /// The newest revisions of all notes. Each entry has the revision before it in the note's history,
    /// which the table needs, unless the output is for a program.
    private func newest(_ filter: RevisionFilter, _ client: any NotesAPI) async throws -> [HistoryTable.Entry] {
        var found: [NoteRevision] = []
        try await client.eachRevisionPage(filter, limit: min(limit, WireProtocol.listLimits.upperBound)) { page in
            found += page.prefix(limit - found.count)
            return found.count < limit
        }
        let heads = try await client.heads(of: found.map(\.note))
        var entries: [HistoryTable.Entry] = []
        for entry in found {
            guard let head = heads[entry.note] else { continue }
            var older: RevisionSummary?
            if !options.isForPrograms, !entry.revision.parents.isNothing {
                let before = ReadHistory(id: entry.note, limit: 1, before: entry.revision.dot)
                older = try await client.history(before).revisions.first
            }
            entries.append(HistoryTable.Entry(entry.revision, older: older, note: head))
        }
        return entries
    }

    private func print(_ entries: [HistoryTable.Entry], _ filter: RevisionFilter, _ client: any NotesAPI) async throws {
        if options.isForPrograms {
            for entry in entries {
                guard let note = entry.note else { continue }
                try options.emit(NoteRevision(note: note.id, revision: entry.revision).json)
            }
            return
        }
        try Output.lines(try await Self.table(entries, client).lines(entries))
        if entries.isEmpty && Terminal.isOutput {
            Output.note(
                filter == RevisionFilter()
                    ? "no notes; `notesctl new NAME` creates one"
                    : "no such writes; `notesctl log` shows users, labels and times")
        }
    }

    /// The table for the entries, with what their undos name and the sides of the conflicts that are
    /// open in their notes.
    private static func table(
        _ entries: [HistoryTable.Entry], _ client: any NotesAPI
    ) async throws -> HistoryTable {
        var table = HistoryTable(local: Clock.local, columns: Terminal.columns, style: Terminal.style)
        for (id, shown) in Dictionary(grouping: entries.filter { $0.note != nil }, by: { $0.note?.id }) {
            guard let id else { continue }
            table.hidden += try await UndoEffects.older(than: shown.map(\.revision), of: id, client)
            guard shown.contains(where: { $0.note?.conflicts.isEmpty == false }) else { continue }
            table.sides.formUnion(try await client.note(.id(id)).conflicts.flatMap(\.sides).map(\.dot))
        }
        return table
    }
}

/// The revisions of many notes as one list, newest first, read lazily.
///
/// Sorted by time, except that the revisions of one note keep the order of its history, since clocks
/// may be wrong.
struct RevisionLog {
    /// The unread rest of one note's history.
    private struct Source {
        let note: Head
        /// Revisions read and not yet returned, newest first.
        var revisions: ArraySlice<RevisionSummary> = []
        /// The `before` parameter of the next page.
        var before: Dot?
        var isRead = false

        /// The time of the next revision; nil at the end. Before the first page is read, no time is
        /// later: the note may show the time of a file, which says nothing about its revisions.
        var time: Timestamp? { revisions.first?.time ?? (isRead ? nil : Timestamp(milliseconds: .max)) }
    }

    private var sources: [Source]
    private let pageSize: Int
    private let read: (ReadHistory) async throws -> HistoryResult

    /// - Parameters:
    ///   - notes: the notes.
    ///   - pageSize: revisions per request.
    ///   - read: requests one page of a history.
    init(_ notes: [Head], pageSize: Int, read: @escaping (ReadHistory) async throws -> HistoryResult) {
        sources = notes.map { Source(note: $0) }
        self.pageSize = pageSize
        self.read = read
    }

    /// The next entry; nil at the end.
    ///
    /// - Complexity: O(notes), plus an occasional request for a page of one note's history.
    mutating func next() async throws -> HistoryTable.Entry? {
        while let index = newest {
            // An entry needs the next older revision to describe what changed.
            if sources[index].revisions.count < 2, !sources[index].isRead { try await readOn(index) }
            guard newest == index, let revision = sources[index].revisions.popFirst() else { continue }
            return HistoryTable.Entry(revision, older: sources[index].revisions.first, note: sources[index].note)
        }
        return nil
    }

    /// The index of the source with the newest revision; nil if all are exhausted.
    private var newest: Int? {
        var newest: (index: Int, time: Timestamp)?
        for (index, source) in sources.enumerated() {
            guard let time = source.time else { continue }
            if newest.map({ $0.time.milliseconds < time.milliseconds }) ?? true { newest = (index, time) }
        }
        return newest?.index
    }

    /// Reads the next page of one source.
    private mutating func readOn(_ index: Int) async throws {
        let source = sources[index]
        // Two revisions make the first entry. Many notes have no other among the newest.
        let limit = source.before == nil ? min(2, pageSize) : pageSize
        let page = try await read(ReadHistory(id: source.note.id, limit: limit, before: source.before))
        sources[index].revisions += page.revisions
        sources[index].before = page.next
        sources[index].isRead = page.next == nil
    }
}
