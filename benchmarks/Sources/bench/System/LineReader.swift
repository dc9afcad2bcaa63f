import Glibc

/// Splits the bytes of a socket into lines.
struct LineReader {
    private var bytes: [UInt8] = []
    private var start = 0
    /// Offset up to which the bytes are known to have no LF.
    private var seen = 0

    /// The next complete line, without its LF.
    mutating func next() -> [UInt8]? {
        guard let end = endOfLine() else {
            seen = bytes.count
            return nil
        }
        defer {
            start = end + 1
            seen = start
        }
        return Array(bytes[start..<end])
    }

    private func endOfLine() -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, let found = memchr(base + seen, 0x0a, buffer.count - seen) else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    /// Reads from the socket. Returns false if nothing is available and `isWaiting` is false.
    mutating func fill(from descriptor: Descriptor, isWaiting: Bool) throws(Failure) -> Bool {
        if start > 0 {
            bytes.removeFirst(start)
            seen -= start
            start = 0
        }
        var failure: Failure?
        let known = bytes.count
        var count: Int?
        let more = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
            do throws(Failure) {
                count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer), isWaiting: isWaiting)
            } catch {
                failure = error
            }
            filled = count ?? 0
        }
        if let failure { throw failure }
        bytes += more
        if count == 0 { throw Failure("the other side closed the connection") }
        return bytes.count > known
    }
}
