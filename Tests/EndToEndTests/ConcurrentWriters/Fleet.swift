import Causality
import NoteText
import NotesClient
import NotesModel
import NotesWire
import Synchronization
import TestKit
import Testing

/// Ten clients that write, five that watch, and the checker of the result.
struct Fleet {
    let daemon: DaemonProcess
    let seed: UInt64
    let log = WriteLog()
    let notes: [NoteID]
    /// The last note, written when all other writes are done.
    let last: NoteID

    private static let writersCount = 10
    private static let encodings = PositionEncoding.allCases

    init(daemon: DaemonProcess, seed: UInt64) {
        self.daemon = daemon
        self.seed = seed
        notes = (1...6).map { noteID(seed * 100 + $0) }
        last = noteID(seed * 100 + 99)
    }

    /// - Parameters:
    ///   - goesOn: whether a writer that has made this many writes makes another.
    ///   - disturbance: runs concurrently with the writers.
    /// - Returns: how often each watcher resumed after a lost connection.
    @discardableResult
    func run(
        goesOn: @escaping @Sendable (Int) -> Bool, disturbance: @escaping @Sendable () async throws -> Void
    ) async throws -> [Int] {
        let judge = try await client("judge", .utf8)
        for (index, note) in notes.enumerated() {
            let line = ByteString("first of \(index)")
            let made = try await judge.create(text: text(of: [line]), id: note).note
            let dot = try #require(made.head.version.single)
            log.acknowledged(WriteLog.Write(note: note, dot: dot, base: .nothing, inserted: [line], text: text(of: [line])))
        }
        let watchers = try await withThrowingTaskGroup(of: Watcher?.self) { group in
            for (watcher, watch) in try await startWatching() {
                group.addTask {
                    var watcher = watcher
                    try await watcher.run(watch, until: last)
                    return watcher
                }
            }
            try await write(goesOn, disturbance)
            _ = try await judge.create(text: bytes("the last #todo\n"), id: last)
            var watchers: [Watcher] = []
            while let watcher = try await group.next() { if let watcher { watchers.append(watcher) } }
            return watchers
        }
        try await check(judge)
        for watcher in watchers { try await check(watcher, judge) }
        await judge.close()
        return watchers.map(\.resumptions)
    }

    private func client(_ label: ByteString, _ encoding: PositionEncoding) async throws -> NotesClient {
        let seed = seed
        return try await daemon.client(label, encodings: [encoding]) { options in
            options.reconnecting = Backoff(first: .milliseconds(10), longest: .milliseconds(200))
            options.resending = .whatMayBeRepeated
            options.generator = SeededGenerator(seed: label.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
        }
    }

    private func write(
        _ goesOn: @escaping @Sendable (Int) -> Bool, _ disturbance: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.writersCount {
                let encoding = Self.encodings[number % Self.encodings.count]
                let client = try await client(ByteString("writer \(number)"), encoding)
                let writer = RandomWriter(
                    client: client, number: number, encoding: encoding, notes: notes, log: log, seed: seed)
                group.addTask {
                    var writer = writer
                    var written = 0
                    while goesOn(written) {
                        try await writer.write()
                        written += 1
                    }
                    await client.close()
                }
            }
            group.addTask(operation: disturbance)
            try await group.waitForAll()
        }
    }

    private func startWatching() async throws -> [(Watcher, NoteWatch)] {
        let some = Filter(ids: [notes[0], notes[4], last])
        let kinds: [(String, WatchNotes, PositionEncoding)] = [
            ("meta", WatchNotes(include: .meta), .utf8),
            ("text", WatchNotes(include: .text), .utf8),
            ("edits", WatchNotes(include: .edits), .utf16),
            ("tag", WatchNotes(filter: Filter(tag: "todo"), include: .text), .utf8),
            ("ids", WatchNotes(filter: some, include: .edits), .utf32),
        ]
        var watchers: [(Watcher, NoteWatch)] = []
        for (label, params, encoding) in kinds {
            let client = try await client(ByteString("watcher of \(label)"), encoding)
            let watcher = Watcher(client: client, label: "seed \(seed), \(label)", params: params, encoding: encoding)
            watchers.append((watcher, try await client.watch(params)))
        }
        return watchers
    }

    // MARK: Checking

    private func check(_ judge: NotesClient) async throws {
        #expect(log.dotsGivenTwice == [], "seed \(seed): no dot is assigned twice")
        for note in notes {
            let shown = try await judge.note(.id(note))
            let shownLines = lines(of: shown.text ?? [])
            let expected = log.expected(of: note)
            #expect(shown.head.isDeleted == (expected == nil), "seed \(seed), \(note)")
            let missing = (expected ?? []).subtracting(shownLines)
            #expect(missing == [], "seed \(seed), \(note): acknowledged, never removed by a writer that saw it, but missing")
            let foreign = Set(shownLines).subtracting(expected ?? [])
            #expect(foreign == [], "seed \(seed), \(note): removed by a writer that saw it, but still present")
            #expect(shownLines.count == Set(shownLines).count, "seed \(seed), \(note): shown more than once")
            try await checkHistory(of: note, judge)
        }
    }

    /// Checks that every acknowledged write is one revision with the text that was sent, and that
    /// there are no others.
    private func checkHistory(of note: NoteID, _ judge: NotesClient) async throws {
        let writes = log.writes(of: note)
        var dots: [Dot] = []
        var before: Dot?
        repeat {
            let page = try await judge.history(ReadHistory(id: note, limit: 1_000, before: before))
            dots += page.revisions.map(\.dot)
            before = page.next
        } while before != nil
        #expect(dots.sorted() == writes.map(\.dot).sorted(), "seed \(seed), \(note): one revision per write")
        for write in writes where write.text != nil {
            let shown = try await judge.note(.id(note), at: Version(write.dot))
            #expect(shown.text == write.text, "seed \(seed), \(note) at \(write.dot): its writer's text")
        }
    }

    private func check(_ watcher: Watcher, _ judge: NotesClient) async throws {
        let living = try await judge.listAll(watcher.params.filter)
        let known = watcher.known.filter { !$0.value.isDeleted }
        #expect(Set(known.keys) == Set(living.map(\.head.id)), "\(watcher.label): knows all notes")
        for note in living {
            #expect(known[note.head.id]?.version == note.head.version, "\(watcher.label): knows the newest state")
            guard watcher.params.include != .meta else { continue }
            let shown = try await judge.note(.id(note.head.id))
            #expect(known[note.head.id]?.text == shown.text, "\(watcher.label): has the text byte for byte")
        }
        await watcher.client.close()
    }
}
