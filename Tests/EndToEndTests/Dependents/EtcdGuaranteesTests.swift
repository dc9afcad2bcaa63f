import Causality
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// The six guarantees that etcd gives to watches (`docs/learning/api_guarantees` of its
    /// documentation), in the terms of this protocol. An event of etcd is a change of one key at a
    /// revision; here it is a change of one note at a commit. Where etcd sends every event or ends
    /// the watch, a watch here may send one line for several changes.
    @Suite struct EtcdGuaranteesTests {
        private static let notes = (1...5).map { noteID(UInt64($0)) }

        /// Writes at random to a few notes, and finally to a new one.
        ///
        /// - Parameter versions: the last version seen of each note.
        private static func write(
            _ writer: RawConnection, _ count: Int, seed: UInt64, last: String, on versions: inout [NoteID: Version]
        ) async throws {
            var random = SeededGenerator(seed: seed)
            for number in 0..<count {
                let note = random.pick(notes)
                versions[note] = try await writer.write(note, "\(number) of \(last)\n", base: versions[note])
            }
            _ = try await writer.write(noteID(90 + seed), "\(last)\n")
        }

        private static func write(_ writer: RawConnection, _ count: Int, seed: UInt64, last: String) async throws {
            var versions: [NoteID: Version] = [:]
            try await write(writer, count, seed: seed, last: last, on: &versions)
        }

        /// Ordered: a line never shows a state older than one already sent, and two watches agree
        /// on the order.
        @Test(arguments: seeds(3)) func ordered(seed: UInt64) async throws {
            try await DaemonProcess.run { daemon in
                let early = try await WatchingConnection(daemon)
                let writer = try await RawConnection.registered(daemon.socket)
                try await Self.write(writer, 150, seed: seed, last: "last")
                let late = try await WatchingConnection(daemon, WatchNotes(since: early.start.cursor))
                var commits: [UInt64: Digest] = [:]
                for watch in [early, late] {
                    let told = try await watch.until(title: "last").filter { $0.note != nil }
                    let cursors = told.map(\.line.cursor)
                    #expect(zip(cursors, cursors.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed): \(cursors)")
                    for line in told {
                        guard let version = line.line.change?.version else { continue }
                        #expect(commits.updateValue(version, forKey: line.line.cursor) ?? version == version, "seed \(seed)")
                    }
                }
            }
        }

        /// Unique: no state is sent twice, on one connection or on several that each resume from
        /// the previous one's cursor.
        @Test(arguments: seeds(3)) func unique(seed: UInt64) async throws {
            try await DaemonProcess.run { daemon in
                let writer = try await RawConnection.registered(daemon.socket)
                var since = try await WatchingConnection(daemon).start.cursor
                try await Self.write(writer, 100, seed: seed, last: "last")
                var states: Set<[Digest]> = []
                var count = 0
                var random = SeededGenerator(seed: seed)
                var isOver = false
                while !isOver {
                    let watch = try await WatchingConnection(daemon, WatchNotes(since: since))
                    for _ in 0..<1 + random.below(3) where !isOver {
                        let told = try await watch.next()
                        since = told.cursor ?? since
                        guard let change = told.line.change else { continue }
                        states.insert([change.note, change.version])
                        count += 1
                        isOver = told.note?.head.title == "last"
                    }
                }
                #expect(states.count == count, "seed \(seed): \(count) lines of \(states.count) states")
            }
        }

        /// Reliable: no change is omitted. A watch that reads before the next write receives each
        /// change separately; for a slower watch, the lines count all changes they cover.
        @Test func reliable() async throws {
            try await DaemonProcess.run { daemon in
                let writer = try await RawConnection.registered(daemon.socket)
                let eager = try await WatchingConnection(daemon)
                let lazy = try await WatchingConnection(daemon)
                _ = try await eager.untilSynced()
                _ = try await lazy.untilSynced()
                var version: Version?
                for number in 1...200 {
                    version = try await writer.write(Self.notes[0], "\(number)\n", base: version)
                    let told = try await eager.next()
                    #expect(told.line.cursor == eager.start.cursor.commit.sequence + UInt64(number))
                    #expect(told.line.change?.changes == 1 && told.note?.head.version == version)
                }
                let lines = try await lazy.until(title: "200")
                #expect(lines.reduce(0) { $0 + ($1.line.change?.changes ?? 0) } == 200)
            }
        }

        /// Atomic: a commit is visible completely or not at all. A save may set text and name,
        /// which change together for every watch and read. Commits that share a disk transaction
        /// remain separate commits; a cursor may lie between them, and nothing is guaranteed across
        /// notes.
        @Test func atomic() async throws {
            try await DaemonProcess.run { daemon in
                let writer = try await RawConnection.registered(daemon.socket)
                let reader = try await RawConnection.registered(daemon.socket)
                let watch = try await WatchingConnection(daemon, WatchNotes(include: .text))
                func expectAtomic(_ note: NoteObject?) {
                    guard let note else { return }
                    let text = note.text.map { String(decoding: $0, as: UTF8.self) } ?? "\(note.head.title)\n"
                    #expect(text == "\(note.head.name.map { "\($0.bytes)" } ?? "none")\n")
                }
                var version = try await writer.write(Self.notes[0], "0\n", name: "0")
                for number in 1...100 {
                    let save = SaveNote(
                        id: Self.notes[0], base: version, text: bytes("\(number)\n"), name: .set(ByteString("\(number)")))
                    try await writer.send(Call.write(.saveNote(save)).line(id: .integer(1)))
                    // Concurrent with the save, so that it can meet the save at any point.
                    let read = try await reader.result(of: .get(GetNote(.id(Self.notes[0]))))
                    expectAtomic(try GetResult(reading: read).note)
                    let listed = try await reader.result(of: .list(ListNotes()))
                    expectAtomic(try ListResult(reading: listed).notes.first)
                    guard case .result(_, let value) = try await writer.answer() else {
                        throw RawConnection.Ended(what: "refused")
                    }
                    version = try OutcomeResult(reading: value).version
                }
                for told in try await watch.until(title: "100") { expectAtomic(told.note) }
            }
        }

        /// Resumable: a watch that resumes from any cursor receives each note changed after it
        /// once, in its newest state.
        @Test(arguments: seeds(2)) func resumable(seed: UInt64) async throws {
            try await DaemonProcess.run { daemon in
                let writer = try await RawConnection.registered(daemon.socket)
                let watch = try await WatchingConnection(daemon)
                var lines = try await watch.untilSynced()
                var versions: [NoteID: Version] = [:]
                for part in 0..<3 {
                    try await Self.write(writer, 15, seed: seed * 10 + UInt64(part), last: "part \(part)", on: &versions)
                    lines += try await watch.until(title: "part \(part)")
                }
                var newest: [Digest: UInt64] = [:]
                for line in lines { if let change = line.line.change { newest[change.note] = line.line.cursor } }
                for cursor in lines.compactMap(\.cursor) {
                    let again = try await WatchingConnection(daemon, WatchNotes(since: cursor))
                    #expect(!again.start.isReset)
                    let told = try await again.untilSynced().compactMap { line in
                        line.line.change.map { ($0.note, line.line.cursor) }
                    }
                    let missed = newest.filter { $0.value > cursor.commit.sequence }
                    #expect(Dictionary(told) { first, _ in first } == missed, "seed \(seed), from \(cursor.commit.sequence)")
                    #expect(told.count == missed.count, "seed \(seed), from \(cursor.commit.sequence): each once")
                }
            }
        }

        /// Bookmarkable: a line without a change reports how far the watch has come although
        /// nothing concerned it. Resuming from there skips everything before and misses nothing
        /// after. The daemon sends such a line after 30 silent seconds, for which this test waits.
        @Test(.long) func bookmarkable() async throws {
            try await DaemonProcess.run { daemon in
                let writer = try await RawConnection.registered(daemon.socket)
                let filter = Filter(prefix: "mine/")
                let watch = try await WatchingConnection(daemon, WatchNotes(filter: filter))
                _ = try await watch.untilSynced()
                try await Self.write(writer, 20, seed: 1, last: "of no concern")
                let all = try await WatchingConnection(daemon)
                let newest = try #require(try await all.untilSynced().last?.cursor)
                let mark = try await watch.next()
                #expect(mark.line.event == .bookmark)
                #expect(mark.cursor == newest, "everything up to here was sent")
                _ = try await writer.write(noteID(50), "mine\n", name: "mine/a")
                for params in [WatchNotes(filter: filter, since: mark.cursor), WatchNotes(since: mark.cursor)] {
                    let told = try await WatchingConnection(daemon, params).untilSynced()
                    #expect(told.compactMap { $0.note?.head.title } == ["mine"])
                }
                #expect(try await watch.until(title: "mine").count == 1, "nor is it sent twice to the other watch")
            }
        }
    }
}
