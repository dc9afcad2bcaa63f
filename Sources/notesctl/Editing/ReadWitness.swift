#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Sees whether another program reads a file of a directory, by what the system tells of it (inotify). Where the system does not, it never
/// sees any.
struct ReadWitness: ~Copyable {
    private let events: Descriptor
    private let name: [UInt8]
    private var chunk = [UInt8](repeating: 0, count: 16 * 1_024)
    /// Of the move that puts the file there that is waited for.
    private var cookie: UInt32?
    private var expected: [UInt8]?

    init(directory: String, name: String) {
        events = Descriptor(inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)))
        self.name = Array(name.utf8)
        let wanted = UInt32(IN_CLOSE_NOWRITE) | UInt32(IN_OPEN) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
        _ = inotify_add_watch(events.number, directory, wanted)
    }

    /// The file is about to be taken from another name: what happens before that is of no account.
    mutating func willMove(from other: String) {
        expected = Array(other.utf8)
    }

    /// Whether somebody read the file and closed it since the last time, and since it was moved there.
    mutating func sawReading() -> Bool {
        var wasRead = false
        while true {
            let count = read(events.number, &chunk, chunk.count)
            guard count > 0 else { return wasRead && expected == nil }
            var place = 0
            while place + Self.headBytes <= count {
                let (mask, cookie, length) = (number(at: place + 4), number(at: place + 8), Int(number(at: place + 12)))
                let bytes = chunk[place + Self.headBytes..<min(count, place + Self.headBytes + length)]
                let file = Array(bytes.prefix { $0 != 0 })
                place += Self.headBytes + length
                if mask & UInt32(IN_MOVED_FROM) != 0, file == expected { self.cookie = cookie }
                if mask & UInt32(IN_MOVED_TO) != 0, file == name, cookie == self.cookie {
                    (expected, self.cookie, wasRead) = (nil, nil, false)
                }
                if mask & UInt32(IN_CLOSE_NOWRITE) != 0, file == name, expected == nil { wasRead = true }
            }
        }
    }

    /// `struct inotify_event` without the name: watch, mask, cookie, length.
    private static let headBytes = 16

    private func number(at place: Int) -> UInt32 {
        chunk[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
