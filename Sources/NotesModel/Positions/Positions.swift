package import TextMerge

/// Conversions between offsets in a client's encoding and byte offsets, for a given text.
package enum Positions {
    /// Converts stated edits to byte offsets and validates them: ascending, disjoint, inside the
    /// text and on character boundaries.
    ///
    /// - Throws: the first invalid edit, with the reason.
    /// - Complexity: O(edits) for UTF-8, otherwise O(edits + text).
    package static func bytes(
        of edits: [PositionedEdit], in text: [UInt8], encoding: PositionEncoding
    ) throws(InvalidEdit) -> [Edit] {
        var cursor = OffsetCursor(text: text, encoding: encoding)
        var result: [Edit] = []
        result.reserveCapacity(edits.count)
        var previousEnd = 0
        for (index, edit) in edits.enumerated() {
            func refused(_ fault: InvalidEdit.Fault) -> InvalidEdit { InvalidEdit(index: index, fault: fault) }
            guard edit.start >= 0 else { throw refused(.negative) }
            guard edit.start <= edit.end else { throw refused(.startAfterEnd) }
            guard edit.start >= previousEnd else { throw refused(.overlapsPrevious) }
            do {
                let start = try cursor.byteOffset(ofUnit: edit.start)
                let end = try cursor.byteOffset(ofUnit: edit.end)
                result.append(Edit(start: start, end: end, replacement: edit.text))
            } catch {
                throw refused(error)
            }
            previousEnd = edit.end
        }
        return result
    }

    /// Converts edits to a client's encoding.
    ///
    /// - Precondition: the edits are valid for the text and on its character boundaries.
    /// - Complexity: O(edits) for UTF-8, otherwise O(edits + text).
    package static func stated(_ edits: [Edit], in text: [UInt8], encoding: PositionEncoding) -> [PositionedEdit] {
        var cursor = OffsetCursor(text: text, encoding: encoding)
        return edits.map { edit in
            let start = cursor.unit(ofByteOffset: edit.start)
            let end = cursor.unit(ofByteOffset: edit.end)
            return PositionedEdit(start: start, end: end, text: edit.replacement)
        }
    }

    /// Converts byte offsets to positions in all three encodings.
    ///
    /// - Precondition: the offsets ascend and are on character boundaries of the text.
    /// - Complexity: O(bytes of the text up to the last offset).
    package static func places(ofBytes offsets: [Int], in text: [UInt8]) -> [TextPosition] {
        var utf16 = OffsetCursor(text: text, encoding: .utf16)
        var utf32 = OffsetCursor(text: text, encoding: .utf32)
        return offsets.map { offset in
            TextPosition(utf8: offset, utf16: utf16.unit(ofByteOffset: offset), utf32: utf32.unit(ofByteOffset: offset))
        }
    }
}

/// Walks a text forward once, counting bytes and a client's code units side by side.
///
/// Invariant: `byte` is a character boundary and `unit` the number of code units before it.
private struct OffsetCursor {
    let text: [UInt8]
    let encoding: PositionEncoding
    var byte = 0
    var unit = 0

    init(text: [UInt8], encoding: PositionEncoding) {
        self.text = text
        self.encoding = encoding
    }

    /// Offsets are asked for in ascending order.
    mutating func byteOffset(ofUnit target: Int) throws(InvalidEdit.Fault) -> Int {
        if encoding == .utf8 {
            guard target <= text.count else { throw .pastEnd(length: text.count) }
            guard target == text.count || !isContinuation(text[target]) else { throw .insideCharacter(offset: target) }
            return target
        }
        while unit < target, byte < text.count { step() }
        guard unit >= target else { throw .pastEnd(length: unit) }
        guard unit == target else { throw .insideCharacter(offset: target) }
        return byte
    }

    mutating func unit(ofByteOffset target: Int) -> Int {
        if encoding == .utf8 { return target }
        guard byte < target else { return unit }
        // Count the whole range at once, because the text may be long: one unit for each byte that
        // starts a character and, in UTF-16, another one for each four-byte character.
        let isWide = encoding == .utf16
        unit += text[byte..<target].withUnsafeBufferPointer { bytes in
            bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) + (isWide && $1 >= 0xF0 ? 1 : 0) }
        }
        byte = target
        return unit
    }

    private mutating func step() {
        let lead = text[byte]
        let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        byte = min(byte + length, text.count)
        unit += encoding == .utf16 && length == 4 ? 2 : 1
    }

    private func isContinuation(_ byte: UInt8) -> Bool {
        byte & 0xC0 == 0x80
    }
}
