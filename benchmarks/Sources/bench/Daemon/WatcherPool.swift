import Glibc

/// Many connections that only listen. What comes is counted, at a cost that is small beside the kernel's.
final class WatcherPool {
    /// What comes, and how it is told apart.
    enum Framing {
        /// Lines of the daemon.
        case lines
        /// Anything that has the same length each time, in bytes. Each stands for one change.
        case messages(bytes: Int)
    }

    struct Tally {
        /// `note.changed` lines, or messages.
        var lines = 0
        /// Those among them that stand for several changes.
        var coalescedLines = 0
        /// What all lines stand for.
        var changes = 0
        var resets = 0
        var bytes = 0

        /// Lines that stand for one change.
        var singleLines: Int { lines - coalescedLines }

        static func - (left: Self, right: Self) -> Self {
            Self(
                lines: left.lines - right.lines, coalescedLines: left.coalescedLines - right.coalescedLines,
                changes: left.changes - right.changes, resets: left.resets - right.resets, bytes: left.bytes - right.bytes)
        }
    }

    var count: Int { descriptors.count }

    private(set) var tally = Tally()
    /// Of each: what its lines stand for.
    private(set) var changes: [Int]
    /// The lines of the first connection since it was last emptied, as they came.
    var recorded: [UInt8] = []

    private let descriptors: [Descriptor]
    private let writer: String
    private let framing: Framing
    /// Of each: the start of a line that has not come whole.
    private var tails: [[UInt8]]
    /// Of each: how many bytes of a message have come.
    private var begun: [Int]
    private let poller: Poller
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)

    /// - Parameter writer: who writes to them, for messages.
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

    /// Something to read here, too, ends a wait. Whoever asks for it reads it.
    func wakes(on other: Descriptor) throws(Failure) {
        try poller.add(other, as: descriptors.count)
    }

    /// Reads what is there, once each, or waits for something.
    func pump(milliseconds: Int) throws(Failure) {
        for index in try poller.wait(milliseconds: milliseconds) where index < descriptors.count { try read(index) }
    }

    private func read(_ index: Int) throws(Failure) {
        let tail = tails[index]
        guard tail.count < buffer.count / 2 else { throw Failure("a line of more than \(tail.count) bytes came") }
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

    /// Counts the messages that have come whole.
    private func take(_ count: Int, ofMessagesOf bytes: Int, _ index: Int) {
        let whole = (begun[index] + count) / bytes
        begun[index] += count - whole * bytes
        tally.lines += whole
        tally.changes += whole
        changes[index] += whole
    }

    /// Counts the whole lines. Returns where the rest starts.
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

    /// What is looked for in a line.
    private enum Line {
        static let changed = Array(#"{"jsonrpc":"2.0","method":"note.changed""#.utf8)
        static let reset = Array(#"{"jsonrpc":"2.0","method":"watch.reset""#.utf8)
        static let coalesced = Array(#""coalesced":"#.utf8)

        /// How many changes a line stands for. Only its end is searched: the daemon writes the number behind the note. Whoever
        /// counts checks the sum, so another order of members would not go unnoticed.
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
