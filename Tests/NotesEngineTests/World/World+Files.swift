import Causality
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import NotesStore
import StoreTestKit
import TestKit

/// What clients do with files. All connections of a store may upload, and each write is by the first one.
extension World {
    /// One action on a file, or on the folder of a store.
    mutating func actOnFiles(_ kind: WorldStep.Kind, _ random: inout SeededGenerator) async throws {
        let (store, note) = (random.below(stores.count), random.pick(files.notes))
        switch kind {
        case .saveFile: try await saveFile(note, in: store, &random)
        case .uploadFile: _ = try await upload(files.content(&random), to: store, mayBreak: true, &random)
        case .undoFile: try await undoFile(note, in: store, &random)
        case .deleteFile: try await deleteFile(note, in: store)
        case .purgeFile: try await purgeFile(note, in: store, &random)
        case .rotFile: rotFile(in: store, &random)
        case .endFolder: stores[store].bytes?.with { $0.lastCall = $0.calls + 1 + random.below(25) }
        case .failFolder:
            let fault = random.pick([FolderCallFault.noRoom("No space left on device"), .failed("Input/output error")])
            stores[store].bytes?.with { $0.faults[$0.calls + 1 + random.below(10)] = fault }
            files.stores[store].isFaulty = true
        default:
            stores[store].bytes?.with { $0.now = 1_700_000_000 - random.pick([0, 100_000]) }
            try await compact(store)
        }
        try await checkFiles(store)
    }

    /// Uploads bytes in parts.
    ///
    /// - Parameter mayBreak: whether the client may leave without having sent everything.
    /// - Returns: whether the store said that they are there.
    private mutating func upload(
        _ content: FileContent, to store: Int, mayBreak: Bool, _ random: inout SeededGenerator
    ) async throws -> Bool {
        let (data, client) = (files.bytes[content.hash] ?? [], random.pick([one, two]))
        var (offset, differs) = (0, 0)
        var request = FileRequest.begin(BeginFile(content))
        for _ in 0..<40 {
            if mayBreak, random.chance(0.2) { return false }
            switch await stores[store].harness.ask(client, .file(request)) {
            case .upload(isThere: true, _, _)?:
                files.stores[store].promised.insert(content.hash)
                return true
            case .upload(isThere: false, let next, isWanted: true)?: offset = next
            // The end of the part was torn in a power cut.
            case .failed(.file(.differs))? where differs == 0: (offset, differs) = (0, 1)
            case .failed(.file(.tooManyUploads))?: return false
            case .failed(.storageFailed)?, .failed(.storageFull)?:
                guard stores[store].isFolderFailing || files.stores[store].isFaulty else {
                    throw Failure("store \(store) refused the upload of \(content.hash), and its folder is well")
                }
                return false
            case nil where stores[store].disk.isFailing: return false
            case let response:
                throw Failure("the upload of \(content.hash) to store \(store) got \(String(describing: response))")
            }
            let end = random.chance(0.5) ? data.count : min(data.count, offset + random.below(900))
            request = .put(PutFile(content: content, offset: offset, data: Array(data[min(offset, end)..<end])))
        }
        return false
    }

    /// Gives a note other bytes, on a version that some client was sent, or creates it.
    private mutating func saveFile(_ note: NoteID, in store: Int, _ random: inout SeededGenerator) async throws {
        let content = files.content(&random)
        guard try await upload(content, to: store, mayBreak: false, &random) else { return }
        if random.chance(0.1) { try await compact(store) }
        let shown = try await shownFile(note, in: store)
        let command: Command
        if shown != nil, let base = files.versions[note]?.suffix(4).randomElement(using: &random) {
            command = .saveNote(SaveNote(id: note, base: base, file: content))
        } else {
            let name = random.chance(0.3) ? ByteString("f\(random.below(3)).png") : nil
            command = .createNote(CreateNote(id: note, isIDChosen: true, name: name, text: [], file: content))
        }
        switch try await submit(command, to: store) {
        case .open(let dot?): try await acknowledge(dot, content, of: note, by: store)
        case .open(nil): break
        case .answered(.created(let head, _)?):
            guard let dot = head.version.single else { throw Failure("\(note) was made by several revisions") }
            try await acknowledge(dot, content, of: note, by: store)
        case .answered(.wrote(let outcome, _, _)?):
            if let dot = outcome.dot { try await acknowledge(dot, content, of: note, by: store) }
        case .answered(.refused(.unknownBase)?), .answered(.refused(.noteNotFound)?), .answered(.refused(.nameTaken)?),
            .answered(.refused(.noteExists)?):
            break
        case .answered(.refused(.revisionGone)?) where isAnyTextGone: break
        case .answered(.failed(.file(.missing))?) where !isPromised(content, in: store): break
        case let response: throw Failure("the save of \(content.hash) in store \(store) got \(String(describing: response))")
        }
        _ = try await shownFile(note, in: store)
    }

