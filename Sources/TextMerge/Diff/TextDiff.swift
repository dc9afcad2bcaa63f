/// Small edits that turn one text into another, for responses and notifications. A client applies
/// them to the text that it displays.
///
/// They have no meaning for the walk, and nothing is decided by them.
package enum TextDiff {
    /// The hunks of the line diff, each cut at both ends to where the bytes differ. No edit divides
    /// a UTF-8 character of either text.
    ///
    /// - Precondition: both texts are UTF-8.
    /// - Complexity: that of `LineDiff`.
    package static func edits(from base: [UInt8], to text: [UInt8]) -> [Edit] {
        guard !base.isSame(as: text) else { return [] }
        let old = Lines(base)
        let new = Lines(text)
        return LineDiff.hunks(old, new).map { hunk in
            hunk.edit(old, new).trimmingCommonPrefix(in: base).trimmingCommonSuffix(in: base)
        }
    }
}

extension Edit {
    /// The same change without the characters at its start that it replaces by themselves.
    package func trimmingCommonPrefix(in base: [UInt8]) -> Edit {
        let longest = Swift.min(end - start, replacement.count)
        var common = 0
        while common < longest, base[start + common] == replacement[common] { common += 1 }
        while common > 0, common < longest, base[start + common].isContinuation || replacement[common].isContinuation {
            common -= 1
        }
        return Edit(start: start + common, end: end, replacement: Array(replacement[common...]))
    }

    /// The same change without the characters at its end that it replaces by themselves.
    package func trimmingCommonSuffix(in base: [UInt8]) -> Edit {
        let longest = Swift.min(end - start, replacement.count)
        var common = 0
        while common < longest, base[end - 1 - common] == replacement[replacement.count - 1 - common] { common += 1 }
        while common > 0, base[end - common].isContinuation { common -= 1 }
        return Edit(start: start, end: end - common, replacement: Array(replacement.dropLast(common)))
    }
}

extension UInt8 {
    /// Whether the byte is inside a UTF-8 character, not at its start.
    package var isContinuation: Bool { self & 0xC0 == 0x80 }
}
