import Dispatch
import Glibc

/// Reports that something below a folder has changed, through inotify. What changed is found by a scan,
/// so events that the kernel drops cost nothing but time.
final class FolderWatch {
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private var watched: [Int32: [UInt8]] = [:]

    private static let events =
        UInt32(
            IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
                | IN_ATTRIB)
        | UInt32(IN_ONLYDIR) | UInt32(IN_DONT_FOLLOW) | UInt32(IN_EXCL_UNLINK)

    /// - Parameter changed: called on a thread of its own after any number of changes.
    /// - Throws: the error if the kernel has no room for another instance.
    init(changed: @escaping @Sendable () -> Void) throws(Descriptor.OpenError) {
        let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard number >= 0 else { throw Descriptor.OpenError(number: errno) }
        descriptor = number
        source = DispatchSource.makeReadSource(fileDescriptor: number, queue: DispatchQueue(label: "notesctl.folder"))
        source.setEventHandler {
            var buffer = [UInt8](repeating: 0, count: 64 * 1_024)
            while read(number, &buffer, buffer.count) > 0 {}
            changed()
        }
        source.setCancelHandler { close(number) }
        source.resume()
    }

    deinit {
        source.cancel()
    }

    /// Watches folders. Those that are watched already stay so.
    ///
    /// - Parameter folders: their paths.
    /// - Returns: whether a folder is new, so that files in it may have been missed; and the error if a
    ///   folder cannot be watched.
    func cover(_ folders: [[UInt8]]) -> (isNew: Bool, error: Int32?) {
        var (isNew, error) = (false, Int32?.none)
        for folder in folders {
            let number = folder.withCPath { inotify_add_watch(descriptor, $0, Self.events) }
            if number < 0 {
                if errno != ENOENT && errno != ENOTDIR { error = errno }
            } else if watched.updateValue(folder, forKey: number) != folder {
                isNew = true
            }
        }
        return (isNew, error)
    }
}