    private func isPromised(_ content: FileContent, in store: Int) -> Bool {
        files.stores[store].promised.contains(content.hash) && !files.stores[store].isFaulty
            && !files.stores[store].rotten.contains(content.hash)
    }

    /// Notes that a write of a file was acknowledged, or is there after its daemon ended.
    private mutating func acknowledge(_ dot: Dot, _ content: FileContent, of note: NoteID, by store: Int) async throws {
        files.writes[dot] = content
        judge.restore(store, holding: judge.held[store].union([dot]))
        let shown = try await surviving(store) { try await $0.note(note) }
        guard let shown, FileContent.all(of: shown.text).contains(content) else {
            throw Failure("\(note) was given \(content.hash) in store \(store), and does not show it")
        }
        // The turn of the commit checked that the bytes are there.
        let isCertain = !stores[store].isFolderFailing && !files.stores[store].isFaulty
        if isCertain, !files.stores[store].rotten.contains(content.hash) { files.stores[store].present.insert(content.hash) }
    }

    /// What a note shows, whose version clients may build on from now on; nil if it is not there.
    @discardableResult
    private mutating func shownFile(_ note: NoteID, in store: Int) async throws -> NoteResponse? {
        guard let shown = try await stores[store].note(note) else { return nil }
        if files.versions[note]?.last != shown.head.version { files.versions[note, default: []].append(shown.head.version) }
        return shown
    }

    private mutating func undoFile(_ note: NoteID, in store: Int, _ random: inout SeededGenerator) async throws {
        guard let shown = try await shownFile(note, in: store) else { return }
        let past = try await stores[store].revisions(of: note).filter { !$0.parents.isNothing && !$0.isPurge }.map(\.dot)
        guard !past.isEmpty else { return }
        let undo = UndoNote(id: note, base: shown.head.version, revisions: [random.pick(past)])
        _ = try await submit(.undoNote(undo), to: store)
        try await shownFile(note, in: store)
    }

    private mutating func deleteFile(_ note: NoteID, in store: Int) async throws {
        guard let shown = try await shownFile(note, in: store) else { return }
        _ = try await submit(.deleteNote(DeleteNote(id: note, base: shown.head.version)), to: store)
        try await shownFile(note, in: store)
    }

    /// Purges a note, which is deleted first in most cases. Bytes that only erased revisions named are not there from
    /// the response on.
    private mutating func purgeFile(_ note: NoteID, in store: Int, _ random: inout SeededGenerator) async throws {
        if random.chance(0.7) { try await deleteFile(note, in: store) }
        guard let shown = try await shownFile(note, in: store) else { return }
        let below = Set(try await stores[store].harness.dots(of: note).all)
        let command = Command.purgeNote(PurgeNote(id: note, base: shown.head.version))
        switch try await submit(command, to: store) {
        case .open(nil): break
        case .answered(.refused(.cannotPurge)?) where !shown.head.conflicts.isEmpty: break
        case .open(let dot?), .answered(.purged(let dot, _, _, _)?):
            isAnyTextGone = true
            judge.restore(store, holding: judge.held[store].union([dot]))
            let kept = Set(FileContent.all(of: shown.text).map(\.hash))
            files.purges[dot] = WorldFiles.Purge(note: note, erased: below, kept: kept)
            files.stores[store].purges.insert(dot)
            let gone = files.erased(by: [dot])
            files.lost.formUnion(gone)
            for index in files.stores.indices { files.stores[index].promised.subtract(gone) }
        case .answered(let response): throw Failure("the purge of \(note) was not accepted: \(String(describing: response))")
        }
        try await shownFile(note, in: store)
    }

    /// The disk changes bytes of a file, which nobody notices yet.
    private mutating func rotFile(in store: Int, _ random: inout SeededGenerator) {
        guard let bytes = stores[store].bytes else { return }
        let there = bytes.with { $0.contents(of: .files) }
        guard let name = there.keys.sorted().randomElement(using: &random), var data = there[name], !data.isEmpty,
            let hash = FileHash(parsing: name.utf8)
        else { return }
        if random.chance(0.3) { data.removeLast() } else { data[random.below(data.count)] ^= 1 }
        let damaged = data
        bytes.with { $0.damage(name, in: .files, with: damaged) }
        files.stores[store].rotten.insert(hash)
        files.stores[store].present.remove(hash)
        files.lost.insert(hash)
        files.damaged.insert(hash)
    }
}
