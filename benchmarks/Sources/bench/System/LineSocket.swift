/// A socket whose other side writes lines.
struct LineSocket {
    let descriptor: Descriptor
    private var reader = LineReader()

    /// - Parameter secondsMax: Longest wait; a longer one fails.
    init(_ descriptor: Descriptor, secondsMax: Int = 60) {
        self.descriptor = descriptor
        descriptor.setReadLimit(seconds: secondsMax)
    }

    /// Waits for the next line; returns it without its LF.
    mutating func next() throws(Failure) -> [UInt8] {
        while true {
            if let line = reader.next() { return line }
            _ = try reader.fill(from: descriptor, isWaiting: true)
        }
    }

    /// The next line if it has arrived.
    mutating func nextIfThere() throws(Failure) -> [UInt8]? {
        if let line = reader.next() { return line }
        guard try reader.fill(from: descriptor, isWaiting: false) else { return nil }
        return reader.next()
    }
}
