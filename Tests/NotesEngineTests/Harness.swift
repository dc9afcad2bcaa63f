import Causality
import Dependents
import Dispatch
import Logging
import NoteText
import NotesMethods
import NotesModel
import NotesSearch
import NotesStore
import StoreTestKit
import Synchronization
import TestKit
import Testing

@testable import NotesEngine

/// The output to the connections, as a stream that a test reads at its own pace.
private final class Recorder: OutputSink {
    struct Route {
        let receive: @Sendable (ConnectionOutput) -> Void
        let fail: @Sendable () -> Void
    }

    enum Event: Sendable {
        case output(ConnectionOutput)
        case broadcast(RenderedChanges, [Broadcast.Recipient])
        case failed(String)
    }

    let events: AsyncStream<Event>
    /// Receivers of the outputs of some connections.
    private let routes = Mutex<[DependentID: Route]>([:])
    private let sink: AsyncStream<Event>.Continuation

    init() {
        (events, sink) = AsyncStream.makeStream()
    }

    func deliver(_ outputs: [ConnectionOutput]) {
        for output in outputs {
            if let route = routes.withLock({ $0[output.dependent] }) {
                route.receive(output)
            } else {
                sink.yield(.output(output))
            }
        }
    }

    func route(_ dependent: DependentID, to route: Route?) {
        routes.withLock { $0[dependent] = route }
    }

    func broadcast(_ changes: RenderedChanges, to recipients: [Broadcast.Recipient]) {
        sink.yield(.broadcast(changes, recipients))
    }

    func end() {
        sink.finish()
    }

    func engineFailed(_ message: String) {
        sink.yield(.failed(message))
        for route in routes.withLock({ Array($0.values) }) { route.fail() }
    }
}

/// An engine with connections that accept every line at once.
struct Harness {
    let engine: Engine
    /// Whether the store has a folder of files.
    let hasFiles: Bool
    private let recorder: Recorder
    private var events: AsyncStream<Recorder.Event>.Iterator
    private var responses: [UInt64: Response] = [:]
    /// Request numbers, in the order of the responses.
    private(set) var answered: [UInt64] = []
    private var requestNumber: UInt64 = 0
    private var isDraining: Bool
    /// The notifications that each dependent received, in order.
    private(set) var notifications: [DependentID: [WatchNotification]] = [:]
    /// The weight of each broadcast that was read.
    private(set) var broadcasts: [Int] = []
    /// The presence that each dependent received.
    private(set) var presences: [DependentID: [PresenceLine]] = [:]
    /// The message of `engineFailed`; nil while the engine runs.
    private(set) var failure: String?

    init(
        journal: sending any Journal, index: sending SearchIndex? = nil, files: sending FileFolder? = nil,
        configuration: EngineConfiguration = EngineConfiguration(), isDraining: Bool = true
    ) {
        recorder = Recorder()
        hasFiles = files != nil
        engine = Engine(
            journal: journal, index: index, files: files, configuration: configuration, outputSink: recorder,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            now: { Timestamp(milliseconds: 1_700_000_000_000) })
        events = recorder.events.makeAsyncIterator()
        self.isDraining = isDraining
    }

    /// Passes the output for a connection to a receiver, on the engine's thread; nil for no longer.
    ///
    /// - Parameter fail: called if the engine fails.
    func route(
        _ dependent: DependentID, to receiver: (@Sendable (ConnectionOutput) -> Void)?,
        whenFailed fail: @escaping @Sendable () -> Void = {}
    ) {
        recorder.route(dependent, to: receiver.map { Recorder.Route(receive: $0, fail: fail) })
    }

    static func memoryJournal(faults: [JournalError?] = []) -> MemoryJournal {
        let journal = MemoryJournal(identity: StoreIdentity(store: replica("F"), replica: replica("A")))
        journal.appendFaults = faults
        return journal
    }

    mutating func register(_ number: UInt64, user: UInt32 = 1000) async -> Response? {
        let registration = Registration(
            clientName: "test", clientVersion: "1", label: ByteString("c\(number)"), userID: user, userName: "ada",
            encoding: .utf8)
        return await ask(DependentID(number), body: .register(registration))
    }

    /// Sends requests together, so that one turn of the engine takes them, and reads the responses.
    ///
    /// - Parameter gone: a dependent whose connection ends after them.
    mutating func ask(_ requests: [(DependentID, Call)], releasing gone: DependentID? = nil) async -> [Response] {
        await ask(bodies: requests.map { ($0, .call($1)) }, releasing: gone)
    }

    mutating func ask(bodies requests: [(DependentID, Request.Body)], releasing gone: DependentID? = nil) async -> [Response] {
        let requestNumbers = requests.map { _ in
            requestNumber += 1
            return requestNumber
        }
        let inputs = zip(requestNumbers, requests).map { Input.request(Request(dependent: $1.0, requestNumber: $0, body: $1.1)) }
        engine.submit(inputs + (gone.map { [.released($0)] } ?? []))
        var result: [Response] = []
        for requestNumber in requestNumbers {
            while responses[requestNumber] == nil, failure == nil, await read() {}
            responses[requestNumber].map { result.append($0) }
        }
        return result
    }

    mutating func ask(_ dependent: DependentID, _ call: Call) async -> Response? {
        await ask(dependent, body: .call(call))
    }

    mutating func ask(_ dependent: DependentID, body: Request.Body) async -> Response? {
        await ask(bodies: [(dependent, body)]).first
    }

    /// Reads until a dependent received a matching notification.
    mutating func notification(_ dependent: DependentID, where fits: (WatchNotification) -> Bool) async -> WatchNotification? {
        var seen = 0
        while true {
            let told = notifications[dependent] ?? []
            if let notification = told[seen...].first(where: fits) { return notification }
            seen = told.count
            guard failure == nil, await read() else { return nil }
        }
    }

