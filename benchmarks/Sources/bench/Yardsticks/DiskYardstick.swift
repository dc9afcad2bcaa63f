import Glibc

/// The disk's own rate: the same bytes written and made durable over and over.
///
/// The file is preallocated and reused from its beginning, so that no write needs new blocks. This
/// is the cheapest durable write that a file offers.
final class DiskYardstick: Sendable {
    private let file: Descriptor
    private static let room = 16 << 20

    init(in scratch: Scratch) throws(Failure) {
        file = try Descriptor(open("\(scratch.path)/yardstick", O_RDWR | O_CREAT | O_CLOEXEC, 0o600), from: "open")
        let block = [UInt8](repeating: 0x2e, count: 1 << 20)
        for _ in 0..<(Self.room / block.count) { try file.writeAll(block) }
        guard fsync(file.number) == 0 else { throw Failure(call: "fsync") }
    }

    /// Writes and syncs.
    ///
    /// - Parameter offset: Where to write; set to the offset of the next write.
    /// - Returns: Duration of the sync in seconds.
    func write(_ bytes: [UInt8], at offset: inout Int) throws(Failure) -> Double {
        let place = offset + bytes.count > Self.room ? 0 : offset
        guard pwrite(file.number, bytes, bytes.count, off_t(place)) == bytes.count else { throw Failure(call: "pwrite") }
        offset = place + bytes.count
        let start = seconds()
        guard fdatasync(file.number) == 0 else { throw Failure(call: "fdatasync") }
        return seconds() - start
    }

    struct Run {
        /// Number of durable writes per second.
        let perSecond: Double
        /// Duration of each sync in seconds.
        let syncs: Samples
    }

    /// Makes durable writes of `bytes`, one after another.
    func run(_ bytes: [UInt8], for time: Double) throws(Failure) -> Run {
        let start = seconds()
        var (offset, syncs) = (0, Samples())
        while seconds() - start < time { syncs.add(try write(bytes, at: &offset)) }
        return Run(perSecond: Double(syncs.values.count) / (seconds() - start), syncs: syncs)
    }

    /// Number of durable writes of `bytes` per second.
    func perSecond(_ bytes: [UInt8], for time: Double) throws(Failure) -> Double {
        try run(bytes, for: time).perSecond
    }
}
