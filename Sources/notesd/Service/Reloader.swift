import Logging
import NotesEngine
import NotesServer
import Systemd

/// Takes over what changed in the configuration while the daemon runs, or keeps what holds and says why.
actor Reloader {
    private let options: Options
    private let environment: Environment
    private let parts: Parts
    /// What holds.
    private var holding: Resolution
    private var configuration: ServerConfiguration
    /// Whether some who are let in by name could not be looked up.
    private var isUnsure: Bool
    /// What is done last of what was asked for. One thing after the other: what was read later holds in the end, however long the
    /// database of users takes for each.
    private var last: Task<Void, Never>?

    /// How long a directory server may take.
    static let lookupSecondsMax = 10
    private static let secondsBetweenLookups = 30

    /// Who is told.
    struct Parts: Sendable {
        let log: DaemonLog
        let manager: ServiceManager?
        let server: Server
        let engine: Engine
        let book: PrincipalCache
    }

    init(
        options: Options, environment: Environment, holding: Resolution, configuration: ServerConfiguration, isUnsure: Bool,
        parts: Parts
    ) {
        self.options = options
        self.environment = environment
        self.holding = holding
        self.configuration = configuration
        self.isUnsure = isUnsure
        self.parts = parts
    }

    /// Does not wait for it, so that who tells the daemon to stop meanwhile is heard.
    func askToReload() {
        enqueue { await $0.reload() }
    }

    /// Asks again for those who could not be looked up, until the daemon stops.
    func lookAgain() async {
        while true {
            do { try await Task.sleep(for: .seconds(Self.secondsBetweenLookups)) } catch { return }
            if isUnsure { enqueue { await $0.letIn() } }
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
            let changed = await takeOver(read, logger)
            let told = changed.isEmpty ? "nothing changed" : "changed: \(changed.joined(separator: ", "))"
            logger.notice("the configuration was read again; \(told)", metadata: ["event": "reloaded"])
            parts.manager?.ready(status: "Read its configuration again; \(told)")
        } catch {
            logger.error(
                "the configuration was not taken over, and what held still holds: \(error.message)",
                metadata: ["event": "reload-refused"])
            parts.manager?.ready(status: "Keeps its old configuration: \(error.message)")
        }
    }

    /// Finds out whom the settings that hold let in, and lets them.
    private func letIn() async {
        let admission = await holding.accessRules(parts.book, parts.log.logger, within: Self.lookupSecondsMax)
        configuration.access = admission.rules
        isUnsure = admission.isUnsure
        await parts.server.reconfigure(configuration)
    }

    /// Returns the keys of what holds from now on and did not before.
    private func takeOver(_ read: Resolution, _ logger: Logger) async -> [String] {
        let (next, changed, waiting) = holding.reloaded(read)
        for key in waiting {
            logger.warning(
                "\(key) holds as it was until the daemon is started again",
                metadata: ["event": "setting-waits", "setting": "\(key)"])
        }
        holding = next
        parts.log.level = next.settings.level
        configuration.limits = next.settings.servedLimits
        configuration.settings = next.report(configuration.listening, pending: read)
        await letIn()
        await parts.engine.keepHistory(next.settings.historyPolicy)
        return changed
    }
}

extension Resolution {
    /// What holds once what was read is taken over as far as it can be: with the keys of what changed, and of what waits for the next
    /// start.
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
