import Glibc

/// Bytes received from a socket, split into lines. The bytes do not move, so a line is read in
/// place.
struct LineBuffer: ~Copyable {
    private var bytes: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0

    init(capacity: Int = 64 << 10) {
        bytes = .allocate(byteCount: capacity, alignment: 8)
    }

    deinit {
        bytes.deallocate()
    }

    /// Receives available bytes with one read.
    ///
    /// - Parameter max: most bytes to read.
    /// - Returns: the result of `recv`.
    mutating func receive(from descriptor: Int32, max: Int) -> Int {
        makeRoom()
        let count = recv(descriptor, bytes.baseAddress.map { $0 + end }, min(max, bytes.count - end), Int32(MSG_DONTWAIT))
        if count > 0 { end += count }
        return count
    }

    /// The next complete line, without its LF. Valid until the next receive.
    mutating func next() -> UnsafeRawBufferPointer? {
        guard let base = bytes.baseAddress, let place = memchr(base + start, 10, end - start) else { return nil }
        let line = UnsafeRawBufferPointer(start: base + start, count: place - (base + start))
        start += line.count + 1
        return line
    }

    private mutating func makeRoom() {
        if start == end { (start, end) = (0, 0) }
        guard end == bytes.count, let base = bytes.baseAddress else { return }
        if start > 0 {
            memmove(base, base + start, end - start)
            (start, end) = (0, end - start)
        } else {
            let wider = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * bytes.count, alignment: 8)
            wider.copyMemory(from: UnsafeRawBufferPointer(bytes))
            bytes.deallocate()
            bytes = wider
        }
    }
}
