/// Cuts a stream of bytes into lines.
///
/// A line ends with LF. One CR before the LF is dropped, and lines of nothing but spaces, tabs and CRs are left out. A line of
/// more than `lineBytesMax` bytes before its LF (a CR counts) is told once, as `tooLong`, as soon as that is known, and skipped
/// up to its LF. However the bytes are split between calls of `receive`, the same events come out.
///
/// The caller puts bytes in and takes events out one at a time, so that it may change the limit between two lines that came
/// in one read, and may leave bytes here while it is not ready for more:
///
///     framer.receive(bytes)
///     while let event = framer.next() {
///         … a valid hello: framer.lineBytesMax = limits.maxLineBytes
///     }
///
/// Memory: what was received and not taken; at most `lineBytesMax` and one read if all events are taken after each `receive`.
package struct LineFramer: Sendable {
    package enum Event: Hashable, Sendable {
        /// Without its LF; not blank.
        case line([UInt8])
        /// A line of more than `lineBytesMax` bytes was begun; nothing of it comes out.
        case tooLong
    }

    /// Longest line, in bytes without the LF. A change holds from the next event on.
    package var lineBytesMax: Int

    private var buffer: [UInt8] = []
    /// Where in `buffer` the line that is being collected starts.
    private var start = 0
    /// Up to where that line is known to hold no LF, so that no byte is looked at twice; `start <= scanned <= buffer.count`.
    private var scanned = 0
    /// Whether the line that is being collected was told as too long, and is only looked through for its end.
    private var isSkipping = false

    package init(lineBytesMax: Int) {
        self.lineBytesMax = lineBytesMax
    }

    /// Bytes that no event was made of yet, be it half a line.
    package var bufferedBytes: Int { buffer.count - start }

    package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        compact()
        buffer.append(contentsOf: bytes)
    }

    package mutating func receive(_ bytes: [UInt8]) {
        compact()
        buffer.append(contentsOf: bytes)
    }

    /// The next line, or nil until more bytes are received.
    ///
    /// - Complexity: O(bytes not looked at before + length of the line).
    package mutating func next() -> Event? {
        while true {
            guard let end = firstOffset(of: .lineFeed, in: buffer, from: scanned) else {
                scanned = buffer.count
                let event = unended()
                // Whoever waits for more may wait for long.
                if start == buffer.count { compact() }
                return event
            }
            let line = start..<end
            start = end + 1
            scanned = start
            if isSkipping {
                isSkipping = false
            } else if line.count > lineBytesMax {
                return .tooLong
            } else if let content = content(of: line) {
                return .line(content)
            }
        }
    }

    /// Throws away what has come of the line whose end has not, and what is to come of it. Nothing more is told of it.
    ///
    /// - Precondition: `next` has just returned nil.
    package mutating func skipLine() {
        isSkipping = true
        start = scanned
        compact()
    }

    /// What is to be told of a line whose end has not come yet.
    private mutating func unended() -> Event? {
        let isTooLong = !isSkipping && scanned - start > lineBytesMax
        if isTooLong { isSkipping = true }
        if isSkipping { start = scanned }
        return isTooLong ? .tooLong : nil
    }

    /// Nil for a blank line.
    private func content(of line: Range<Int>) -> [UInt8]? {
        let bytes = buffer[line]
        guard bytes.contains(where: { $0 != .space && $0 != .tab && $0 != .carriageReturn }) else { return nil }
        return Array(bytes.last == .carriageReturn ? bytes.dropLast() : bytes)
    }

    /// Gives back what was taken out. Moves at most as many bytes as were taken, so that each byte is moved a bounded number
    /// of times.
    private mutating func compact() {
        if start == buffer.count {
            // A large line's room is not kept, by ten thousand connections that may say nothing more.
            buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptCapacityMax)
        } else if start > buffer.count / 2 {
            buffer.removeFirst(start)
        } else {
            return
        }
        scanned -= start
        start = 0
    }

    private static let keptCapacityMax = 4 << 10
}
