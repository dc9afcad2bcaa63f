import Logging
import NotesEngine
import NotesServer
import Systemd

/// Reloads the configuration while the daemon runs. If the new configuration is invalid, the old
/// one remains in effect and the reason is logged.
actor Reloader {
    private let options: Options
    private let environment: Environment
    private let parts: Parts
    /// The configuration in effect.
    private var current: Resolution
    private var configuration: ServerConfiguration
    /// Whether the lookup of a name in the access lists failed and must be repeated.
    private var isUnsure: Bool
    /// The last job of the queue. Jobs run one after another, so the configuration that was read
    /// last is in effect at the end, however long the user database takes for each.
    private var last: Task<Void, Never>?

    /// Timeout of the lookup of all names, in seconds. A directory server may be slow.
    static let lookupSecondsMax = 10
    private static let secondsBetweenLookups = 30

    /// The parts of the daemon that a reload changes or notifies.
    struct Parts: Sendable {
        let log: DaemonLog
        let manager: ServiceManager?
        let server: Server
        let engine: Engine
        let principals: PrincipalCache
    }

    init(
        options: Options, environment: Environment, current: Resolution, configuration: ServerConfiguration, isUnsure: Bool,
        parts: Parts
    ) {
        self.options = options
        self.environment = environment
        self.current = current
        self.configuration = configuration
        self.isUnsure = isUnsure
        self.parts = parts
    }

    /// Starts a reload and returns at once, so that the caller can handle a signal to stop
    /// meanwhile.
    func askToReload() {
        enqueue { await $0.reload() }
    }

    /// Repeats failed lookups of names every 30 seconds until the task is cancelled.
    func retryLookups() async {
        while true {
            do { try await Task.sleep(for: .seconds(Self.secondsBetweenLookups)) } catch { return }
            if isUnsure { enqueue { await $0.applyAccessRules() } }
        }
    }

    private func enqueue(_ body: @escaping @Sendable (Reloader) async -> Void) {
        let before = last
        last = Task {
            await before?.value
            await body(self)
        }
    }

    private func reload() async {
        let logger = parts.log.logger
        parts.manager?.reloading()
        do {
            let read = try Resolution(options: options, environment: environment, reading: .files)
            let changed = await apply(read, logger)
            let summary = changed.isEmpty ? "nothing changed" : "changed: \(changed.joined(separator: ", "))"
            logger.notice("configuration reloaded; \(summary)", metadata: ["event": "reloaded"])
            parts.manager?.ready(status: "Configuration reloaded; \(summary)")
        } catch {
            logger.error(
                "invalid configuration; the previous settings remain in effect: \(error.message)",
                metadata: ["event": "reload-refused"])
            parts.manager?.ready(status: "Reload refused: \(error.message)")
        }
    }

    /// Looks up the names in the access lists and applies the resulting rules.
    private func applyAccessRules() async {
        let admission = await current.accessRules(parts.principals, parts.log.logger, within: Self.lookupSecondsMax)
        configuration.access = admission.rules
        isUnsure = admission.isUnsure
        await parts.server.reconfigure(configuration)
    }

    /// Applies a configuration. Returns the keys of the settings whose values changed.
    private func apply(_ read: Resolution, _ logger: Logger) async -> [String] {
        let (next, changed, waiting) = current.reloaded(read)
        for key in waiting {
            logger.warning(
                "the new value of \(key) takes effect at the next start",
                metadata: ["event": "setting-waits", "setting": "\(key)"])
        }
        current = next
        parts.log.level = next.settings.level
        configuration.limits = next.settings.servedLimits
        configuration.settings = next.report(configuration.listening, pending: read)
        await applyAccessRules()
        await parts.engine.keepHistory(next.settings.historyPolicy)
        await parts.engine.fetchFiles(upTo: next.settings.files.fetchBytesMax ?? next.settings.files.bytesMax)
        return changed
    }
}

extension Resolution {
    /// Applies the reloadable settings of another configuration to this one.
    ///
    /// - Returns: the result, the keys that changed, and the keys whose new values wait for the
    ///   next start.
    func reloaded(_ read: Resolution) -> (next: Resolution, changed: [String], waiting: [String]) {
        var next = self
        var changed: [String] = []
        var waiting: [String] = []
        for setting in Setting.all {
            let isSame = setting.literal(in: settings) == setting.literal(in: read.settings)
            if setting.isReloadable {
                next.layers.copy(setting, from: read.layers)
                if !isSame { changed.append(setting.key) }
            } else if !isSame {
                waiting.append(setting.key)
            }
        }
        return (next, changed, waiting)
    }
}
