import NotesServer
import Suggestions

/// Source of the current value of a setting.
enum SettingSource: Hashable, Sendable, CustomStringConvertible {
    case byDefault
    /// Path of a configuration file.
    case file(String)
    /// Name of an environment variable.
    case environment(String)
    /// An option, as messages write it: `--socket`, `--set log.level`.
    case option(String)

    var description: String {
        switch self {
        case .byDefault: "default"
        case .file(let path): path
        case .environment(let name): "environment \(name)"
        case .option(let option): "option \(option)"
        }
    }
}

/// The settings and the source of each value. Layers are applied in turn; later layers override
/// earlier ones.
struct SettingLayers: Hashable, Sendable {
    /// Values after the layers that were applied so far.
    private(set) var settings = Settings()
    /// Source of each value by key. Settings with their default value have no entry.
    private(set) var sources: [String: SettingSource] = [:]

    /// Source of the current value of a setting.
    func source(of setting: Setting) -> SettingSource {
        sources[setting.key] ?? .byDefault
    }

    /// Applies one value of a layer.
    ///
    /// - Throws: `SettingFault` if the setting does not accept the value.
    mutating func take(_ stated: RawSetting, for setting: Setting, from source: SettingSource) throws(SettingFault) {
        try setting.take(stated, into: &settings)
        sources[setting.key] = source
    }

    /// Copies the value of a setting and its source from other layers.
    mutating func copy(_ setting: Setting, from others: SettingLayers) {
        setting.copy(from: others.settings, to: &settings)
        sources[setting.key] = others.sources[setting.key]
    }

    /// Applies the environment variables of settings. Their names are `NOTESD_` and the key in
    /// capitals, with `_` for each dot.
    ///
    /// - Throws: `ExitFailure` for a value that a setting does not accept, and for a variable that
    ///   begins like those of a table, such as `NOTESD_LIMITS_`, but names no setting.
    mutating func take(_ environment: Environment) throws(ExitFailure) {
        for setting in Setting.all {
            guard let text = environment[setting.variable] else { continue }
            if case .path(let path, _) = setting.value {
                place(text, at: path, setting, from: .environment(setting.variable))
                continue
            }
            do {
                try take(RawSetting(text, for: setting), for: setting, from: .environment(setting.variable))
            } catch {
                throw ExitFailure("\(setting.variable): \(error.message)", .configuration)
            }
        }
        // A variable with the prefix of a table is a misspelt setting. Variables with the bare
        // prefix `NOTESD_` may belong to other programs.
        let tables = Set(Setting.all.filter { $0.path.count > 1 }.map { "NOTESD_\($0.path[0].uppercased())_" })
        let known = Setting.all.map(\.variable)
        for name in environment.variables.keys.sorted()
        where tables.contains(where: { name.hasPrefix($0) }) && !known.contains(name) {
            let question = Suggestions.question(name, among: known) { $0 }.map { "; \($0)" } ?? ""
            throw ExitFailure("\(name): unknown setting\(question)", .configuration)
        }
    }

    /// Applies an option that names a path. Unlike a path in a file, it may be relative to the
    /// working directory.
    mutating func take(option: String, path text: String, for key: String) {
        guard let setting = Setting.all.first(where: { $0.key == key }), case .path(let path, _) = setting.value else { return }
        place(text, at: path, setting, from: .option(option))
    }

    private mutating func place(
        _ text: String, at path: WritableKeyPath<Settings, String?>, _ setting: Setting, from source: SettingSource
    ) {
        settings[keyPath: path] = text
        sources[setting.key] = source
    }

    /// Applies the argument of `--set KEY=VALUE`.
    mutating func take(assignment: String) throws(ExitFailure) {
        guard let equals = assignment.firstIndex(of: "=") else {
            throw ExitFailure("--set \(assignment): must be KEY=VALUE, as in --set log.level=debug", .usage)
        }
        let key = String(assignment[..<equals])
        guard let setting = Setting.all.first(where: { $0.key == key }) else {
            throw ExitFailure("--set \(assignment): \(Setting.unknown(key).message)", .usage)
        }
        let text = String(assignment[assignment.index(after: equals)...])
        do {
            try take(RawSetting(text, for: setting), for: setting, from: .option("--set \(key)"))
        } catch {
            throw ExitFailure("--set: \(error.message)", .usage)
        }
    }

    /// Checks the relations between settings.
    ///
    /// - Throws: `ExitFailure` if `limits.line_bytes_max` is not greater than
    ///   `limits.note_bytes_max`.
    func check() throws(ExitFailure) {
        let limits = settings.limits
        guard limits.lineBytesMax > limits.noteBytesMax else {
            let source = ["limits.line_bytes_max", "limits.note_bytes_max"].compactMap { sources[$0] }.first ?? .byDefault
            throw ExitFailure(
                "\(source): limits.line_bytes_max: must be greater than limits.note_bytes_max (\(limits.noteBytesMax) bytes), "
                    + "but is \(limits.lineBytesMax) bytes: a request contains a whole text", .configuration)
        }
    }
}

extension Setting {
    /// Name of the environment variable that sets this setting.
    var variable: String { "NOTESD_" + path.joined(separator: "_").uppercased() }

    /// Fault for a key that does not exist, with the most similar key if one is near.
    static func unknown(_ key: String) -> SettingFault {
        let question = Suggestions.question(key, among: all.map(\.key)) { $0 }
        return SettingFault(message: "\(key): unknown setting" + (question.map { "; \($0)" } ?? ""))
    }
}
