import Causality
import Glibc
import Logging
import NotesEngine
import NotesMetrics
import NotesModel
import NotesServer
import NotesStore
import ServiceLifecycle
import UnixSignals

/// The composition root: makes each part, gives it what it asks for, and runs them.
enum Daemon {
    static func run(_ resolution: Resolution) async throws(Failure) {
        signal(SIGPIPE, SIG_IGN)
        var limits = resolution.settings.limits
        limits.connectionsMax = min(limits.connectionsMax, max(1, Files.raiseOpenFilesLimit() - reservedFiles))
        let logger = makeLogger(level: resolution.settings.logLevel)
        do {
            try await serve(resolution, limits: limits, logger: logger)
        } catch let error as Failure {
            throw error
        } catch let error as ListenError {
            throw Failure(error)
        } catch let error as StoreError {
            throw Failure(error)
        } catch {
            throw Failure("the store failed: \(error)", .store)
        }
    }

    private static func serve(_ resolution: Resolution, limits: ServiceLimits, logger: Logger) async throws {
        // From here on whoever tells the daemon to stop is heard, however early he does.
        let stop = StopSignals(signals: await UnixSignalsSequence(trapping: .sigterm, .sigint))
        var random = SystemRandomNumberGenerator()
        let journal = try Store.open(
            directory: resolution.data, replica: ReplicaID(bits: random.next()), newStore: ReplicaID(bits: random.next()),
            now: now(), logger: logger)
        let identity = journal.identity
        let notes = try journal.statistics().notes
        let metering = Metering(version: Program.version, startSeconds: Double(now().milliseconds) / 1_000)
        var configuration = ServerConfiguration(
            socketPath: resolution.socket, version: Program.version, user: .ofThisProcess(), limits: limits)
        configuration.metering = metering
        let switchboard = Switchboard(configuration: configuration, threads: threads(resolution.settings.threads)) {
            var random = SystemRandomNumberGenerator()
            return NoteID(at: now(), random: (random.next(), random.next()))
        }
        var engineConfiguration = limits.engine
        engineConfiguration.metering = metering
        if let days = resolution.settings.historyKeepDays { engineConfiguration.history = .keepDays(days) }
        let engine = Engine(
            journal: journal, configuration: engineConfiguration, courier: switchboard, logger: logger, now: { now() })
        let server = Server(configuration: configuration, switchboard: switchboard, engine: engine, logger: logger)
        do {
            try await server.listen()
        } catch {
            await engine.finish()
            throw error
        }
        announce(resolution, identity: identity, notes: notes)
        try await ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: server, successTerminationBehavior: .gracefullyShutdownGroup),
                    .init(service: stop, successTerminationBehavior: .gracefullyShutdownGroup),
                ], logger: logger)
        ).run()
    }

    /// Ends, and the group with it, at the first signal to stop. The group would take care of signals only from when it runs.
    private struct StopSignals: Service {
        let signals: UnixSignalsSequence

        func run() async {
            for await _ in signals.cancelOnGracefulShutdown() { return }
        }
    }

    private static func announce(_ resolution: Resolution, identity: StoreIdentity, notes: Int) {
        let client = resolution.isSocketDefault ? "notesctl" : "notesctl --socket \(resolution.socket)"
        Main.say(
            "notesd \(Program.version) holds \(notes) \(notes == 1 ? "note" : "notes") in \(resolution.data) "
                + "(store \(identity.store), replica \(identity.replica)) and listens on \(resolution.socket)", to: STDOUT_FILENO)
        Main.say("try: echo \"# Hello\" | \(client) new hello; \(client) list", to: STDOUT_FILENO)
    }

    private static func makeLogger(level: String) -> Logger {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        var logger = Logger(label: "notesd")
        logger.logLevel = Logger.Level(rawValue: level) ?? .info
        return logger
    }

    private static func threads(_ wanted: Int) -> Int {
        wanted > 0 ? wanted : max(1, min(4, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) / 2))
    }

    private static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Descriptors that connections never take: the store's, the event loops', standard ones.
    private static let reservedFiles = 64
}

extension Failure {
    fileprivate init(_ error: ListenError) {
        switch error {
        case .alreadyListening: self.init("\(error)", .inUse)
        case .emptyPath, .pathTooLong: self.init("\(error)", .usage)
        case .notASocket, .systemCall: self.init("\(error)", .cannotCreate)
        }
    }

    init(_ error: StoreError) {
        switch error {
        case .locked: self.init("\(error)", .inUse)
        case .directory: self.init("\(error)", .cannotCreate)
        case .newer, .foreign, .backup: self.init("\(error)", .data)
        case .journal: self.init("\(error)", .store)
        }
    }
}
