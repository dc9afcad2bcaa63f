import Logging

/// One message and its formats for the journal, a terminal and a stream.
struct LogLine {
    let level: Logger.Level
    let message: String
    let metadata: Logger.Metadata

    /// Priority of `syslog(3)`: 2 (critical) to 7 (debug).
    var priority: Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    /// Fields for the journal: the standard ones, then each member of the metadata under its name
    /// in capitals with the prefix `NOTESD_`.
    var fields: [(name: String, value: String)] {
        var fields = [
            (name: "MESSAGE", value: Self.cut(message)), (name: "PRIORITY", value: String(priority)),
            (name: "SYSLOG_IDENTIFIER", value: "notesd"),
        ]
        if case .string(let event)? = metadata["event"], let identifier = LogCatalog.identifiers[event] {
            fields.append((name: "MESSAGE_ID", value: identifier))
        }
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            let name = "NOTESD_" + key.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
            fields.append((name: name, value: Self.cut(value.description)))
        }
        return fields
    }

    /// One line of text: `warning: the message (error: …, note: …)`. Leaves out `event`.
    var text: String {
        "\(level): \(Self.line(message))\(details)"
    }

    /// `text` with ANSI colours.
    var coloured: String {
        let colour =
            switch level {
            case .trace, .debug: "2"
            case .info: "0"
            case .notice: "1"
            case .warning: "33"
            case .error, .critical: "1;31"
            }
        return "\u{1B}[\(colour)m\(level):\u{1B}[0m \(Self.line(message))\u{1B}[2m\(details)\u{1B}[0m"
    }

    private var details: String {
        let shown = metadata.filter { $0.key != "event" }.sorted { $0.key < $1.key }
        return shown.isEmpty
            ? "" : " (" + shown.map { "\($0.key): \(Self.line($0.value.description))" }.joined(separator: ", ") + ")"
    }

    /// The text with control characters replaced by spaces, so that it is one line and cannot
    /// control a terminal.
    private static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in cut(text).unicodeScalars {
            line.append(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? " " : scalar)
        }
        return String(line)
    }

    /// Length to which messages and field values are cut, in bytes.
    private static let bytesMax = 8_192

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > bytesMax else { return text }
        var kept = text.utf8.prefix(bytesMax)
        while let last = kept.last, last & 0xC0 == 0x80 { kept.removeLast() }
        return String(decoding: kept.dropLast(), as: UTF8.self) + "…"
    }
}
