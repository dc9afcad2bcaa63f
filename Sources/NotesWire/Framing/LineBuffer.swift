import StrictJSON

/// Encoded lines, one behind the other. Written lines give their memory back for the next ones.
package struct LineBuffer {
    fileprivate var writer = JSONWriter()

    /// Largest memory that is kept for further lines, in bytes.
    private static let keptBytesMax = 256 << 10

    package init() {}

    /// Size of the lines, in bytes.
    package var count: Int { writer.bytes.count }

    /// Appends the response with an error; see `WireError.line`.
    package mutating func append(_ error: WireError, id: RequestID?) {
        error.write(to: &writer, id: id)
    }

    /// Appends lines that are encoded.
    package mutating func append(_ lines: some Sequence<UInt8>) {
        writer.lines(lines)
    }

    /// Removes and returns the lines.
    package mutating func takeAll() -> [UInt8] {
        defer { writer = JSONWriter() }
        return writer.bytes
    }

    /// Uses the memory of taken lines for the next ones, unless it is large.
    ///
    /// - Precondition: the buffer is empty.
    package mutating func reuse(_ memory: consuming [UInt8]) {
        guard memory.capacity <= Self.keptBytesMax else { return }
        memory.removeAll(keepingCapacity: true)
        writer = JSONWriter(memory)
    }
}

extension WireResult {
    /// Appends the response line.
    package func write(to lines: inout LineBuffer, id: RequestID) {
        write(to: &lines.writer, id: id)
    }
}
