import Glibc

/// Many connections that only listen. Lines are counted as they come, at a cost per line that is small beside the kernel's.
final class WatcherPool {
    struct Tally {
        /// `note.changed` lines.
        var lines = 0
        /// Those among them that stand for several changes.
        var coalescedLines = 0
        /// What all lines stand for.
        var changes = 0
        var resets = 0
        var bytes = 0
    }

    private(set) var tally = Tally()
    /// `note.changed` lines of each.
    private(set) var lines: [Int]
    /// The lines of the first connection since it was last emptied, as they came.
    var recorded: [UInt8] = []

    private let descriptors: [Descriptor]
    private let writer: String
    private var tails: [[UInt8]]
    private let poller: Poller
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)

    /// - Parameter writer: who writes to them, for messages.
    init(_ descriptors: [Descriptor], of writer: String) throws(Failure) {
        self.descriptors = descriptors
        self.writer = writer
        lines = [Int](repeating: 0, count: descriptors.count)
        tails = [[UInt8]](repeating: [], count: descriptors.count)
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
        let filled = UnsafeRawBufferPointer(rebasing: buffer[..<(tail.count + count)])
        let used = take(filled, index)
        tails[index] = Array(filled[used...])
        if index == 0 { recorded += filled[..<used] }
    }

    /// Counts the whole lines. Returns where the rest starts.
    private func take(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var start = 0
        while let found = memchr(base + start, 0x0a, bytes.count - start) {
            let end = UnsafeRawPointer(found) - base
            let line = UnsafeRawBufferPointer(start: base + start, count: end - start)
            if line.starts(with: Line.changed) {
                tally.lines += 1
                lines[index] += 1
                let changes = Line.changes(line)
                tally.changes += changes
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
