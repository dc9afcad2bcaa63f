package import NotesStore

/// The folders of files of a store in memory, on a disk that loses what was not synced at a power cut.
///
/// The process can be killed after each call, and calls can fail.
package final class SimulatedFolder: FolderCalls {
    /// Which names a power cut may lose.
    package enum Order: CaseIterable, Sendable {
        /// Changes of names become durable in their order, and each sync of anything includes those before it, as in the
        /// journal of a usual file system.
        case journal
        /// Each change of a name that was not synced may be lost while later ones are not.
        case none
    }

    private enum Change: Sendable {
        case write(offset: Int, bytes: [UInt8])
        case truncate(Int)

        func apply(to content: inout [UInt8]) {
            switch self {
            case .truncate(let size):
                if size <= content.count { content.removeLast(content.count - size) }
            case .write(let offset, let bytes):
                let end = offset + bytes.count
                if content.count < end { content += [UInt8](repeating: 0, count: end - content.count) }
                content.replaceSubrange(offset..<end, with: bytes)
            }
        }
    }

    /// Bytes with any number of names.
    private struct Content: Sendable {
        var bytes: [UInt8] = []
        var durable: [UInt8] = []
        /// The changes since the last sync.
        var changes: [Change] = []
        var isProtected = false
        var changed: Int
    }

    private struct Place: Hashable, Sendable {
        let folder: Subfolder
        let name: String
    }

    /// The contents that names get in one change; nil for a name that is removed.
    private typealias Renaming = [(place: Place, content: Int?)]

    private var contents: [Int: Content] = [:]
    private var names: [Place: Int] = [:]
    private var durableNames: [Place: Int] = [:]
    private var renamings: [Renaming] = []
    private var opened: [Int32: Int] = [:]
    private var lastContent = 0
    private var lastFile: Int32 = 0
    private let order: Order

    /// The room of the disk, in bytes.
    package var roomMax = Int.max
    /// Seconds since 1970.
    package var now = 0
    /// Whether a sync of names that fails makes the system forget them, so that the next one succeeds and a power cut
    /// loses them. No program can then find out after a restart.
    package var forgetsUnsyncedNames = false
    /// Number of calls so far.
    package private(set) var calls = 0
    /// The number of the call after which the process is dead; nil if it lives on.
    package var lastCall: Int?
    /// The faults of calls to come, by the numbers of the calls.
    package var faults: [Int: FolderCallFault] = [:]

    package init(_ order: Order) {
        self.order = order
    }

    // MARK: Ends of the process

    /// Whether the process was killed.
    package var isDead: Bool { lastCall.map { calls >= $0 } ?? false }

    /// Begins another process on the same disk.
    package func restart() {
        opened = [:]
        lastCall = nil
        faults = [:]
    }

    /// Loses what was not synced, at random, and begins another process.
    package func cutPower(_ random: inout some RandomNumberGenerator) {
        let kept = order == .journal ? Int.random(in: 0...renamings.count, using: &random) : renamings.count
        for renaming in renamings.prefix(kept) {
            for change in renaming where order == .journal || Bool.random(using: &random) {
                durableNames[change.place] = change.content
            }
        }
        renamings = []
        names = durableNames
        for (number, var content) in contents {
            for change in content.changes where Bool.random(using: &random) {
                guard case .write(let offset, let bytes) = change, Bool.random(using: &random) else {
                    change.apply(to: &content.durable)
                    continue
                }
                // A torn write: only its beginning, or its size with other bytes.
                let written = bytes.prefix(Int.random(in: 0...bytes.count, using: &random))
                let rest = Bool.random(using: &random) ? [UInt8](repeating: 0, count: bytes.count - written.count) : []
                Change.write(offset: offset, bytes: written + rest).apply(to: &content.durable)
            }
            (content.bytes, content.changes) = (content.durable, [])
            // The mode follows the file's name in the journal.
            content.isProtected = content.isProtected && names.contains { $0.key.folder != .parts && $0.value == number }
            contents[number] = content
        }
        restart()
    }

    /// The same disk, as a process that is killed now leaves it.
    package func copied() -> sending SimulatedFolder {
        let copy = SimulatedFolder(order)
        (copy.contents, copy.names, copy.durableNames, copy.renamings) = (contents, names, durableNames, renamings)
        (copy.lastContent, copy.roomMax, copy.now) = (lastContent, roomMax, now)
        return copy
    }

    // MARK: Looking and meddling

    /// Puts a file into a folder, durably.
    package func put(_ bytes: [UInt8], as name: String, in folder: Subfolder) {
        lastContent += 1
        contents[lastContent] = Content(bytes: bytes, durable: bytes, isProtected: folder != .parts, changed: now)
        let place = Place(folder: folder, name: name)
        (names[place], durableNames[place]) = (lastContent, lastContent)
    }

    /// The bytes in a folder, by their names.
    package func contents(of folder: Subfolder) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for (place, content) in names where place.folder == folder { found[place.name] = contents[content]?.bytes }
        return found
    }

    /// Replaces bytes durably, as a faulty disk does.
    package func damage(_ name: String, in folder: Subfolder, with bytes: [UInt8]) {
        guard let content = names[Place(folder: folder, name: name)] else { preconditionFailure("no file \(name)") }
        contents[content]?.bytes = bytes
        contents[content]?.durable = bytes
    }

    // MARK: The calls

    /// Counts a call that the system then makes.
    private func count() throws(FolderCallFault) {
        guard !isDead else { throw .failed("the process has ended") }
        calls += 1
        if let fault = faults.removeValue(forKey: calls) { throw fault }
    }

    private func content(of file: Int32) -> Int {
        guard let content = opened[file] else { preconditionFailure("the file \(file) is not open") }
        return content
    }

    private func rename(_ renaming: Renaming) {
        for change in renaming { names[change.place] = change.content }
        renamings.append(renaming)
    }

    private func opening(_ content: Int) -> Int32 {
        lastFile += 1
        opened[lastFile] = content
        return lastFile
    }

    package func make(_ folder: Subfolder) throws(FolderCallFault) {
        try count()
    }

    package func entries(of folder: Subfolder) throws(FolderCallFault) -> [FolderEntry] {
        try count()
        return names.compactMap { place, number in
            guard place.folder == folder, let content = contents[number] else { return nil }
            return FolderEntry(
                name: place.name, bytes: content.bytes.count, isPlain: true, isProtected: content.isProtected,
                changed: content.changed)
        }
    }

    package func open(_ name: String, in folder: Subfolder) throws(FolderCallFault) -> Int32 {
        try count()
        guard let content = names[Place(folder: folder, name: name)] else { throw .missing }
        return opening(content)
    }

    package func openForWriting(_ name: String, in folder: Subfolder) throws(FolderCallFault) -> Int32 {
        try count()
        let place = Place(folder: folder, name: name)
        if let content = names[place] {
            guard contents[content]?.isProtected == false else { throw .failed("Permission denied") }
            return opening(content)
        }
        lastContent += 1
        contents[lastContent] = Content(changed: now)
        rename([(place, lastContent)])
        return opening(lastContent)
    }

    package func close(_ file: Int32) {
        precondition(opened.removeValue(forKey: file) != nil || isDead, "the file \(file) is closed twice")
    }

    package func status(of file: Int32) throws(FolderCallFault) -> FileStatus {
        try count()
        let number = content(of: file)
        return FileStatus(
            bytes: contents[number]?.bytes.count ?? 0, names: names.values.count { $0 == number },
            isProtected: contents[number]?.isProtected ?? false)
    }

    package func read(_ count: Int, at offset: Int, from file: Int32) throws(FolderCallFault) -> [UInt8] {
        try self.count()
        return Array(contents[content(of: file)]?.bytes.dropFirst(offset).prefix(count) ?? [])
    }

    package func write(_ bytes: ArraySlice<UInt8>, at offset: Int, to file: Int32) throws(FolderCallFault) {
        do throws(FolderCallFault) {
            try count()
            guard bytes.count <= roomMax - usedBytes else { throw .noRoom("No space left on device") }
        } catch {
            // A write that fails may have written a part.
            if !isDead { change(file, .write(offset: offset, bytes: Array(bytes.prefix(bytes.count / 2)))) }
            throw error
        }
        change(file, .write(offset: offset, bytes: Array(bytes)))
    }

    private var usedBytes: Int {
        Set(names.values).reduce(0) { $0 + (contents[$1]?.bytes.count ?? 0) }
    }

    private func change(_ file: Int32, _ change: Change) {
        let number = content(of: file)
        guard var content = contents.removeValue(forKey: number) else { return }
        change.apply(to: &content.bytes)
        content.changes.append(change)
        content.changed = now
        contents[number] = content
    }

    package func truncate(_ file: Int32, to bytes: Int) throws(FolderCallFault) {
        try count()
        change(file, .truncate(bytes))
    }

    package func sync(_ file: Int32) throws(FolderCallFault) {
        let number = content(of: file)
        do throws(FolderCallFault) { try count() } catch {
            // The system forgets what it could not write, so the next sync succeeds.
            if !isDead { contents[number]?.changes = [] }
            throw error
        }
        if var content = contents.removeValue(forKey: number) {
            for change in content.changes { change.apply(to: &content.durable) }
            content.changes = []
            contents[number] = content
        }
        if order == .journal { syncNames { _ in true } }
    }

    package func protect(_ file: Int32) throws(FolderCallFault) {
        try count()
        contents[content(of: file)]?.isProtected = true
    }

    package func link(
        _ name: String, in folder: Subfolder, to other: String, in target: Subfolder
    ) throws(FolderCallFault) {
        try count()
        guard let content = names[Place(folder: folder, name: name)] else { throw .missing }
        let place = Place(folder: target, name: other)
        guard names[place] == nil else { throw .exists }
        rename([(place, content)])
    }

    package func move(_ name: String, from folder: Subfolder, to target: Subfolder) throws(FolderCallFault) {
        try count()
        let place = Place(folder: folder, name: name)
        guard let content = names[place] else { throw .missing }
        rename([(Place(folder: target, name: name), content), (place, nil)])
    }

    package func remove(_ name: String, from folder: Subfolder) throws(FolderCallFault) {
        try count()
        let place = Place(folder: folder, name: name)
        guard names[place] != nil else { throw .missing }
        rename([(place, nil)])
    }

    package func sync(_ folder: Subfolder) throws(FolderCallFault) {
        do throws(FolderCallFault) { try count() } catch {
            if !isDead, forgetsUnsyncedNames { renamings = [] }
            throw error
        }
        syncNames { order == .journal || $0.folder == folder }
    }

    private func syncNames(_ isSynced: (Place) -> Bool) {
        renamings = renamings.compactMap { renaming in
            for change in renaming where isSynced(change.place) { durableNames[change.place] = change.content }
            let rest = renaming.filter { !isSynced($0.place) }
            return rest.isEmpty ? nil : rest
        }
    }

    package func freeBytes() throws(FolderCallFault) -> Int {
        try count()
        return roomMax - usedBytes
    }
}
