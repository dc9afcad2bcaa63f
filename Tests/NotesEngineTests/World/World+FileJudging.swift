import Causality
import Foundation
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import NotesStore
import StoreTestKit
import TestKit

/// The laws of files.
extension World {
    private typealias There = (there: Set<FileHash>, shown: Set<FileHash>)

    /// What a store has, and what its notes show.
    private mutating func look(at index: Int) async throws -> There? {
        var shown: Set<FileHash> = []
        for id in files.notes {
            if let note = try await stores[index].note(id) { shown.formUnion(FileContent.all(of: note.text).map(\.hash)) }
        }
        let all = files.all
        guard case .lacking(let lacks, _, _)? = await stores[index].harness.ask(one, .file(.have(all))) else {
            guard stores[index].disk.isFailing else { throw Failure("store \(index) does not know its files") }
            return nil
        }
        return (Set(all).subtracting(lacks.map { all[$0] }), shown)
    }

    /// Checks that a store has kept what its revisions name, with the right bytes, and that a purge erased the rest.
    mutating func checkFiles(_ index: Int) async throws {
        guard stores[index].bytes != nil, !stores[index].isFolderFailing, let found = try await look(at: index) else { return }
        let committed = try await stores[index].holdings().committed
        let named = files.named(by: isAnyTextCompacted ? [] : committed, showing: found.shown, isSure: true)
        var state = files.stores[index]
        // A purge of a peer erases what nothing names here, though a revision that comes after it may.
        let purges = committed.intersection(files.purges.keys)
        state.present.subtract(files.erased(by: purges.subtracting(state.purges)))
        state.purges.formUnion(purges)
        let missing = state.present.intersection(named).subtracting(found.there)
        if state.isFaulty {
            files.lost.formUnion(state.present.subtracting(found.there))
        } else if !missing.isEmpty {
            throw Failure("store \(index) has lost \(missing.sorted()), which its revisions name")
        }
        state.present = found.there.intersection(named)
        state.everNamed.formUnion(named)
        for hash in found.there.sorted() {
            guard try await !hasRightBytes(hash, in: index) else { continue }
            guard state.rotten.remove(hash) != nil || state.isFaulty else {
                throw Failure("store \(index) has other bytes for \(hash)")
            }
            files.lost.insert(hash)
            state.present.remove(hash)
        }
        guard !stores[index].isFolderFailing else { return }
        files.stores[index] = state
        let left = try await erased(in: index, found.shown).intersection(found.there)
        guard left.isEmpty else { throw Failure("store \(index) still has \(left.sorted()), which a purge erased") }
    }

    /// The files whose bytes a purge erased from a store, and that nothing there can name any more.
    private mutating func erased(in index: Int, _ shown: Set<FileHash>) async throws -> Set<FileHash> {
        // Bytes that compacted revisions named go later. A store that forgeries are offered to may hold anything.
        guard !isAnyTextCompacted, lies == 0, !files.purges.isEmpty else { return [] }
        let held = try await stores[index].holdings()
        let own = Set(files.writes.keys)
        guard own.isDisjoint(with: held.quarantined), own.isDisjoint(with: held.waiting) else { return [] }
        // A file without bytes is everywhere.
        return files.erased(by: held.committed).intersection(files.stores[index].everNamed).subtracting([.ofNothing])
            .subtracting(files.named(by: held.committed, showing: shown, isSure: false))
    }

    /// Checks, after the scrub, that nothing in the folder of a store has the bytes or the hash of a file that a purge
    /// erased.
    mutating func checkErasedFiles(_ index: Int) async throws {
        guard let bytes = stores[index].bytes, !files.stores[index].isFaulty, !stores[index].isFolderFailing,
            let found = try await look(at: index)
        else { return }
        for hash in try await erased(in: index, found.shown).sorted() {
            for folder in Subfolder.allCases {
                let names = bytes.with { $0.contents(of: folder) }.filter { name, data in
                    name.hasSuffix("\(hash)") || data.count > 8 && data == files.bytes[hash]
                }
                guard names.isEmpty else {
                    throw Failure("store \(index) has \(names.keys.sorted()) in \(folder), which a purge erased")
                }
            }
            let places = try stores[index].files(having: "\(hash)") + stores[index].files(having: hash.bytes)
            guard places.isEmpty else { throw Failure("store \(index) has the hash \(hash) in \(places), which a purge erased") }
        }
    }

    /// The writes of files whose bytes a store does not have.
    mutating func withoutBytes(in index: Int) async throws -> Set<Dot> {
        let there = try await look(at: index)?.there ?? []
        return Set(files.writes.filter { !there.contains($0.value.hash) }.keys)
    }

    /// Checks, when all stores have exchanged everything, that each has the bytes of what its notes show, if any store
    /// has them, and that bytes that nothing names go after some days.
    mutating func settleFiles() async throws {
        guard stores.contains(where: { $0.bytes != nil }) else { return }
        for index in stores.indices {
            if files.stores[index].isFaulty || stores[index].isFolderFailing { try await reopenFolder(index) }
            try await checkFiles(index)
        }
        for _ in stores.indices {
            for from in stores.indices { for to in stores.indices where from < to { try await sync(from, to) } }
        }
        var all: [There] = []
        for index in stores.indices {
            try await checkFiles(index)
            guard let found = try await look(at: index) else { throw Failure("store \(index) does not know its files") }
            all.append(found)
        }
        let anywhere = all.reduce(into: Set<FileHash>()) { $0.formUnion($1.there) }
        for (index, found) in all.enumerated() {
            let lacks = found.shown.subtracting(found.there)
            guard lacks.isDisjoint(with: anywhere) else {
                throw Failure("store \(index) lacks \(lacks.intersection(anywhere).sorted()), which another store has")
            }
            let lost = lacks.subtracting(files.lost)
            guard lost.isEmpty else { throw Failure("no store has \(lost.sorted()), which store \(index) shows") }
        }
        for index in stores.indices {
            for _ in 0..<3 { try await compact(index) }
            try await stores[index].untilRemoved()
            try await checkFiles(index)
            let unnamed = try await stores[index].unnamedFiles()
            guard unnamed.isEmpty else { throw Failure("store \(index) keeps \(unnamed.sorted()), which nothing names") }
        }
    }

    /// Reads a file. A client that got other bytes has the store check them.
    private func hasRightBytes(_ hash: FileHash, in index: Int) async throws -> Bool {
        var harness = stores[index].harness
        switch await harness.ask(one, .file(.get(GetFile(hash: hash)))) {
        case .filePart(let data, _, _)? where data == files.bytes[hash]: return true
        case .filePart?:
            guard case .fileChecked(isThere: false)? = await harness.ask(one, .file(.check(hash))) else {
                guard stores[index].isFolderFailing || files.stores[index].isFaulty else {
                    throw Failure("store \(index) does not notice other bytes of \(hash)")
                }
                return false
            }
        case .failed?: break
        case let response: throw Failure("the bytes of \(hash) in store \(index) are \(String(describing: response))")
        }
        return false
    }
}
