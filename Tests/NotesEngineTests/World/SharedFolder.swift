import NotesStore
import StoreTestKit
import Synchronization

/// A simulated folder of files that a store uses on one thread, and a test on another.
final class SharedFolder: FolderCalls, Sendable {
    private let disk: Mutex<SimulatedFolder>

    init(_ disk: sending SimulatedFolder) {
        self.disk = Mutex(disk)
    }

    /// Looks at the folder, or meddles with it.
    func with<Value: Sendable>(_ body: (SimulatedFolder) -> Value) -> Value {
        disk.withLock { body($0) }
    }

    /// The folder as a process that is killed now leaves it.
    func copied() -> SharedFolder {
        SharedFolder(disk.withLock { $0.copied() })
    }

    private func call<Value: Sendable>(
        _ body: (SimulatedFolder) throws(FolderCallFault) -> Value
    ) throws(FolderCallFault) -> Value {
        try disk.withLock { (disk) throws(FolderCallFault) in try body(disk) }
    }

    // MARK: The calls

    func make(_ folder: Subfolder) throws(FolderCallFault) {
        try call { (disk) throws(FolderCallFault) in try disk.make(folder) }
    }

    func entries(of folder: Subfolder) throws(FolderCallFault) -> [FolderEntry] {
        try call { (disk) throws(FolderCallFault) in try disk.entries(of: folder) }
    }

    func open(_ name: String, in folder: Subfolder) throws(FolderCallFault) -> Int32 {
        try call { (disk) throws(FolderCallFault) in try disk.open(name, in: folder) }
    }

    func openForWriting(_ name: String, in folder: Subfolder) throws(FolderCallFault) -> Int32 {
        try call { (disk) throws(FolderCallFault) in try disk.openForWriting(name, in: folder) }
    }

    func close(_ file: Int32) {
        with { $0.close(file) }
    }

    func status(of file: Int32) throws(FolderCallFault) -> FileStatus {
        try call { (disk) throws(FolderCallFault) in try disk.status(of: file) }
    }

    func read(_ count: Int, at offset: Int, from file: Int32) throws(FolderCallFault) -> [UInt8] {
        try call { (disk) throws(FolderCallFault) in try disk.read(count, at: offset, from: file) }
    }

    func write(_ bytes: ArraySlice<UInt8>, at offset: Int, to file: Int32) throws(FolderCallFault) {
        try call { (disk) throws(FolderCallFault) in try disk.write(bytes, at: offset, to: file) }
    }

    func truncate(_ file: Int32, to bytes: Int) throws(FolderCallFault) {
        try call { (disk) throws(FolderCallFault) in try disk.truncate(file, to: bytes) }
    }

    func sync(_ file: Int32) throws(FolderCallFault) {
        try call { (disk) throws(FolderCallFault) in try disk.sync(file) }
    }

    func protect(_ file: Int32) throws(FolderCallFault) {
        try call { (disk) throws(FolderCallFault) in try disk.protect(file) }
    }

    func link(
        _ name: String, in folder: Subfolder, to other: String, in target: Subfolder
    ) throws(FolderCallFault) {
        try call { (disk) throws(FolderCallFault) in try disk.link(name, in: folder, to: other, in: target) }
    }

    func move(_ name: String, from folder: Subfolder, to target: Subfolder) throws(FolderCallFault) {
        try call { (disk) throws(FolderCallFault) in try disk.move(name, from: folder, to: target) }
    }

    func remove(_ name: String, from folder: Subfolder) throws(FolderCallFault) {
        try call { (disk) throws(FolderCallFault) in try disk.remove(name, from: folder) }
    }

    func sync(_ folder: Subfolder) throws(FolderCallFault) {
        try call { (disk) throws(FolderCallFault) in try disk.sync(folder) }
    }

    func freeBytes() throws(FolderCallFault) -> Int {
        try call { (disk) throws(FolderCallFault) in try disk.freeBytes() }
    }
}
