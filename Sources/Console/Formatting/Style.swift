/// Terminal styles; each function returns the text unchanged if `isOn` is false.
package struct Style: Sendable {
    package let isOn: Bool

    package init(isOn: Bool) {
        self.isOn = isOn
    }

    package func dim(_ text: String) -> String { painted(text, "2") }
    package func bold(_ text: String) -> String { painted(text, "1") }
    package func green(_ text: String) -> String { painted(text, "32") }
    package func yellow(_ text: String) -> String { painted(text, "33") }
    package func red(_ text: String) -> String { painted(text, "31") }
    package func cyan(_ text: String) -> String { painted(text, "36") }

    package func underlined(_ text: String) -> String { painted(text, "4") }
    package func italic(_ text: String) -> String { painted(text, "3") }

    /// The text without the escape sequences that a `Style` added.
    package static func stripped(_ text: String) -> String {
        guard text.unicodeScalars.contains("\u{1B}") else { return text }
        return text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    }

    private func painted(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
