import Console
import NoteText
import NotesModel
import NotesWire

/// The output of `config show`: one setting per line, in the syntax of the configuration file. A
/// setting without a value is printed as a comment.
struct SettingTable {
    let hasSources: Bool
    let style: Style

    func lines(_ settings: [SettingObject]) -> [String] {
        let stated = settings.map { setting in
            let key = SafeText.line(setting.key.description)
            return setting.value.map { "\(key) = \(SafeText.line($0.description))" } ?? "# \(key) is not set"
        }
        let width = min(Self.columnsMax, stated.map { DisplayWidth.of($0) }.max() ?? 0)
        return zip(settings, stated).map { setting, text in
            var line = text
            if hasSources {
                line = DisplayWidth.fit(text, columns: max(width, DisplayWidth.of(text)))
                line += "  " + style.dim("# \(SafeText.line(setting.source.description))")
            }
            if let pending = setting.pending {
                line += "  " + style.red("# \(SafeText.line(pending.description)) after the next restart")
            }
            return line
        }
    }

    private static let columnsMax = 60
}
