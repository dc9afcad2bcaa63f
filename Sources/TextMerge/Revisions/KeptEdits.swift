/// The edits of a write as the walk replays them: in terms of the *kept* sequence, which consists
/// of whole lines.
///
/// A text that is not empty and does not end with LF is kept as the same text with an LF. Whether
/// that last LF is shown is a register of the note. So two writers who change the end of an
/// unterminated text change whole lines, and merging can neither tear a line nor glue two lines
/// together (`docs/causality.md` §3).
///
/// A write states its edits against the text that it was shown, which may lack the last LF. The
/// edits before the last one are the same in the kept sequence. The last one differs only if it
/// goes to the end of the shown text:
///
///     shown   write         kept    as replayed            register
///     a       a -> a!       a/      insert ! before /      stays hidden
///     a       a -> a/       a/      nothing                becomes shown
///     a       a -> a/b      a/      insert b/ after a/     stays hidden
///     a/b/    a/b/ -> a     a/b/    remove b/              becomes hidden
///
/// (`/` is LF; the third and the fourth write are saved texts.)
struct KeptEdits {
    /// The edits of the kept sequence; normalized.
    let edits: [Edit]
    /// Whether the write hides the last LF from now on; nil if it leaves the register as it is.
    let hidesLast: Bool?

    /// The end of the kept sequence at a write's parents.
    struct Base {
        /// The length of the kept sequence, in bytes.
        let length: Int
        /// Whether it ends with LF. It does not if it is empty, or if a writer removed the last LF
        /// together with what follows it and another one removed what precedes it.
        let endsWithLineFeed: Bool
        /// The value of the register.
        let hidesLast: Bool

        /// Whether the shown text lacks the last byte of the kept sequence.
        var isShortened: Bool { hidesLast && endsWithLineFeed }
        /// The length of the shown text.
        var shownLength: Int { isShortened ? length - 1 : length }
    }

    /// Creates the edits that have the effect of a write's edits.
    ///
    /// - Parameter byte: the byte of the kept sequence at an offset.
    /// - Precondition: the write's edits are normalized and fit the shown text.
    /// - Complexity: O(edits).
    init(_ event: Event, on base: Base, byte: (Int) -> UInt8) {
        var edits = event.edits
        guard let last = edits.last, last.end == base.shownLength else {
            if event.origin == .stated { edits.alignToLines(base, byte) }
            (self.edits, hidesLast) = (edits, nil)
            return
        }
        // The last byte of the text that the write leaves; nil if that text is empty.
        let lastByte = last.replacement.last ?? (last.start > 0 ? byte(last.start - 1) : nil)
        switch (isTerminated: lastByte == lineFeed || lastByte == nil, base.isShortened) {
        case (true, true): edits.dropLastLineFeed(base, byte)
        case (false, false): edits.keepLastLineFeed(base)
        case (true, false), (false, true): break
        }
        switch event.origin {
        case .found: edits.alignLast(base, byte)
        case .stated:
            edits = edits.normalized()
            edits.alignToLines(base, byte)
        }
        self.edits = edits.normalized()
        let wanted = lastByte.map { $0 != lineFeed }
        let isSet = wanted != base.hidesLast || self.edits.last?.end == base.length
        hidesLast = isSet ? wanted : nil
    }
}

extension Array where Element == Edit {
    /// Lets the text end where the write ends it, by leaving out the LF that the base hides.
    ///
    /// An undo can hide the LF of an empty last line. Another writer may write into that line, so its LF
    /// must not end a line of this write: it is removed, unless the write does nothing but show it.
    fileprivate mutating func dropLastLineFeed(_ base: KeptEdits.Base, _ byte: (Int) -> UInt8) {
        let last = removeLast()
        let onlyShowsIt = last.start == base.shownLength && last.replacement == [lineFeed]
        let isLastLineEmpty = base.shownLength == 0 || byte(base.shownLength - 1) == lineFeed
        if last.replacement.last == lineFeed, onlyShowsIt || !isLastLineEmpty {
            // The hidden LF serves as the last one of the replacement.
            append(Edit(start: last.start, end: last.end, replacement: [UInt8](last.replacement.dropLast())))
        } else {
            append(Edit(start: last.start, end: base.length, replacement: last.replacement))
        }
    }

    /// Lets the kept sequence end with LF though the text does not: with the base's last LF if the
    /// write removed it, otherwise with a new one.
    fileprivate mutating func keepLastLineFeed(_ base: KeptEdits.Base) {
        let last = self[count - 1]
        if last.end == base.length, last.start < last.end, base.endsWithLineFeed {
            self[count - 1] = Edit(start: last.start, end: last.end - 1, replacement: last.replacement)
        } else {
            append(Edit(start: base.length, end: base.length, replacement: [lineFeed]))
        }
    }

    /// Makes each stated edit that adds, removes or replaces whole lines together with the LF before
    /// them, in front of an LF, a line edit of the same effect: it counts as one byte farther right.
    /// Pressing Enter at the end of a line and typing another one is such an edit. An LF is no place in
    /// a line: what another writer does to the line before must not take the new line along.
    fileprivate mutating func alignToLines(_ base: KeptEdits.Base, _ byte: (Int) -> UInt8) {
        var moved = false
        for (index, edit) in enumerated() where edit.end < base.length {
            guard edit.replacement.first ?? lineFeed == lineFeed, edit.start == edit.end || byte(edit.start) == lineFeed,
                byte(edit.end) == lineFeed, !edit.isOfLines(byte)
            else { continue }
            let replacement = edit.replacement.isEmpty ? [] : edit.replacement.dropFirst() + [lineFeed]
            self[index] = Edit(start: edit.start + 1, end: edit.end + 1, replacement: [UInt8](replacement))
            moved = true
        }
        if moved { self = normalized() }
    }

    /// Makes a found edit that ends before the last LF an edit of whole lines: by including that LF
    /// in what it removes and inserts, or by moving it one byte to the right if an LF is before and
    /// after it.
    fileprivate mutating func alignLast(_ base: KeptEdits.Base, _ byte: (Int) -> UInt8) {
        guard let last, base.endsWithLineFeed, last.end == base.length - 1, last.start < last.end || !last.replacement.isEmpty
        else { return }
        if last.start == 0 || byte(last.start - 1) == lineFeed {
            self[count - 1] = Edit(start: last.start, end: base.length, replacement: last.replacement + [lineFeed])
        } else if byte(last.start) == lineFeed, last.replacement.first ?? lineFeed == lineFeed {
            self[count - 1] = Edit(
                start: last.start + 1, end: base.length, replacement: [UInt8]((last.replacement + [lineFeed]).dropFirst()))
        }
    }
}

extension Edit {
    /// Whether the edit is one of whole lines: it starts at the start of a line, and what it removes and
    /// its replacement are each empty or end with LF.
    ///
    /// - Parameter byte: the byte of the kept sequence at an offset.
    func isOfLines(_ byte: (Int) -> UInt8) -> Bool {
        replacement.last ?? lineFeed == lineFeed && (start == 0 || byte(start - 1) == lineFeed)
            && (start == end || byte(end - 1) == lineFeed)
    }
}

extension KeptEdits.Base {
    /// The base of a write that was shown a text.
    ///
    /// - Parameters:
    ///   - isShortened: whether the text lacks the last byte of its kept sequence.
    ///   - hidesLast: the value of the register.
    init(showing text: [UInt8], isShortened: Bool, hidesLast: Bool) {
        self.init(
            length: text.count + (isShortened ? 1 : 0), endsWithLineFeed: isShortened || text.last == lineFeed,
            hidesLast: hidesLast)
    }
}
