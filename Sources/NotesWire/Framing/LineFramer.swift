import TextMerge

/// Splits a stream of bytes into lines.
///
/// A line ends with LF. One CR before the LF is dropped, and lines that contain only spaces, tabs
/// and CRs are skipped. A line of more than `lineBytesMax` bytes before its LF (a CR counts)
/// produces one `tooLong` event as soon as the limit is exceeded; the rest of the line is skipped.
/// The events do not depend on how the bytes are split between calls of `receive`.
///
/// The caller adds bytes and takes events one at a time. So it can change the limit between two
/// lines that arrived in one read, and it can leave bytes here until it is ready for them:
///
///     framer.receive(bytes)
///     while let event = framer.next() {
///         … a valid hello: framer.lineBytesMax = limits.maxLineBytes
///     }
///
/// Memory: the bytes that were received and not yet taken; at most `lineBytesMax` plus one read if
/// the caller takes all events after each `receive`.
package struct LineFramer: Sendable {
    /// A line, or a notice that one was too long.
    package enum Event: Hashable, Sendable {
        /// A line that is not blank, without its LF.
        case line([UInt8])
        /// A line exceeds `lineBytesMax` bytes. No part of it is delivered.
        case tooLong
    }

    /// Longest line, in bytes without the LF. A change takes effect with the next event.
    package var lineBytesMax: Int

    private var buffer: [UInt8] = []
    /// Offset in `buffer` of the current line.
    private var start = 0
    /// Offset up to which the current line is known to contain no LF, so that no byte is scanned
    /// twice. `start <= scanned <= buffer.count`.
    private var scanned = 0
    /// Whether the current line was reported as too long and is being skipped up to its LF.
    private var isSkipping = false

    /// Makes a framer with an empty buffer.
    package init(lineBytesMax: Int) {
        self.lineBytesMax = lineBytesMax
    }

    /// Number of bytes that no event has consumed yet, such as a partial line.
    package var bufferedBytes: Int { buffer.count - start }

    /// Appends bytes from the stream.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        compact()
        buffer.append(contentsOf: bytes)
    }

    /// Appends bytes from the stream.
    package mutating func receive(_ bytes: [UInt8]) {
        compact()
        buffer.append(contentsOf: bytes)
    }

    /// The next event; nil until more bytes are received.
    ///
    /// - Complexity: O(bytes not scanned before + length of the line).
    package mutating func next() -> Event? {
        while true {
            guard let end = buffer.firstOffset(of: .lineFeed, from: scanned) else {
                scanned = buffer.count
                let event = unended()
                // The next bytes may be a long time coming, so free the memory now.
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

    /// Discards the partial line in the buffer and the rest of it when it arrives, without an
    /// event.
    ///
    /// - Precondition: `next` has just returned nil.
    package mutating func skipLine() {
        isSkipping = true
        start = scanned
        compact()
    }

    /// `tooLong` if the partial line has just exceeded the limit; nil otherwise.
    private mutating func unended() -> Event? {
        let isTooLong = !isSkipping && scanned - start > lineBytesMax
        if isTooLong { isSkipping = true }
        if isSkipping { start = scanned }
        return isTooLong ? .tooLong : nil
    }

    /// The line without its CR; nil if it is blank.
    private func content(of line: Range<Int>) -> [UInt8]? {
        let bytes = buffer[line]
        guard bytes.contains(where: { $0 != .space && $0 != .tab && $0 != .carriageReturn }) else { return nil }
        return Array(bytes.last == .carriageReturn ? bytes.dropLast() : bytes)
    }

    /// Frees the bytes that were consumed.
    ///
    /// Moves at most as many bytes as were consumed, so each byte is moved a bounded number of
    /// times.
    private mutating func compact() {
        if start == buffer.count {
            // Ten thousand idle connections must not each keep the capacity of their longest line.
            buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptCapacityMax)
        } else if start > buffer.count / 2 {
            buffer.removeFirst(start)
        } else {
            return
        }
        scanned -= start
        start = 0
    }

    /// Largest capacity that an empty buffer keeps, in bytes.
    private static let keptCapacityMax = 4 << 10
}

extension UInt8 {
    fileprivate static let tab = UInt8(ascii: "\t")
    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
    fileprivate static let space = UInt8(ascii: " ")
}
