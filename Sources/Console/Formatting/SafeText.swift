/// Makes text by others safe for a terminal: control characters are shown as code points instead of
/// being sent.
package enum SafeText {
    /// Escapes one line: control characters, line and paragraph separators, and the marks that
    /// change the direction of text.
    package static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var safe = ""
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) { safe += shown(scalar) } else { safe.unicodeScalars.append(scalar) }
        }
        return safe
    }

    /// Escapes several lines: line feeds and tabs stay. The carriage return of a line that ends with CR LF
    /// is left out.
    package static func text(_ text: String) -> String {
        var safe = ""
        let scalars = text.unicodeScalars
        for (index, scalar) in zip(scalars.indices, scalars) {
            if scalar == "\r", let next = scalars[scalars.index(after: index)...].first, next == "\n" { continue }
            if isUnsafe(scalar) && scalar != "\n" && scalar != "\t" {
                safe += shown(scalar)
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    /// Escapes JSON with `\u` sequences, so that its strings keep their meaning.
    package static func json(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var safe = ""
        for scalar in text.unicodeScalars {
            guard isUnsafe(scalar) else {
                safe.unicodeScalars.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16)
            safe += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
        return safe
    }

    /// The text, escaped, in backquotes.
    package static func quoted(_ text: String) -> String {
        "`\(line(text))`"
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true
        // Line and paragraph separator.
        case 0x2028, 0x2029: true
        // Directional marks, embeddings, overrides and isolates.
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return scalar.value < 0x100 ? "\\x" + (digits.count < 2 ? "0" : "") + digits : "\\u{\(digits)}"
    }
}
