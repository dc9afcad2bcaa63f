import Causality
import Glibc
import Logging
import NotesEngine
import NotesMetrics
import NotesModel
import NotesSearch
import NotesServer
import NotesStore
import Systemd

/// The composition root: creates all parts of the daemon, connects them, and runs them.
struct Daemon {
    let options: Options
    let environment: Environment
    /// The configuration at start.
    let resolution: Resolution
    let log: DaemonLog
    /// The service manager; nil if it does not ask for notifications (`NOTIFY_SOCKET` is unset).
    let manager: ServiceManager?
    private let principals = PrincipalCache()

    /// Reads the configuration and sets the log level.
    ///
    /// - Throws: `ExitFailure`, after notifying the service manager of it and, if the configuration is
    ///   invalid, refusing waiting clients.
    init(options: Options, environment: Environment, log: DaemonLog) throws(ExitFailure) {
        self.options = options
        self.environment = environment
        self.log = log
        manager = ServiceManager(variable: { environment[$0] })
        do {
            try Files.demandOpenFiles()
            resolution = try Resolution(options: options, environment: environment, reading: .files)
        } catch {
            manager?.failed(code: error.code.errorNumber, status: error.message)
            if error.code == .configuration { Self.refuseWaitingClients(environment) }
            throw error
        }
        log.level = resolution.settings.level
    }

    /// Answers the clients that wait in an inherited socket, because a service manager does not
    /// restart a daemon with an invalid configuration.
    private static func refuseWaitingClients(_ environment: Environment) {
        guard let socket = try? InheritedSocket.find(variable: { environment[$0] }) else { return }
        let message = "the daemon cannot start, because its configuration is invalid; `notesctl doctor` prints the reason"
        BacklogRefusal(descriptor: socket.descriptor, message: message).run()
    }

    /// Opens the store, serves until a signal or a failure, and closes the store.
    ///
    /// - Throws: `ExitFailure`, after notifying the service manager of it.
    func run() async throws(ExitFailure) {
        // By default, these signals end the process. The daemon gives them no meaning.
        for number in [SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM] { signal(number, SIG_IGN) }
        do {
            try await serve()
        } catch {
            let failure = ExitFailure(error)
            manager?.failed(code: failure.code.errorNumber, status: failure.message)
            throw failure
        }
        log.logEvent("stopped", "stopped")
    }

    private func serve() async throws {
        // Before the store is opened, so that no signal is lost meanwhile.
        let signals = Signals(log)
        let listening = try listening()
        let (engine, server, configuration, isUnsure) = try await start(listening, signals)
        let reloader = Reloader(
            options: options, environment: environment, current: resolution, configuration: configuration, isUnsure: isUnsure,
            parts: Reloader.Parts(log: log, manager: manager, server: server, engine: engine, principals: principals))
        let lookups = Task { await reloader.retryLookups() }
        let watchdog = Task { await manager.map { Watchdog(manager: $0, server: server) }?.run() }
        let shutdown = Task {
            await signals.waitForStop { await reloader.askToReload() }
            guard !Task.isCancelled else { return TimeoutExtender?.none }
            watchdog.cancel()
            manager?.stopping(status: "Stopping: answering pending requests")
            log.logEvent("stopping", "stopping: answering pending requests and notifying clients")
            let timeoutExtender = manager.map { TimeoutExtender($0) }
            server.shutDown()
            return timeoutExtender
        }
        defer {
            lookups.cancel()
            watchdog.cancel()
            // The task keeps its result until here, and so extends the timeout.
            shutdown.cancel()
        }
        try await server.run()
    }

    /// The socket that the service manager passed; otherwise the one of the configuration.
    private func listening() throws(ExitFailure) -> ListenAddress {
        do {
            if let socket = try InheritedSocket.find(variable: { environment[$0] }) {
                return .inherited(descriptor: socket.descriptor, path: socket.path)
            }
        } catch {
            throw ExitFailure(error.message, .usage)
        }
        return .path(try resolution.socketPath())
    }

    /// Opens the store, recovers it if necessary, and starts to listen. The server accepts
    /// connections when this returns.
    private func start(
        _ listening: ListenAddress, _ signals: Signals
    ) async throws -> (Engine, Server, ServerConfiguration, isUnsure: Bool) {
        let timeoutExtender = manager.map { TimeoutExtender($0) }
        defer { withExtendedLifetime(timeoutExtender) {} }
        let settings = resolution.settings
        let logger = log.logger
        var random = SystemRandomNumberGenerator()
        let data = try resolution.dataPath()
        let journal = try Store.open(
            directory: data, replica: ReplicaID(bits: random.next()), newStore: ReplicaID(bits: random.next()),
            now: Self.now(), logger: logger)
        let index = SearchIndex.open(directory: data, of: journal.identity.store, logger: logger)
        let files = try Store.openFiles(of: journal, in: data)
        let notes = try journal.statistics().notes
        let admission = await resolution.accessRules(principals, logger, within: Reloader.lookupSecondsMax)
        var configuration = ServerConfiguration(
            listening: listening, version: Program.version, access: admission.rules, limits: settings.servedLimits)
        configuration.metering = Metering(version: Program.version, startSeconds: Double(Self.now().milliseconds) / 1_000)
        configuration.settings = resolution.report(listening)
        let router = ConnectionRouter(configuration: configuration, threads: Self.threads(settings.threads)) {
            var random = SystemRandomNumberGenerator()
            return NoteID(at: Self.now(), random: (random.next(), random.next()))
        }
        var engineConfiguration = configuration.limits.engine
        engineConfiguration.metering = configuration.metering
        engineConfiguration.history = settings.historyPolicy
        engineConfiguration.files = settings.fileLimits
        engineConfiguration.acceptsPurges = settings.historyPurges == "accept"
        let engine = Engine(
            journal: journal, index: index, files: files, configuration: engineConfiguration, outputSink: router,
            logger: logger, now: { Self.now() })
        let server = Server(configuration: configuration, router: router, engine: engine, logger: logger)
        signals.serve()
        do {
            try await server.listen()
        } catch {
            await engine.finish()
            throw error
        }
        announce(listening, data: data, identity: engine.identity, notes: notes)
        return (engine, server, configuration, admission.isUnsure)
    }

    /// Notifies the service manager that the daemon is ready, and logs or prints what it serves.
    private func announce(_ listening: ListenAddress, data: String, identity: StoreIdentity, notes: Int) {
        let socket = listening.path
        let holds =
            "notesd \(Program.version) holds \(notes) \(notes == 1 ? "note" : "notes") in \(data) "
            + "(store \(identity.store), replica \(identity.replica)) and listens on \(socket)"
        manager?.ready(status: "\(notes) \(notes == 1 ? "note" : "notes")")
        log.logEvent("started", "\(holds)", ["notes": "\(notes)", "store": "\(identity.store)"])
        guard !log.isJournal else { return }
        let isFound = socket == environment["NOTESD_SOCKET"] ?? environment.defaultSocket
        let client = isFound ? "notesctl" : "notesctl --socket \(socket)"
        Output.say(holds, to: STDOUT_FILENO)
        Output.say("try: echo \"# Hello\" | \(client) new hello; \(client) list", to: STDOUT_FILENO)
    }

    /// Number of event loops: the configured number, or half the number of processors, 1 to 4.
    private static func threads(_ wanted: Int) -> Int {
        wanted > 0 ? wanted : max(1, min(4, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) / 2))
    }

    /// The time of day in milliseconds.
    private static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
