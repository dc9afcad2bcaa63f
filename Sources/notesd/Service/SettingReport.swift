import Glibc
import Logging
import NotesEngine
import NotesModel
import NotesServer

extension Resolution {
    /// Every setting, for `daemon.config`.
    ///
    /// - Parameters:
    ///   - listening: where connections come from.
    ///   - pending: what was read last, of which some may wait for the next start.
    func report(_ listening: Listening, pending read: Resolution? = nil) -> [SettingReport] {
        Setting.all.map { setting in
            if case .inherited(_, let path) = listening, setting.key == "socket" {
                return SettingReport(
                    key: setting.key, value: "\"\(path)\"", origin: "service manager", isReloadable: false, pending: nil)
            }
            let value = setting.literal(in: settings) ?? chosen[setting.key]
            let next = read.map { setting.literal(in: $0.settings) ?? $0.chosen[setting.key] } ?? value
            return SettingReport(
                key: setting.key, value: value, origin: layers.origin(of: setting).description,
                isReloadable: setting.isReloadable, pending: next == value ? nil : next)
        }
    }

    /// What the environment decides where nothing was said.
    private var chosen: [String: String] {
        ["data": data.map { "\"\($0)\"" }, "socket": socket.map { "\"\($0)\"" }].compactMapValues(\.self)
    }

    /// Who is let in. Names that the system does not know are told, and let nobody in.
    func accessRules(_ logger: Logger) -> AccessRules {
        func admitted(_ key: String, _ names: [String]) -> AccessRules.Admitted {
            AccessRules.Admitted(names) { name in
                logger.warning(
                    "access.\(key) names \(name), which this system does not know; nobody is let in by it",
                    metadata: ["event": "unknown-peer", "setting": "access.\(key)"])
            }
        }
        let access = settings.access
        return AccessRules(
            owner: geteuid(), read: admitted("read", access.read), write: admitted("write", access.write),
            admin: admitted("admin", access.admin))
    }
}

extension Settings {
    var level: Logger.Level { Logger.Level(rawValue: logLevel) ?? .info }

    var historyPolicy: HistoryPolicy { historyKeepDays.map { .keepDays($0) } ?? .keepAll }
}
