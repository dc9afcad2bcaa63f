import TextMerge

/// A text that many small edits are made in, one list after the other: bytes in chunks, so that an edit moves the bytes of a
/// chunk and not of the whole text.
///
/// Invariant: no chunk is empty; none is longer than `chunkBytesMax`.
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

    /// Makes the edits, which speak about the text as it is; false, and nothing done, where they do not.
    ///
    /// - Complexity: O(chunks + bytes of a chunk) an edit.
    mutating func apply(_ edits: [Edit]) -> Bool {
        guard edits.fault(forLength: count) == nil else { return false }
        // From the last to the first, so that offsets before the one being made still hold.
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

    /// The chunk that an offset lies in, and where in it; an offset between two lies at the end of the first.
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
