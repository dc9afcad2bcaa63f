/// The text of `config/notesd.toml`: every setting as a comment that holds its default. Made from `Setting.all`; a test holds
/// the file to it.
enum SampleFile {
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
        "# Settings of notesd. Copy this to $XDG_CONFIG_HOME/notesd/notesd.toml (or ~/.config/notesd/notesd.toml), or name a",
        "# file with `notesd --config FILE`, and check it with `notesd --check-config`.",
        "#",
        "# Everything below is a comment that holds the default: take away the # at the start of a line to change it. A key that",
        "# is not listed here is an error. What goes before what: options (--socket, --data, --set KEY=VALUE); the environment",
        "# (NOTESD_ and the key in capitals, with _ for each dot: NOTESD_LOG_LEVEL); this file; conf.d/*.toml beside it, of which the",
        "# last by name goes before the others. What is taken over on reload (SIGHUP, `systemctl reload`) says so.",
    ]

    private static func lines(for setting: Setting) -> [String] {
        let takesHold = setting.isReloadable ? "Taken over on reload." : "Taken over at the next start."
        let defaults = Settings()
        let name = setting.path.last ?? ""
        switch setting.value {
        case .path(_, let shown):
            return ["# Default: \(shown)", "# \(takesHold)", "#\(name) = \"/…\""]
        case .word(let path, let words):
            return ["# One of \(words.joined(separator: ", ")). \(takesHold)", "#\(name) = \"\(defaults[keyPath: path])\""]
        case .integer(let path, let unit, let range):
            return [
                "# In \(unit), \(range.lowerBound) to \(range.upperBound). \(takesHold)", "#\(name) = \(defaults[keyPath: path])",
            ]
        case .optionalInteger(_, let unit, let range, let shown, let example):
            return [
                "# In \(unit), \(range.lowerBound) to \(range.upperBound). Default: \(shown). \(takesHold)",
                "#\(name) = \(example)",
            ]
        case .words(_, let what, _, let example):
            let words = example.map { "\"\($0)\"" }.joined(separator: ", ")
            return ["# Each \(what). Default: nobody. \(takesHold)", "#\(name) = [\(words)]"]
        }
    }
}
