import Causality
import Glibc
import Logging
import NotesEngine
import NotesMetrics
import NotesModel
import NotesServer
import NotesStore
import ServiceLifecycle
import Systemd
import UnixSignals

/// The composition root: makes each part, gives it what it asks for, and runs them.
struct Daemon {
    let options: Options
    let environment: Environment
    let resolution: Resolution
    let log: DaemonLog
    /// Nil where nobody wants to be told how the daemon is.
    let manager: ServiceManager?
    private let book = PrincipalCache()

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
            throw error
        }
        log.level = resolution.settings.level
    }

    func run() async throws(ExitFailure) {
        signal(SIGPIPE, SIG_IGN)
        do {
            try await serve()
        } catch {
            let failure = ExitFailure(error)
            manager?.failed(code: failure.code.errorNumber, status: failure.message)
            throw failure
        }
        log.tellJournal("stopped", "stopped")
    }

    private func serve() async throws {
        // From here on whoever tells the daemon to stop is heard, however early he does.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        let listening = try listening()
        let (engine, server, configuration, isUnsure) = try await start(listening)
        let reloader = Reloader(
            options: options, environment: environment, holding: resolution, configuration: configuration, isUnsure: isUnsure,
            parts: Reloader.Parts(log: log, manager: manager, server: server, engine: engine, book: book))
        let farewell = ShutdownNotifier(manager: manager, log: log)
        defer { withExtendedLifetime(farewell) {} }
        let reload: @Sendable () async -> Void = { await reloader.askToReload() }
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: server, successTerminationBehavior: .gracefullyShutdownGroup),
            .init(service: Signals(signals, reload: reload), successTerminationBehavior: .gracefullyShutdownGroup),
            .init(service: farewell, successTerminationBehavior: .ignore),
            .init(service: AccessRefresher(reloader: reloader), successTerminationBehavior: .ignore),
        ]
        if let manager {
            services.append(
                .init(service: Watchdog(manager: manager, server: server), successTerminationBehavior: .gracefullyShutdownGroup))
        }
        try await ServiceGroup(configuration: ServiceGroupConfiguration(services: services, logger: log.logger)).run()
    }

    /// The service manager's socket where it handed one over, the configuration's otherwise.
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

    /// Opens the store, recovering it where that is needed, and takes connections from when it returns.
    private func start(_ listening: ListenAddress) async throws -> (Engine, Server, ServerConfiguration, isUnsure: Bool) {
        let interruption = StartupSignalHandler(log)
        let timeoutExtender = manager.map { TimeoutExtender($0) }
        defer { withExtendedLifetime(timeoutExtender) {} }
        let settings = resolution.settings
        let logger = log.logger
        var random = SystemRandomNumberGenerator()
        let data = try resolution.dataPath()
        let journal = try Store.open(
            directory: data, replica: ReplicaID(bits: random.next()), newStore: ReplicaID(bits: random.next()),
            now: Self.now(), logger: logger)
        let index = Store.openSearchIndex(directory: data, of: journal.identity, logger: logger)
        let notes = try journal.statistics().notes
        let admission = await resolution.accessRules(book, logger, within: Reloader.lookupSecondsMax)
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
        let engine = Engine(
            journal: journal, index: index, configuration: engineConfiguration, outputSink: router, logger: logger,
            now: { Self.now() })
        let server = Server(configuration: configuration, router: router, engine: engine, logger: logger)
        // From here on there may be clients, who are answered first.
        interruption.end()
        do {
            try await server.listen()
        } catch {
            await engine.finish()
            throw error
        }
        announce(listening, data: data, identity: engine.identity, notes: notes)
        return (engine, server, configuration, admission.isUnsure)
    }

    private func announce(_ listening: ListenAddress, data: String, identity: StoreIdentity, notes: Int) {
        let socket = listening.path
        let holds =
            "notesd \(Program.version) holds \(notes) \(notes == 1 ? "note" : "notes") in \(data) "
            + "(store \(identity.store), replica \(identity.replica)) and listens on \(socket)"
        manager?.ready(status: "\(notes) \(notes == 1 ? "note" : "notes")")
        log.tellJournal("started", "\(holds)", ["notes": "\(notes)", "store": "\(identity.store)"])
        guard !log.isJournal else { return }
        let isFound = socket == environment["NOTESD_SOCKET"] ?? environment.defaultSocket
        let client = isFound ? "notesctl" : "notesctl --socket \(socket)"
        Main.say(holds, to: STDOUT_FILENO)
        Main.say("try: echo \"# Hello\" | \(client) new hello; \(client) list", to: STDOUT_FILENO)
    }

    private static func threads(_ wanted: Int) -> Int {
        wanted > 0 ? wanted : max(1, min(4, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) / 2))
    }

    private static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
