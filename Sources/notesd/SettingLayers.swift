import NotesServer

/// Where what holds for a setting was said.
enum Origin: Hashable, Sendable, CustomStringConvertible {
    case byDefault
    case file(String)
    case environment(String)
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

/// The settings as one layer after the other says something of them; what is said later goes before what was said earlier.
struct SettingLayers: Hashable, Sendable {
    private(set) var settings = Settings()
    /// By key; none for what nobody said anything of.
    private(set) var origins: [String: Origin] = [:]

    func origin(of setting: Setting) -> Origin {
        origins[setting.key] ?? .byDefault
    }

    mutating func take(_ stated: RawSetting, for setting: Setting, from origin: Origin) throws(SettingFault) {
        try setting.take(stated, into: &settings)
        origins[setting.key] = origin
    }

    /// Makes a setting what it is in other layers.
    mutating func copy(_ setting: Setting, from others: SettingLayers) {
        setting.copy(from: others.settings, to: &settings)
        origins[setting.key] = others.origins[setting.key]
    }

    /// The variables of the environment that name settings: `NOTESD_`, and the key in capitals with `_` for each dot.
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
        // Others that begin like one of a table are meant to be one. `NOTESD_` alone may begin anything.
        let tables = Set(Setting.all.filter { $0.path.count > 1 }.map { "NOTESD_\($0.path[0].uppercased())_" })
        let known = Setting.all.map(\.variable)
        for name in environment.variables.keys.sorted()
        where tables.contains(where: { name.hasPrefix($0) }) && !known.contains(name) {
            let nearest = Nearest.word(to: name, of: known).map { "; did you mean \($0)?" } ?? ""
            throw ExitFailure("\(name): there is no such setting\(nearest)", .configuration)
        }
    }

    /// Options and the environment may name paths that begin where the process does.
    mutating func take(option: String, path text: String, for key: String) {
        guard let setting = Setting.all.first(where: { $0.key == key }), case .path(let path, _) = setting.value else { return }
        place(text, at: path, setting, from: .option(option))
    }

    private mutating func place(
        _ text: String, at path: WritableKeyPath<Settings, String?>, _ setting: Setting, from origin: Origin
    ) {
        settings[keyPath: path] = text
        origins[setting.key] = origin
    }

    /// `--set KEY=VALUE`.
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

    /// What no setting can tell alone.
    func check() throws(ExitFailure) {
        let limits = settings.limits
        guard limits.lineBytesMax > limits.noteBytesMax else {
            let told = ["limits.line_bytes_max", "limits.note_bytes_max"].compactMap { origins[$0] }.first ?? .byDefault
            throw ExitFailure(
                "\(told): limits.line_bytes_max: is \(limits.lineBytesMax) bytes, and must be more than limits.note_bytes_max "
                    + "(\(limits.noteBytesMax)): a text is sent in one line", .configuration)
        }
    }
}

extension Setting {
    /// The variable of the environment that sets it.
    var variable: String { "NOTESD_" + path.joined(separator: "_").uppercased() }

    static func unknown(_ key: String) -> SettingFault {
        let nearest = Nearest.word(to: key, of: all.map(\.key))
        return SettingFault(message: "\(key): there is no such setting" + (nearest.map { "; did you mean \($0)?" } ?? ""))
    }
}
