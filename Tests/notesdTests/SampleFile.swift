@testable import notesd

/// Generates `config/notesd.toml` from `Setting.all`: every setting as a comment with its default
/// value. `SampleFileTests` compares the file with this text.
enum SampleFile {
    /// The whole text of the file, ending in a line feed.
    static var text: String {
        var lines = introduction
        var table: [String] = []
        for setting in Setting.all {
            if setting.path.dropLast() != table[...] {
                table = Array(setting.path.dropLast())
                lines += ["", "[\(table.joined(separator: "."))]"]
            }
            lines.append("")
            lines += setting.summary.map { "# \($0)" }
            lines += self.lines(for: setting)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let introduction = [
        "# Settings of notesd. Copy this file to $XDG_CONFIG_HOME/notesd/notesd.toml (or",
        "# ~/.config/notesd/notesd.toml), or select a file with `notesd --config FILE`. Check it",
        "# with `notesd --check-config`.",
        "#",
        "# Every setting below is commented out and shows its default, or an example if the default",
        "# is described in words. To change a setting, remove the # at the start of its line. A key",
        "# that is not listed here is an error.",
        "#",
        "# In order of precedence, highest first: options (--socket, --data, --set KEY=VALUE);",
        "# environment variables (NOTESD_ and the key in capitals, with _ for each dot:",
        "# NOTESD_LOG_LEVEL); this file; the files conf.d/*.toml in the same directory, in reverse",
        "# order of their names. A reload (SIGHUP, `systemctl reload`) applies each setting that is",
        "# marked \"Applied on reload\".",
    ]

    private static func lines(for setting: Setting) -> [String] {
        let takesHold = setting.isReloadable ? "Applied on reload." : "Applied at the next start."
        let defaults = Settings()
        let name = setting.path.last ?? ""
        switch setting.value {
        case .path(_, let shown):
            return ["# Default: \(shown)", "# \(takesHold)", "#\(name) = \"/…\""]
        case .word(let path, let words):
            return ["# One of \(words.joined(separator: ", ")). \(takesHold)", "#\(name) = \"\(defaults[keyPath: path])\""]
        case .integer(let path, let unit, let range):
            return [
                "# Range: \(range.lowerBound) to \(range.upperBound) \(unit). \(takesHold)",
                "#\(name) = \(defaults[keyPath: path])",
            ]
        case .optionalInteger(_, let unit, let range, let shown, let example):
            return [
                "# Range: \(range.lowerBound) to \(range.upperBound) \(unit). Default: \(shown). \(takesHold)",
                "#\(name) = \(example)",
            ]
        case .words(_, let what, _, let example):
            let words = example.map { "\"\($0)\"" }.joined(separator: ", ")
            return ["# Each item is \(what).", "# Default: nobody. \(takesHold)", "#\(name) = [\(words)]"]
        }
    }
}
