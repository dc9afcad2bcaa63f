package import TextMerge

/// The text that an editor shows of a note: with LF in place of each CR LF, if all lines of the note ended
/// with CR LF when it was opened.
package struct LineEnds: Hashable, Sendable {
    package let areCRLF: Bool

    package init(areCRLF: Bool) { self.areCRLF = areCRLF }

    package init(of text: [UInt8]) {
        var lines = 0
        for (offset, byte) in text.enumerated() where byte == Self.lineFeed {
            guard offset > 0, text[offset - 1] == Self.carriageReturn else {
                areCRLF = false
                return
            }
            lines += 1
        }
        areCRLF = lines > 0
    }

    private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

    /// The text that the editor shows.
    package func shown(_ text: [UInt8]) -> [UInt8] {
        guard areCRLF else { return text }
        var shown: [UInt8] = []
        shown.reserveCapacity(text.count)
        for (offset, byte) in text.enumerated() where !Self.isHidden(offset, byte, text) { shown.append(byte) }
        return shown
    }

    private static func isHidden(_ offset: Int, _ byte: UInt8, _ text: [UInt8]) -> Bool {
        byte == carriageReturn && offset + 1 < text.count && text[offset + 1] == lineFeed
    }

    /// The offsets in the note's text of ascending offsets in the text that the editor shows.
    ///
    /// - Complexity: O(text).
    package func hidden(_ offsets: [Int], in text: [UInt8]) -> [Int] {
        guard areCRLF else { return offsets }
        var (place, shown) = (0, 0)
        return offsets.map { offset in
            while shown < offset, place < text.count {
                if !Self.isHidden(place, text[place], text) { shown += 1 }
                place += 1
            }
            return place
        }
    }

    /// The offsets in the text that the editor shows of ascending offsets in the note's text.
    ///
    /// - Complexity: O(text).
    package func shown(_ offsets: [Int], in text: [UInt8]) -> [Int] {
        guard areCRLF else { return offsets }
        var (place, shown) = (0, 0)
        return offsets.map { offset in
            while place < offset {
                if !Self.isHidden(place, text[place], text) { shown += 1 }
                place += 1
            }
            return shown
        }
    }

    /// The edits of the note's text that make the editor's edits of the text that it shows.
    package func hidden(_ edits: [Edit], in text: [UInt8]) -> [Edit] {
        guard areCRLF else { return edits }
        let places = hidden(edits.flatMap { [$0.start, $0.end] }, in: text)
        return edits.enumerated().map { index, edit in
            Edit(start: places[2 * index], end: places[2 * index + 1], replacement: hidden(edit.replacement))
        }
    }

    /// A text that an editor showed, as the note has it.
    package func hidden(_ text: [UInt8]) -> [UInt8] {
        guard areCRLF else { return text }
        var hidden: [UInt8] = []
        for byte in text {
            if byte == Self.lineFeed, hidden.last != Self.carriageReturn { hidden.append(Self.carriageReturn) }
            hidden.append(byte)
        }
        return hidden
    }

    /// The edits of the text that the editor shows that turn it into what it shows of a new text.
    package func shown(_ edits: [Edit], in text: [UInt8]) -> [Edit] {
        guard areCRLF else { return edits }
        let (old, new) = (shown(text), shown(edits.applied(to: text)))
        let places = shown(edits.flatMap { [$0.start, $0.end] }, in: text)
        let mapped = edits.enumerated().map { index, edit in
            Edit(start: places[2 * index], end: places[2 * index + 1], replacement: shown(edit.replacement))
        }
        // An edit between a CR and its LF changes what is shown beside it.
        if mapped.fault(forLength: old.count) == nil, mapped.applied(to: old) == new { return mapped }
        return old == new ? [] : [Edit(start: 0, end: old.count, replacement: new)]
    }
}
