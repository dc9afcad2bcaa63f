import Glibc

/// What a socket gave and nobody has read yet, cut into lines. Its bytes lie still, so that a line is read where it is.
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

    /// Takes in what is there, in one read.
    ///
    /// - Parameter max: bytes to read at most.
    /// - Returns: as `recv`.
    mutating func receive(from descriptor: Int32, max: Int) -> Int {
        makeRoom()
        let count = recv(descriptor, bytes.baseAddress.map { $0 + end }, min(max, bytes.count - end), Int32(MSG_DONTWAIT))
        if count > 0 { end += count }
        return count
    }

    /// The next whole line, without its LF. Good until more is received.
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
