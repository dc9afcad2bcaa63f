import Dependents
import Dispatch
import NotesModel
import NotesStore
import Synchronization

/// A running backup, on a separate thread.
final class BackupJob: Sendable {
    let dependent: DependentID
    let requestNumber: UInt64
    private let end = Mutex<BackupEnd?>(nil)
    private let work = DispatchGroup()

    init(dependent: DependentID, requestNumber: UInt64) {
        self.dependent = dependent
        self.requestNumber = requestNumber
    }

    func start(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "notesd.backup", qos: .utility).async(group: work, execute: body)
    }

    /// Why the backup is to end early; nil if it is not.
    var asked: BackupEnd? { end.withLock { $0 } }

    /// Requests an early end. The first reason counts.
    func end(_ reason: BackupEnd) {
        end.withLock { $0 = $0 ?? reason }
    }

    /// Waits until the backup has ended.
    func wait() {
        work.wait()
    }
}
