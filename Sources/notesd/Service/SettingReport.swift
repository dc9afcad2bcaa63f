import NotesServer

extension Resolution {
    /// The state of every setting, for `daemon.config`.
    ///
    /// - Parameters:
    ///   - listening: the socket that the daemon listens on.
    ///   - pending: the configuration that was read last. Some of its values may wait for the next
    ///     start.
    func report(_ listening: ListenAddress, pending read: Resolution? = nil) -> [SettingReport] {
        Setting.all.map { setting in
            if case .inherited(_, let path) = listening, setting.key == "socket" {
                return SettingReport(
                    key: setting.key, value: "\"\(path)\"", origin: "service manager", isReloadable: false, pending: nil)
            }
            let value = setting.literal(in: settings) ?? chosen[setting.key]
            let next = read.map { setting.literal(in: $0.settings) ?? $0.chosen[setting.key] } ?? value
            return SettingReport(
                key: setting.key, value: value, origin: layers.source(of: setting).description,
                isReloadable: setting.isReloadable, pending: next == value ? nil : next)
        }
    }

    /// Literals of the paths that the environment determines if they are not configured.
    private var chosen: [String: String] {
        ["data": data.map { "\"\($0)\"" }, "socket": socket.map { "\"\($0)\"" }].compactMapValues(\.self)
    }
}
