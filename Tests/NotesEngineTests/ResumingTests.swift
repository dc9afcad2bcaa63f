import Causality
import Dependents
import NotesEngine
import NotesMethods
import NotesModel
import TestKit
import Testing

/// A client that resumes from a cursor receives what changed since, compared with the past state of
/// each note. This holds however many clients wrote concurrently, and after a restart of the
/// daemon, which knows nothing but its store.
@Suite struct ResumingTests {
    /// The states of the notes at a commit.
    private struct Moment {
        let cursor: Cursor

        var sequence: UInt64 { cursor.commit.sequence }
        var notes: [NoteID: NoteResponse]
    }

    /// The commits, each with the states of the notes after it and the note that it changed.
    private struct Story {
        var moments: [Moment] = []
        var changed: [UInt64: NoteID] = [:]

        func count(_ note: NoteID, after: UInt64) -> Int { changed.filter { $0.key > after && $0.value == note }.count }
    }

    private static let notes = [noteID(1), noteID(2)]

    @Test(arguments: seeds(12))
    func anyCursor_resumesFromStateSentThere(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryDirectory()
        var site = try await Site(folder, as: replica("A"))
        _ = await site.harness.register(2)
        var story = Story()
        for number in 0..<60 {
            await site.writeSomething(Self.notes, number, &random)
            await record(&site, &story)
        }
        try await site.restart(as: replica("B"))
        var built = 0
        for (index, moment) in story.moments.enumerated() {
            let reader = DependentID(10 + UInt64(index))
            _ = await site.harness.register(reader.number)
            let watch = WatchNotes(filter: Filter(), include: .edits, since: moment.cursor, snapshot: false, echo: true)
            _ = await site.harness.ask(reader, .watch(watch))
            _ = await site.harness.notification(reader) { if case .synced = $0.event { true } else { false } }
            for case .changed(let line) in site.harness.notifications[reader, default: []].map(\.event) {
                let id = line.state.head.id
                let place: Comment = "seed \(seed), \(id) since commit \(moment.sequence)"
                #expect(line.coalesced == story.count(id, after: moment.sequence), place)
                #expect(line.state.text == story.moments.last?.notes[id]?.text, place)
                let before = moment.notes[id]
                #expect((line.kind == .created) == (before == nil), place)
                guard let base = line.base else { continue }
                built += 1
                #expect(base.text == before?.text && base.head == before?.head.knowing(base.head.vector), place)
            }
        }
        #expect(built > 0 || !isUsual(seed, of: 12), "seed \(seed): nothing was built on what was shown")
        await site.stop()
    }

    private func record(_ site: inout Site, _ story: inout Story) async {
        let tail = WatchNotes(filter: Filter(), include: .meta, since: nil, snapshot: false, echo: true)
        guard case .watching(let watch, let cursor, _) = await site.harness.ask(two, .watch(tail)) else { return }
        _ = await site.harness.ask(two, .unwatch(watch))
        let sequence = cursor.commit.sequence
        guard sequence > story.moments.last?.sequence ?? 0 else { return }
        var moment = Moment(cursor: cursor, notes: [:])
        for id in Self.notes { moment.notes[id] = await site.note(id) }
        let before = story.moments.last?.notes ?? [:]
        story.changed[sequence] = Self.notes.first { moment.notes[$0]?.head.version != before[$0]?.head.version }
        story.moments.append(moment)
    }
}

extension Head {
    /// The head with another vector: past states do not keep the newest counters.
    fileprivate func knowing(_ vector: VersionVector) -> Head {
        var head = self
        head.vector = vector
        return head
    }
}
