/// The columns that a text takes on a terminal, estimated scalar by scalar: 0 for combining marks,
/// 2 for East Asian wide characters and emoji, 1 for the rest (Unicode Standard Annex 11).
package enum DisplayWidth {
    /// - Complexity: O(scalars).
    package static func of(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    package static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(scalar) ? 2 : 1
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Hangul; CJK symbols, kana, ideographs; Yi; Hangul syllables; compatibility and full-width
        // forms; planes 2 and 3.
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x20000...0x3FFFD:
            true
        default: scalar.properties.isEmojiPresentation
        }
    }

    /// The text, cut to a number of columns with `…` in its middle if it is wider, and padded with
    /// spaces if it is narrower. Names are cut like this, since both their folder and their last part
    /// tell them apart.
    package static func fitMiddle(_ text: String, columns: Int) -> String {
        guard of(text) > columns, columns > 2 else { return fit(text, columns: columns) }
        let end = fit(String(String.UnicodeScalarView(text.unicodeScalars.reversed())), columns: columns / 2 + 1, fills: false)
        let tail = String(String.UnicodeScalarView(end.unicodeScalars.dropLast().reversed()))
        return fit(fit(text, columns: columns - of(tail), fills: false) + tail, columns: columns)
    }

    /// The text, cut to a number of columns with `…` at its end if it is wider, and padded with
    /// spaces if it is narrower.
    ///
    /// - Parameter fills: whether to pad.
    package static func fit(_ text: String, columns: Int, fills: Bool = true) -> String {
        let width = of(text)
        if width <= columns { return fills ? text + String(repeating: " ", count: columns - width) : text }
        guard columns > 0 else { return "" }
        var cut = ""
        var used = 0
        for scalar in text.unicodeScalars {
            let next = of(scalar)
            if used + next > columns - 1 { break }
            cut.unicodeScalars.append(scalar)
            used += next
        }
        cut += "…"
        return fills ? cut + String(repeating: " ", count: columns - used - 1) : cut
    }
}
