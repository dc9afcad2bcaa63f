import NoteText
package import TextMerge

/// Changes that the user makes to the text.
extension EditSession {
    mutating func changed(_ edits: [Edit], _ caret: Int, continues: Bool, _ before: Int?, _ now: Duration) {
        guard edits.fault(forLength: text.count) == nil,
            edits.allSatisfy({ isBoundary($0.start) && isBoundary($0.end) && UTF8Validation.isValid($0.replacement) })
        else { return actions.append(.fault(.edit)) }
        changes += 1
        offer?.isCrossed = true
        if isBusy { offerAt = now + Self.busyMax }
        let edits = edits.normalized()
        guard !edits.isEmpty else { return }
        history.record(edits, on: text, continues: continues, caret: before.flatMap { isBoundary($0) ? $0 : nil })
        apply(edits, isOwn: true)
        if isBoundary(caret) { self.caret = caret }
        (anchor, isTyping) = (nil, true)
        typed(now)
    }

    mutating func typed(_ now: Duration) {
        // A remote editor has collected its changes already.
        (sendAt, heldSince, draftAt) = (isRemote ? nil : now + Self.quiet, heldSince ?? now, draftAt ?? now + Self.draftAfter)
    }

    /// Applies edits to the text, and moves the caret with the character that follows it.
    mutating func apply(_ edits: [Edit], isOwn: Bool) {
        let old = text
        text = edits.applied(to: old)
        caret = edits.moved(caret: caret, in: old, isTyping: isTyping)
        anchor = anchor.map { edits.moved(caret: $0, in: old, isTyping: isTyping) }
        if !isOwn { history.move(over: edits) }
    }
}

extension EditSession {
    /// The place of the caret of somebody who types, after edits by others.
    package static func caret(_ caret: Int, in text: [UInt8], after edits: [Edit]) -> Int {
        edits.moved(caret: caret, in: text, isTyping: true)
    }
}

extension Array where Element == Edit {
    /// The place of a range of the text before the edits in the text after them. Insertions at its ends
    /// stay outside.
    func moved(_ range: Range<Int>, limit: Int) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        // From the last edit to the first, so that the offsets of the rest stay those of the text before.
        for edit in reversed() where edit.start < end || edit.end <= start {
            if edit.end <= start {
                start += edit.growth
                end += edit.growth
            } else {
                end = edit.end <= end ? end + edit.growth : Swift.max(start, edit.start)
                if edit.start < start { start = edit.start + edit.replacement.count }
                end = Swift.max(start, end)
            }
        }
        start = Swift.min(Swift.max(0, start), limit)
        return start..<Swift.min(Swift.max(start, end), limit)
    }

    /// The place of a caret after the edits: before the same character. If the caret's line is removed
    /// and put elsewhere, the caret goes with it.
    ///
    /// - Parameter isTyping: whether the caret stays after the character before it instead, so that only
    ///   whole lines inserted before the caret's line move it.
    /// - Precondition: the edits are well-formed for `text`, and the caret is in it.
    /// - Complexity: O(text).
    func moved(caret: Int, in text: [UInt8], isTyping: Bool) -> Int {
        inMovedLine(caret, of: text) ?? shifted(caret, in: text, isTyping: isTyping)
    }

    private func shifted(_ caret: Int, in text: [UInt8], isTyping: Bool) -> Int {
        let newline = UInt8(ascii: "\n")
        let isAtStart = caret == 0 || text[caret - 1] == newline
        var growth = 0
        for edit in self {
            if edit.end < caret || edit.end == caret && edit.start < caret {
                growth += edit.growth
            } else if edit.start == edit.end, edit.start == caret {
                if !isTyping || isAtStart && edit.replacement.last == newline { growth += edit.growth }
            } else if edit.start < caret {
                let offset = Swift.min(caret - edit.start, edit.replacement.count).aligned(in: edit.replacement)
                return edit.start + growth + offset
            }
        }
        return caret + growth
    }

    /// The place of a caret in the text after the edits if its line is now elsewhere, unchanged or changed
    /// by one step; nil if the line is not, or if either text has several such lines.
    private func inMovedLine(_ caret: Int, of text: [UInt8]) -> Int? {
        let old = Lines(text)
        let start = (text[..<caret].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        guard let number = (0..<old.count).first(where: { old.bounds[$0] == start }), old[number].contains(where: { $0 > 0x20 })
        else { return nil }
        let line = old[number]
        let new = Lines(applied(to: text))
        let places = (0..<new.count).filter { new[$0] == line }
        if places.isEmpty, removesEnd(of: start..<old.bounds[number + 1]) {
            return StatedDiff.onlyLine(for: number, of: old, in: new).map { place in
                let edits = StatedDiff.inside([UInt8](line), [UInt8](new[place]))
                return new.bounds[place] + edits.shifted(caret - start, in: [UInt8](line), isTyping: true)
            }
        }
        guard places.count == 1, (0..<old.count).count(where: { old[$0] == line }) == 1 else { return nil }
        return new.bounds[places[0]] + caret - start
    }

    /// Whether an edit removes the end of a line or of the line before it. A line that keeps both is where
    /// it was.
    private func removesEnd(of line: Range<Int>) -> Bool {
        contains {
            $0.start < line.lowerBound && $0.end >= line.lowerBound || $0.start < line.upperBound && $0.end >= line.upperBound
        }
    }
}

extension Int {
    /// The greatest character boundary of a text that is not after this offset.
    fileprivate func aligned(in text: [UInt8]) -> Int {
        var offset = self
        while offset > 0, offset < text.count, text[offset].isContinuation { offset -= 1 }
        return offset
    }
}