    /// Reads until a dependent received matching presence.
    mutating func presenceLine(_ dependent: DependentID, where fits: (PresenceLine) -> Bool) async -> PresenceLine? {
        while true {
            if let line = presences[dependent]?.last(where: fits) { return line }
            guard failure == nil, await read() else { return nil }
        }
    }

    /// Stops the engine and reads the rest of its output. Returns the responses by their request
    /// numbers, which start at 1.
    mutating func finish() async -> [UInt64: Response] {
        await engine.finish()
        recorder.end()
        while await read() {}
        return responses
    }

    /// Sends requests whose responses are read later.
    mutating func send(_ requests: [(DependentID, Call)]) -> [UInt64] { send(bodies: requests.map { ($0, .call($1)) }) }

    mutating func send(bodies requests: [(DependentID, Request.Body)]) -> [UInt64] {
        let inputs = requests.map { dependent, body in
            requestNumber += 1
            return Input.request(Request(dependent: dependent, requestNumber: requestNumber, body: body))
        }
        engine.submit(inputs)
        return Array(requestNumber + 1 - UInt64(requests.count)...requestNumber)
    }

    /// The response to a request; nil if it was not read yet.
    func response(to requestNumber: UInt64) -> Response? { responses[requestNumber] }

    private mutating func read() async -> Bool {
        guard let event = await events.next() else { return false }
        switch event {
        case .failed(let message): failure = message
        case .broadcast(let changes, let recipients):
            for recipient in recipients {
                let notification = WatchNotification(
                    watch: recipient.watch, number: recipient.seq, cursor: changes.cursor, event: .changes(changes))
                notifications[recipient.dependent, default: []] += notification.each
            }
            let weight = changes.weight * recipients.count
            broadcasts.append(weight)
            if isDraining { engine.submit([.broadcastWritten(weight: weight)]) }
        case .output(let output):
            for response in output.responses {
                responses[response.requestNumber] = response.response
                answered.append(response.requestNumber)
            }
            notifications[output.dependent, default: []] += output.notifications.flatMap(\.each)
            presences[output.dependent, default: []] += output.presences
            if isDraining, !output.notifications.isEmpty || !output.presences.isEmpty {
                engine.submit([.drained(output.dependent)])
            }
        }
        return true
    }
}

let one = DependentID(1)
let two = DependentID(2)

func create(_ id: NoteID, _ text: String, name: ByteString? = nil) -> Command {
    .createNote(CreateNote(id: id, isIDChosen: true, name: name, text: bytes(text)))
}

func save(_ id: NoteID, _ text: String, on base: Version) -> Command {
    .saveNote(SaveNote(id: id, base: base, text: bytes(text)))
}

extension Response {
    var outcome: Outcome? {
        if case .wrote(let outcome, _, _) = self { outcome } else { nil }
    }

    var text: [UInt8]? {
        if case .note(let note) = self { note.text } else { nil }
    }

    var isCreated: Bool {
        if case .created = self { true } else { false }
    }

    var isReplay: Bool {
        switch self {
        case .created(_, let original): original != nil
        case .wrote(_, _, let isReplay): isReplay
        default: false
        }
    }

    var failure: RequestFailure? {
        if case .failed(let failure) = self { failure } else { nil }
    }

    var rejection: Rejection? {
        if case .refused(let rejection) = self { rejection } else { nil }
    }
}

extension WatchNotification {
    /// One notification for each line.
    var each: [WatchNotification] {
        guard case .changes(let shared) = event else { return [self] }
        return shared.changes.enumerated().map { index, change in
            WatchNotification(
                watch: watch, number: number + UInt64(index), cursor: change.cursor, event: .changed(change.notification))
        }
    }
}

extension Harness {
    /// Waits until the engine has taken in the worker's last step and handed it the next one.
    func untilWalkStepWaits() async throws {
        for _ in 0..<1_000_000 where try await engine.runOnEngine({ $0.longReads.isAtWorker }) { return }
        Issue.record("the worker has no step")
    }

    /// Lets the suspended worker execute the next step of a walk, and suspends it again.
    func executeWalkStep() async throws {
        try await untilWalkStepWaits()
        let queue = engine.walkWorker.queue
        await withCheckedContinuation { continuation in
            queue.async {
                queue.suspend()
                continuation.resume()
            }
            queue.resume()
        }
    }
}

extension LongReads {
    /// Whether the worker has a step that it has not reported.
    var isAtWorker: Bool { running.map { $0.reading == nil } ?? false && stepped == nil }
}

extension Engine {
    /// Whether a pass of compaction is running. Each call takes a turn, after which a running pass
    /// executes one step.
    ///
    /// - Throws: `shuttingDown` if the engine has stopped.
    nonisolated func isCompacting() async throws(RequestFailure) -> Bool {
        try await runOnEngine { engine throws(JournalError) in engine.maintenance.compaction != nil }
    }
}

extension Call {
    /// A write with a key that makes its retry safe.
    static func write(_ command: Command, operation op: ByteString?) -> Call {
        switch command {
        case .createNote(var create):
            create.op = op
            return .write(.createNote(create))
        case .saveNote(var save):
            save.op = op
            return .write(.saveNote(save))
        case .editNote(var edit):
            edit.op = op
            return .write(.editNote(edit))
        case .deleteNote(var delete):
            delete.op = op
            return .write(.deleteNote(delete))
        case .undoNote(var undo):
            undo.op = op
            return .write(.undoNote(undo))
        case .purgeNote(var purge):
            purge.op = op
            return .write(.purgeNote(purge))
        }
    }
}
