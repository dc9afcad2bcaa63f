import Causality
import Foundation
import NotesEngine
import NotesModel
import NotesSQL
import TestKit
import Testing

@testable import NotesStore

/// A store's directory is copied, moved or restored, at any moment and by any means, and all copies
/// run. Each run is a separate replica (`docs/causality.md` §1). So no two runs create the same
/// dot, and every acknowledged write is in all copies after an exchange.
@Suite struct CopiedStoreTests {
    private let id = noteID(1)

    /// Lines that were acknowledged, each unlike all others.
    private struct Lines {
        private(set) var written: [String] = []

        /// Adds a line to the note's current text at the site.
        mutating func add(to site: inout Site, _ id: NoteID) async throws {
            let line = "line \(written.count + 1) of \(site.identity.replica)\n"
            if let note = await site.note(id) {
                let text = String(decoding: note.text, as: UTF8.self) + line
                let response = await site.write(save(id, text, on: note.head.version))
                try #require(response?.outcome != nil)
            } else {
                try #require(await site.write(create(id, line))?.isCreated == true)
            }
            written.append(line)
        }
    }

    /// All sites exchange with each other. Every line is in every copy, and no dot names two
    /// contents.
    private func expectAll(_ lines: Lines, in sites: inout [Site], _ place: Comment) async throws {
        for _ in 0..<2 {
            for sender in sites.indices {
                for receiver in sites.indices where receiver != sender { try await sites[sender].sendAll(to: sites[receiver]) }
            }
        }
        var contents: [Dot: LinkedRevision] = [:]
        for index in sites.indices {
            let text = try #require(await sites[index].text(id))
            for line in lines.written { #expect(text.contains(line), "\(place): \(line) is lost in copy \(index)") }
            let page = try await sites[index].missing(by: DotSet())
            for revision in page.revisions {
                #expect(contents.updateValue(revision, forKey: revision.dot) ?? revision == revision, place)
            }
            let again = try await sites[index].adopt(Array(contents.values))
            #expect(again.quarantined.isEmpty && again.committed.isEmpty && again.waiting.isEmpty, place)
        }
    }

    /// Replica ids of the runs, never the same.
    private func replicas() -> AnyIterator<ReplicaID> {
        var random = SeededGenerator(seed: 5)
        return AnyIterator { ReplicaID(bits: random.next()) }
    }

    @Test func storesCopiedWhileStopped_bothContinue() async throws {
        let next = replicas()
        let folder = try TemporaryDirectory()
        var lines = Lines()
        var first = try await Site(folder, as: try #require(next.next()))
        for _ in 0..<3 { try await lines.add(to: &first, id) }
        await first.stop()
        var sites: [Site] = []
        for copy in [folder, try folder.copied()] { sites.append(try await Site(copy, as: try #require(next.next()))) }
        for index in [0, 1, 1, 0] { try await lines.add(to: &sites[index], id) }
        try await expectAll(lines, in: &sites, "stopped")
    }

    /// With its WAL, as `cp -r` copies it; as `VACUUM INTO` copies it; and without the WAL, with
    /// what was checkpointed into the database.
    @Test(arguments: ["log", "vacuum", "database"])
    func storesCopiedWhileRunning_bothContinue(way: String) async throws {
        let next = replicas()
        let folder = try TemporaryDirectory()
        var lines = Lines()
        var sites = [try await Site(folder, as: try #require(next.next()))]
        for _ in 0..<30 { try await lines.add(to: &sites[0], id) }
        let copy: TemporaryDirectory
        switch way {
        case "log": copy = try folder.copied()
        case "vacuum": copy = try vacuumed(folder)
        default: copy = try folder.copied(withLog: false)
        }
        try await lines.add(to: &sites[0], id)
        sites.append(try await Site(copy, as: try #require(next.next())))
        for index in [1, 0, 1, 0] { try await lines.add(to: &sites[index], id) }
        // A copy of the copy, while both run.
        sites.append(try await Site(try copy.copied(), as: try #require(next.next())))
        for index in [2, 1, 0, 2] { try await lines.add(to: &sites[index], id) }
        try await expectAll(lines, in: &sites, "\(way)")
    }

    /// Next to the running daemon, which may hold a commit for longer than the test waits.
    private func opened(_ folder: TemporaryDirectory) throws -> SQLiteConnections {
        for _ in 0..<60 {
            if let connections = try? connections(folder) { return connections }
        }
        return try connections(folder)
    }

    private func connections(_ folder: TemporaryDirectory) throws -> SQLiteConnections {
        try SQLiteConnections(
            path: folder.path + "/notes.sqlite3", limits: JournalLimits(), check: { _ in }, migrate: { _ in })
    }

    private func vacuumed(_ folder: TemporaryDirectory) throws -> TemporaryDirectory {
        let copy = try TemporaryDirectory()
        let connections = try opened(folder)
        try connections.writing { database throws(SQLFault) in
            try database.run("VACUUM INTO '\(copy.path)/notes.sqlite3'")
        }
        try connections.close()
        return copy
    }

    /// Case 33: an old copy is restored over a newer store, whose last writes a peer has.
    @Test func restoredOldCopy_receivesTheRest() async throws {
        let next = replicas()
        let folder = try TemporaryDirectory()
        var lines = Lines()
        var sites = [
            try await Site(folder, as: try #require(next.next())),
            try await Site(try TemporaryDirectory(), as: try #require(next.next())),
        ]
        for _ in 0..<3 { try await lines.add(to: &sites[0], id) }
        let old = try folder.copied()
        for _ in 0..<3 { try await lines.add(to: &sites[0], id) }
        try await sites[0].sendAll(to: sites[1])
        try await lines.add(to: &sites[1], id)
        await sites[0].stop()
        // The old files replace the new ones, including the WAL.
        for file in ["notes.sqlite3", "notes.sqlite3-wal"] {
            try? FileManager.default.removeItem(atPath: folder.path + "/" + file)
            guard FileManager.default.fileExists(atPath: old.path + "/" + file) else { continue }
            try FileManager.default.copyItem(atPath: old.path + "/" + file, toPath: folder.path + "/" + file)
        }
        sites[0] = try await Site(folder, as: try #require(next.next()))
        for _ in 0..<2 { try await lines.add(to: &sites[0], id) }
        try await expectAll(lines, in: &sites, "put back")
    }

    /// A dot names two contents all the same, since two runs got the same id: both are kept, and what
    /// builds on one of them is not attached to the other.
    @Test func case41_reusedReplicaID_isQuarantinedWithoutLoss() async throws {
        let folder = try TemporaryDirectory()
        var lines = Lines()
        var first = try await Site(folder, as: replica("A"))
        try await lines.add(to: &first, id)
        await first.stop()
        let copy = try folder.copied()
        var one = try await Site(folder, as: replica("B"))
        var two = try await Site(copy, as: replica("B"))
        try await lines.add(to: &one, id)
        let note = try #require(await two.note(id))
        let text = String(decoding: note.text, as: UTF8.self)
        _ = await two.write(save(id, text + "another\n", on: note.head.version))
        try await two.restart(as: replica("C"))
        let another = try #require(await two.note(id))
        _ = await two.write(save(id, String(decoding: another.text, as: UTF8.self) + "more\n", on: another.head.version))
        let revisions = try await two.missing(by: DotSet()).revisions
        let report = try await one.adopt(revisions)
        #expect(report.quarantined.map(\.reason) == [.dotIsTaken, .parentDiffers] && report.known == 1)
        let kept = await one.text(id)
        #expect(kept?.contains(lines.written[1]) == true && kept?.contains("another") == false)
        await one.stop()
        let journal = try Site.open(folder, replica("D"))
        let held = try journal.quarantined(after: 0, limit: 9)
        #expect(held.map(\.quarantined.revision) == Array(revisions[1...]))
        try journal.close()
    }
}
