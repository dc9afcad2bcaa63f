import CSQLite
import Glibc
import NotesSQL
import Synchronization
import TestKit

/// The disk of a store of a world, some of whose calls fail: those by which SQLite writes to the files of one
/// folder. Reads never fail.
///
/// Its file system is SQLite's default in this process, below the one of `PageGaps`, and passes everything on
/// for files in other folders.
final class FailingDisk: Sendable {
    enum Trouble: CaseIterable {
        /// No write finds room.
        case full
        /// Writes fail, for no reason that the program could remove.
        case writes
        /// Syncs fail, and the system drops what was not synced, or keeps it.
        case syncsThatDrop, syncs
    }

    private struct State {
        var trouble: Trouble?
        /// The calls that still succeed, and those that then fail.
        var sparing = 0
        var failing = 0
        /// Whether a call has ever failed.
        var hasFailed = false
        /// The bytes under what was written since the last sync of a file, oldest first, by the file's address.
        var unsynced: [UInt: [(offset: Int64, bytes: [UInt8])]] = [:]
    }

    private let folder: String
    private let state = Mutex(State())

    init(of folder: TemporaryDirectory) {
        self.folder = folder.path
        FailingFileSystem.serve(self, folder: folder.path)
    }

    deinit { FailingFileSystem.forget(folder: folder) }

    /// Whether calls may fail now.
    var isFailing: Bool { state.withLock { $0.trouble != nil } }
    /// Whether a call has failed.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// From now on, after some calls, a number of calls fail.
    func fail(_ trouble: Trouble, sparing: Int, failing: Int) {
        state.withLock { $0 = State(trouble: trouble, sparing: sparing, failing: failing, hasFailed: $0.hasFailed) }
    }

    func recover() { state.withLock { $0 = State(hasFailed: $0.hasFailed) } }

    /// Whether a call fails now: a write, or a sync.
    private func fails(isSync: Bool) -> Trouble? {
        state.withLock { state in
            guard let trouble = state.trouble, state.failing > 0 else { return nil }
            guard isSync == (trouble == .syncs || trouble == .syncsThatDrop) else { return nil }
            guard state.sparing == 0 else {
                state.sparing -= 1
                return nil
            }
            state.failing -= 1
            state.hasFailed = true
            return trouble
        }
    }

    // MARK: The calls

    fileprivate typealias File = UnsafeMutablePointer<sqlite3_file>
    fileprivate typealias Methods = UnsafePointer<sqlite3_io_methods>

    /// The error of a write that fails now; nil if it does not.
    fileprivate func errorOfWrite() -> Int32? {
        fails(isSync: false).map { $0 == .full ? SQLITE_FULL : SQLFault.ioWrite }
    }

    /// Keeps the bytes that a write replaces, if a failing sync may drop it.
    fileprivate func willWrite(_ file: File, _ system: Methods, _ count: Int32, _ offset: Int64) {
        guard state.withLock({ $0.trouble == .syncsThatDrop }) else { return }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        // A read past the end gives zeros, with which the log ends, too.
        _ = bytes.withUnsafeMutableBytes { system.pointee.xRead(file, $0.baseAddress, count, offset) }
        state.withLock { $0.unsynced[UInt(bitPattern: file), default: []].append((offset, bytes)) }
    }

    /// The error of a sync that fails now; nil if it does not.
    fileprivate func errorOfSync(_ file: File, _ system: Methods) -> Int32? {
        let trouble = fails(isSync: true)
        let replaced = state.withLock { $0.unsynced.removeValue(forKey: UInt(bitPattern: file)) } ?? []
        guard let trouble else { return nil }
        if trouble == .syncsThatDrop {
            for (offset, bytes) in replaced.reversed() {
                _ = bytes.withUnsafeBytes { system.pointee.xWrite(file, $0.baseAddress, Int32($0.count), offset) }
            }
        }
        return SQLFault.ioFsync
    }
}

/// The file system of the failing disks.
private enum FailingFileSystem {
    private struct Open: Sendable {
        /// The address of the methods of the system's file system.
        let system: UInt
        let disk: FailingDisk
    }

    private struct Weak: Sendable { weak let disk: FailingDisk? }

    private static let disks = Mutex<[String: Weak]>([:])
    /// The open files of failing disks, by their addresses.
    private static let files = Mutex<[UInt: Open]>([:])
    /// The address of the methods over each of the system's, which are few and live as long as the process.
    private static let tables = Mutex<[UInt: UInt]>([:])
    /// SQLite's own file system, which this one stands before from the first use on.
    private static let system: UInt = {
        guard let system = sqlite3_vfs_find(nil) else { return 0 }
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        own.initialize(to: system.pointee)
        own.pointee.zName = UnsafePointer(strdup("failing"))
        own.pointee.pNext = nil
        own.pointee.xOpen = { FailingFileSystem.open($1, $2, $3, $4) }
        sqlite3_vfs_register(own, 1)
        return UInt(bitPattern: system)
    }()

    static func serve(_ disk: FailingDisk, folder: String) {
        _ = system
        disks.withLock { $0[folder] = Weak(disk: disk) }
    }

    static func forget(folder: String) { disks.withLock { _ = $0.removeValue(forKey: folder) } }

    private static func open(
        _ path: UnsafePointer<CChar>?, _ file: FailingDisk.File?, _ flags: Int32, _ opened: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let system = UnsafeMutablePointer<sqlite3_vfs>(bitPattern: system) else { return SQLITE_CANTOPEN }
        let code = system.pointee.xOpen(system, path, file, flags, opened)
        guard code == SQLITE_OK, let path, let file, let methods = file.pointee.pMethods else { return code }
        let folder = String(cString: path).split(separator: "/").dropLast().map { "/\($0)" }.joined()
        guard let disk = disks.withLock({ $0[folder]?.disk }) else { return code }
        let place = Open(system: UInt(bitPattern: methods), disk: disk)
        files.withLock { $0[UInt(bitPattern: file)] = place }
        file.pointee.pMethods = FailingDisk.Methods(bitPattern: table(over: methods))
        return code
    }

    private static func table(over system: FailingDisk.Methods) -> UInt {
        tables.withLock { tables in
            if let known = tables[UInt(bitPattern: system)] { return known }
            let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            table.initialize(to: system.pointee)
            table.pointee.xClose = { file in
                guard let file, let (system, _) = FailingFileSystem.place(of: file) else { return SQLITE_IOERR }
                FailingFileSystem.files.withLock { _ = $0.removeValue(forKey: UInt(bitPattern: file)) }
                return system.pointee.xClose(file)
            }
            table.pointee.xWrite = { file, bytes, count, offset in
                guard let file, let (system, disk) = FailingFileSystem.place(of: file) else { return SQLITE_IOERR }
                if let code = disk.errorOfWrite() { return code }
                disk.willWrite(file, system, count, offset)
                return system.pointee.xWrite(file, bytes, count, offset)
            }
            table.pointee.xSync = { file, flags in
                guard let file, let (system, disk) = FailingFileSystem.place(of: file) else { return SQLITE_IOERR }
                return disk.errorOfSync(file, system) ?? system.pointee.xSync(file, flags)
            }
            tables[UInt(bitPattern: system)] = UInt(bitPattern: table)
            return UInt(bitPattern: table)
        }
    }

    private static func place(of file: FailingDisk.File) -> (system: FailingDisk.Methods, disk: FailingDisk)? {
        guard let open = files.withLock({ $0[UInt(bitPattern: file)] }), let system = FailingDisk.Methods(bitPattern: open.system)
        else { return nil }
        return (system, open.disk)
    }
}
