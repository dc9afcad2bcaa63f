import TextMerge

/// A text to which many lists of small edits are applied. It is stored in chunks, so that an edit
/// moves the bytes of one chunk rather than of the whole text.
///
/// Invariant: no chunk is empty or longer than `chunkBytesMax`.
struct ChunkedText {
    static let chunkBytesMax = 8_192
    private static let chunkBytes = 4_096

    private var chunks: [[UInt8]]
    private(set) var count: Int

    init(_ bytes: [UInt8]) {
        count = bytes.count
        chunks = Self.cut(bytes)
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for chunk in chunks { bytes += chunk }
        return bytes
    }

    /// Applies edits, whose offsets refer to the current text. Returns false and changes nothing if
    /// they do not fit it.
    ///
    /// - Complexity: O(chunks + bytes of a chunk) per edit.
    mutating func apply(_ edits: [Edit]) -> Bool {
        guard edits.fault(forLength: count) == nil else { return false }
        // From last to first, so that the offsets of earlier edits stay valid.
        for edit in edits.reversed() { replace(edit.start, edit.end, with: edit.replacement) }
        return true
    }

    private mutating func replace(_ start: Int, _ end: Int, with replacement: [UInt8]) {
        count += replacement.count - (end - start)
        guard !chunks.isEmpty else {
            chunks = Self.cut(replacement)
            return
        }
        let (first, offset) = place(of: start)
        var last = first
        var endOffset = offset + (end - start)
        while endOffset > chunks[last].count {
            endOffset -= chunks[last].count
            last += 1
        }
        if first == last {
            chunks[first].replaceSubrange(offset..<endOffset, with: replacement)
            guard chunks[first].isEmpty || chunks[first].count > Self.chunkBytesMax else { return }
            chunks.replaceSubrange(first...first, with: Self.cut(chunks[first]))
        } else {
            let joined = chunks[first][..<offset] + replacement + chunks[last][endOffset...]
            chunks.replaceSubrange(first...last, with: Self.cut(Array(joined)))
        }
    }

    /// Returns the chunk that contains an offset, and the offset in it. An offset between two
    /// chunks is at the end of the first.
    private func place(of offset: Int) -> (chunk: Int, offset: Int) {
        var rest = offset
        for (index, chunk) in chunks.enumerated() {
            if rest <= chunk.count { return (index, rest) }
            rest -= chunk.count
        }
        return (chunks.count - 1, chunks[chunks.count - 1].count)
    }

    private static func cut(_ bytes: [UInt8]) -> [[UInt8]] {
        guard bytes.count > chunkBytesMax else { return bytes.isEmpty ? [] : [bytes] }
        return stride(from: 0, to: bytes.count, by: chunkBytes).map { Array(bytes[$0..<min($0 + chunkBytes, bytes.count)]) }
    }
}
