import Glibc

/// Many connections that only listen. The pool counts what arrives, at a cost that is small
/// compared with the kernel's.
final class WatcherPool {
    /// Format of the incoming data.
    enum Framing {
        /// Lines of the daemon.
        case lines
        /// Messages of equal length in bytes; each counts as one change.
        case messages(bytes: Int)
    }

    struct Tally {
        /// Number of `note.changed` lines, or of messages.
        var lines = 0
        /// Number of lines that report several changes.
        var coalescedLines = 0
        /// Number of changes that all lines report.
        var changes = 0
        var resets = 0
        var bytes = 0

        /// Number of lines that report one change.
        var singleLines: Int { lines - coalescedLines }

        static func - (left: Self, right: Self) -> Self {
            Self(
                lines: left.lines - right.lines, coalescedLines: left.coalescedLines - right.coalescedLines,
                changes: left.changes - right.changes, resets: left.resets - right.resets, bytes: left.bytes - right.bytes)
        }
    }

    var count: Int { descriptors.count }

    private(set) var tally = Tally()
    /// Number of changes that each connection received.
    private(set) var changes: [Int]
    /// Lines that the first connection received since this was last emptied.
    var recorded: [UInt8] = []

    private let descriptors: [Descriptor]
    private let writer: String
    private let framing: Framing
    /// The incomplete line of each connection.
    private var tails: [[UInt8]]
    /// Bytes received of each connection's incomplete message.
    private var begun: [Int]
    private let poller: Poller
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)

    /// - Parameter writer: Name of the server, for messages.
    init(_ descriptors: [Descriptor], of writer: String, framing: Framing = .lines) throws(Failure) {
        self.descriptors = descriptors
        self.writer = writer
        self.framing = framing
        changes = [Int](repeating: 0, count: descriptors.count)
        tails = [[UInt8]](repeating: [], count: descriptors.count)
        begun = [Int](repeating: 0, count: descriptors.count)
        poller = try Poller()
        for (index, descriptor) in descriptors.enumerated() { try poller.add(descriptor, as: index) }
    }

    deinit {
        buffer.deallocate()
    }

    /// Makes `pump` return also when another descriptor is readable; the caller reads it.
    func wakes(on other: Descriptor) throws(Failure) {
        try poller.add(other, as: descriptors.count)
    }

    /// Reads once from each readable connection, after waiting for at least one.
    func pump(milliseconds: Int) throws(Failure) {
        for index in try poller.wait(milliseconds: milliseconds) where index < descriptors.count { try read(index) }
    }

    private func read(_ index: Int) throws(Failure) {
        let tail = tails[index]
        guard tail.count < buffer.count / 2 else { throw Failure("a line exceeds \(tail.count) bytes") }
        buffer.copyBytes(from: tail)
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[tail.count...])
        guard let count = try descriptors[index].read(into: rest, isWaiting: false) else { return }
        guard count > 0 else { throw Failure("\(writer) hung up on reader \(index)") }
        tally.bytes += count
        if case .messages(let bytes) = framing { return take(count, ofMessagesOf: bytes, index) }
        let filled = UnsafeRawBufferPointer(rebasing: buffer[..<(tail.count + count)])
        let used = take(filled, index)
        tails[index] = Array(filled[used...])
        if index == 0 { recorded += filled[..<used] }
    }

    /// Counts the complete messages.
    private func take(_ count: Int, ofMessagesOf bytes: Int, _ index: Int) {
        let whole = (begun[index] + count) / bytes
        begun[index] += count - whole * bytes
        tally.lines += whole
        tally.changes += whole
        changes[index] += whole
    }

    /// Counts the complete lines. Returns the offset of the rest.
    private func take(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var start = 0
        while let found = memchr(base + start, 0x0a, bytes.count - start) {
            let end = UnsafeRawPointer(found) - base
            let line = UnsafeRawBufferPointer(start: base + start, count: end - start)
            if line.starts(with: Line.changed) {
                let changes = Line.changes(line)
                tally.lines += 1
                tally.changes += changes
                self.changes[index] += changes
                if changes > 1 { tally.coalescedLines += 1 }
            } else if line.starts(with: Line.reset) {
                tally.resets += 1
            }
            start = end + 1
        }
        return start
    }

    /// Byte patterns of lines.
    private enum Line {
        static let changed = Array(#"{"jsonrpc":"2.0","method":"note.changed""#.utf8)
        static let reset = Array(#"{"jsonrpc":"2.0","method":"watch.reset""#.utf8)
        static let coalesced = Array(#""coalesced":"#.utf8)

        /// Number of changes that a line reports. Only the end is searched, because the daemon
        /// writes the number after the note. Callers check the sum, so a different order of members
        /// would be noticed.
        static func changes(_ line: UnsafeRawBufferPointer) -> Int {
            let end = UnsafeRawBufferPointer(rebasing: line.suffix(96))
            guard let place = end.place(of: coalesced) else { return 1 }
            let digits = end[(place + coalesced.count)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return Int(String(decoding: digits, as: UTF8.self)) ?? 1
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func starts(with bytes: [UInt8]) -> Bool {
        guard count >= bytes.count, let baseAddress else { return false }
        return memcmp(baseAddress, bytes, bytes.count) == 0
    }
}
