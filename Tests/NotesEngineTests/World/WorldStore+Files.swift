import Causality
import Foundation
import NoteText
import NotesMethods
import NotesModel
import NotesStore
import StoreTestKit
import TestKit

@testable import NotesEngine

/// The folder of files of a store.
extension WorldStore {
    /// Whether the process that uses the folder was killed.
    var isFolderDead: Bool { bytes?.with { $0.isDead } ?? false }
    /// Whether calls on the folder may fail.
    var isFolderFailing: Bool { bytes?.with { $0.isDead || $0.lastCall != nil || !$0.faults.isEmpty } ?? false }

    /// The folder as a kill leaves it, in some cases with a power cut.
    ///
    /// Copy the database before. A daemon waits for its database, so this order is one of a kill.
    func killedBytes(_ random: inout SeededGenerator) -> SharedFolder? {
        guard let copy = bytes?.copied() else { return nil }
        if random.chance(0.5) {
            var cut = SeededGenerator(seed: random.next())
            copy.with { $0.cutPower(&cut) }
        }
        return copy
    }

    /// Puts the files into the directory of the store, from which a backup takes them.
    func putFilesInPlace() throws {
        let place = folder.path + "/files"
        try? FileManager.default.removeItem(atPath: place)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        for (name, data) in bytes?.with({ $0.contents(of: .files) }) ?? [:] {
            guard FileManager.default.createFile(atPath: "\(place)/\(name)", contents: Data(data)) else {
                throw World.Failure("\(place)/\(name) cannot be written")
            }
        }
    }

    /// The folder that a restored store has in its directory.
    static func restoredBytes(in folder: TemporaryDirectory) throws -> SharedFolder {
        let (disk, place) = (SimulatedFolder(.journal), folder.path + "/files")
        if FileManager.default.fileExists(atPath: place) {
            for name in try FileManager.default.contentsOfDirectory(atPath: place) {
                disk.put(Array(FileManager.default.contents(atPath: "\(place)/\(name)") ?? Data()), as: name, in: .files)
            }
            try FileManager.default.removeItem(atPath: place)
        }
        return SharedFolder(disk)
    }

    /// Waits until the worker has removed what the engine wants removed.
    func untilRemoved() async throws {
        for _ in 0..<100_000 {
            if try await harness.engine.runOnEngine({ $0.files.leaving.isEmpty }) { return }
            await Task.yield()
        }
    }

    /// The revisions that name files whose bytes the store lacks.
    func incomplete() async -> Set<Dot> {
        guard harness.hasFiles else { return [] }
        var harness = harness
        guard case .files(let files, _)? = await harness.ask(one, .file(.list(ListFiles(.missing)))) else { return [] }
        return files.reduce(into: []) { $0.formUnion($1.revisions.all) }
    }

    /// The files that the store has, and that nothing in it names.
    func unnamedFiles() async throws -> Set<FileHash> {
        var harness = harness
        guard case .files(let files, _)? = await harness.ask(one, .file(.list(ListFiles(.unnamed)))) else { return [] }
        return Set(files.map(\.content.hash))
    }
}
