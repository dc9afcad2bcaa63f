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

    /// Writes and syncs. Returns the offset of the next write.
    func write(_ bytes: [UInt8], at offset: Int) throws(Failure) -> Int {
        let place = offset + bytes.count > Self.room ? 0 : offset
        guard pwrite(file.number, bytes, bytes.count, off_t(place)) == bytes.count else { throw Failure(call: "pwrite") }
        guard fdatasync(file.number) == 0 else { throw Failure(call: "fdatasync") }
        return place + bytes.count
    }

    /// Number of durable writes of `bytes` per second.
    func perSecond(_ bytes: [UInt8], for time: Double) throws(Failure) -> Double {
        let start = seconds()
        var (count, offset) = (0, 0)
        while seconds() - start < time {
            offset = try write(bytes, at: offset)
            count += 1
        }
        return Double(count) / (seconds() - start)
    }
}
