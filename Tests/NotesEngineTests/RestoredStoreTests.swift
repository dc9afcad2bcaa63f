import Causality
import Dependents
import Foundation
import NotesEngine
import NotesMethods
import NotesModel
import TestKit
import Testing

/// A store is restored from an older copy, and clients resume with cursors from after that copy.
@Suite struct RestoredStoreTests {
    /// What a reader holds, and the cursor of the line that brought it there.
    private struct ReaderState {
        let cursor: Cursor
        let versions: [NoteID: Version]
    }

    private static let notes = (1...5).map { noteID($0) }

    /// A cursor from the middle of a snapshot is after notes that were not sent yet. It must not be
    /// accepted by the older history, in which the last change of such a note is before the cursor.
    @Test(arguments: seeds(15))
    func anyCursorOnOlderCopy_missesNothing(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryDirectory()
        let copy = try TemporaryDirectory()
        var site = try await Site(folder, as: replica("A"))
        var told: [ReaderState] = []
        var reader: UInt64 = 10
        for number in 0..<40 {
            await site.writeSomething(Self.notes, number, &random)
            if random.chance(0.2) { told += await read(since: nil, as: &reader, of: &site).lines }
        }
        try await site.restart(as: replica("B"))
        for number in 40..<60 {
            if number == 50 {
                await site.stop()
                for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                    try FileManager.default.copyItem(atPath: "\(folder.path)/\(file)", toPath: "\(copy.path)/\(file)")
                }
                site = try await Site(folder, as: replica("C"))
            }
            await site.writeSomething(Self.notes, number, &random)
            if random.chance(0.5) { told += await read(since: nil, as: &reader, of: &site).lines }
        }
        await site.stop()
        site = try await Site(copy, as: replica("D"))
        for number in 60..<60 + random.below(3) { await site.writeSomething(Self.notes, number, &random) }
        let all = await read(since: nil, as: &reader, of: &site).lines.last?.versions ?? [:]
        #expect(!all.isEmpty || !isUsual(seed, of: 15), "seed \(seed)")
        var resets = 0
        for last in told {
            let after = await read(since: last, as: &reader, of: &site)
            if after.isReset { resets += 1 }
            #expect(after.lines.last?.versions == all, "seed \(seed), from \(last.cursor)")
        }
        #expect(
            resets > 0 && resets < told.count || !isUsual(seed, of: 15), "seed \(seed): \(resets) of \(told.count) began anew")
        await site.stop()
    }

    /// The lines until the watch is synced.
    private func read(
        since: ReaderState?, as reader: inout UInt64, of site: inout Site
    ) async -> (lines: [ReaderState], isReset: Bool) {
        reader += 1
        let dependent = DependentID(reader)
        _ = await site.harness.register(reader)
        let watch = WatchNotes(filter: Filter(), include: .meta, since: since?.cursor, snapshot: true, echo: true)
        guard case .watching(_, _, let isReset) = await site.harness.ask(dependent, .watch(watch)) else { return ([], true) }
        _ = await site.harness.notification(dependent) { if case .synced = $0.event { true } else { false } }
        var versions = isReset ? [:] : since?.versions ?? [:]
        var lines: [ReaderState] = []
        for notification in site.harness.notifications[dependent, default: []] {
            if case .changed(let line) = notification.event {
                let isShown = line.kind != .left && line.kind != .deleted
                versions[line.state.head.id] = isShown ? line.state.head.version : nil
            }
            lines.append(ReaderState(cursor: notification.cursor, versions: versions))
        }
        return (lines, isReset)
    }
}
