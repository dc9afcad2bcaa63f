package import Console
import Dispatch
import Glibc
import Synchronization

/// Reports which files and folders below a folder may have changed, through inotify.
///
/// Events are hints: the caller looks at the paths. A folder is covered before it is read, so that no
/// change falls between both.
package final class FolderWatch {
    /// The paths at which something may have changed, relative to the folder.
    struct Changes: Equatable {
        var paths: Set<[UInt8]> = []
        /// The paths that were deleted and then made anew, and not moved: git writes files in this way.
        var remade: Set<[UInt8]> = []
        /// The paths that were deleted.
        fileprivate var deleted: Set<[UInt8]> = []
        /// Whether changes may be missing from `paths`, because the kernel or this process dropped some, or
        /// a folder cannot be watched.
        var isIncomplete = false
    }

    private let source: any DispatchSourceRead
    private let events: FolderEvents

    /// - Parameter changed: called on a thread of its own after any number of changes.
    /// - Throws: the error if the kernel has no room for another instance.
    package init(changed: @escaping @Sendable () -> Void) throws(Descriptor.OpenError) {
        let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard number >= 0 else { throw Descriptor.OpenError(number: errno) }
        events = FolderEvents(number)
        source = DispatchSource.makeReadSource(fileDescriptor: number, queue: DispatchQueue(label: "notesctl.folder"))
        source.setEventHandler { [events] in
            events.collect()
            changed()
        }
        source.setCancelHandler { close(number) }
        source.resume()
    }

    deinit {
        source.cancel()
    }

    /// Watches a folder. One that is watched already stays so, under the new path if it was moved.
    ///
    /// - Parameters:
    ///   - path: where to find the folder.
    ///   - name: its path relative to the mirrored folder; nil for a folder elsewhere.
    func cover(_ path: [UInt8], as name: [UInt8]?) {
        events.cover(path, as: name)
    }

    /// The error of a folder that could not be watched; nil if all are watched.
    var error: Int32? { events.error }

    /// Forgets changes and errors, before everything is read and covered again.
    func startAnew() {
        events.collect()
        events.forget()
    }

    /// All changes until now since the last call.
    func take() -> Changes {
        events.collect()
        return events.take()
    }
}

/// The events of the kernel that were read and not taken.
private final class FolderEvents: Sendable {
    struct State {
        /// The watched folders by the numbers of the kernel: the path relative to the mirrored folder; nil
        /// for a folder elsewhere, of which only the event counts.
        var watched: [Int32: [UInt8]?] = [:]
        var changes = FolderWatch.Changes()
        /// The error that the kernel gave for the last folder that cannot be watched.
        var error: Int32?
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    /// Most paths that are kept until they are taken.
    private static let pathsMax = 10_000

    private static let mask =
        UInt32(
            IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
                | IN_ATTRIB)
        | UInt32(IN_ONLYDIR) | UInt32(IN_DONT_FOLLOW) | UInt32(IN_EXCL_UNLINK)

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    var error: Int32? { state.withLock { $0.error } }

    func cover(_ path: [UInt8], as name: [UInt8]?) {
        state.withLock { state in
            let number = path.withCPath { inotify_add_watch(descriptor, $0, Self.mask) }
            if number >= 0 {
                state.watched[number] = .some(name)
            } else if errno != ENOENT && errno != ENOTDIR {
                state.error = errno
            }
        }
    }

    func forget() {
        state.withLock { ($0.changes, $0.error) = (FolderWatch.Changes(), nil) }
    }

    func take() -> FolderWatch.Changes {
        state.withLock { state in
            defer { state.changes = FolderWatch.Changes() }
            return state.changes
        }
    }

    func collect() {
        state.withLock { state in
            var buffer = [UInt8](repeating: 0, count: 64 * 1_024)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return }
                buffer.withUnsafeBytes { bytes in
                    var place = 0
                    while place + Self.headBytes <= count {
                        let number = bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)
                        let mask = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                        let length = Int(bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
                        let name = bytes[(place + Self.headBytes)..<min(count, place + Self.headBytes + length)].prefix {
                            $0 != 0
                        }
                        state.take(number, mask, Array(name), pathsMax: Self.pathsMax)
                        place += Self.headBytes + length
                    }
                }
            }
        }
    }

    /// Bytes of an event before its name: `wd`, `mask`, `cookie` and `len` of inotify(7).
    private static let headBytes = 16
}

extension FolderEvents.State {
    /// Takes in an event of the kernel.
    fileprivate mutating func take(_ number: Int32, _ mask: UInt32, _ name: [UInt8], pathsMax: Int) {
        if mask & UInt32(IN_Q_OVERFLOW) != 0 { changes.isIncomplete = true }
        guard let folder = watched[number] else { return }
        if mask & UInt32(IN_IGNORED) != 0 {
            watched[number] = nil
            return
        }
        guard let folder else { return }
        guard !name.isEmpty else {
            // The folder itself. Its parent reports it too, except for the outermost one.
            if folder.isEmpty { changes.isIncomplete = true } else { changes.paths.insert(folder) }
            return
        }
        let path = folder.isEmpty ? name : folder + [UInt8(ascii: "/")] + name
        changes.paths.insert(path)
        if mask & UInt32(IN_DELETE) != 0 {
            changes.deleted.insert(path)
            changes.remade.remove(path)
        } else if mask & UInt32(IN_CREATE) != 0, changes.deleted.contains(path) {
            changes.remade.insert(path)
        } else if mask & UInt32(IN_MOVED_TO) != 0 {
            changes.remade.remove(path)
        }
        if changes.paths.count > pathsMax { changes = FolderWatch.Changes(isIncomplete: true) }
    }
}
