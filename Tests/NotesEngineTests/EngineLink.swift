import Causality
import Dependents
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import NotesWire
import Replication
import Synchronization
import TestKit

/// A connection of a replicator to an engine, which breaks after a number of operations.
final class EngineLink: ExchangeStore {
    struct Cut: Error {}

    private struct State {
        /// The number of operations and pages until the connection breaks; nil for never.
        var left: Int?
        var isCut = false
        var requestNumber: UInt64 = 0
        var awaiting: [UInt64: CheckedContinuation<Response, any Error>] = [:]
        var pages: AsyncThrowingStream<RevisionsPage, any Error>.Continuation?
        /// The revisions that were sent in pages.
        var sent: [Dot] = []
    }

    let hasFiles: Bool
    private let engine: Engine
    private let identity: StoreIdentity
    private let dependent: DependentID
    private let mayPurge: Bool
    private let view: Int
    private let state: Mutex<State>

    /// - Parameter cutAfter: the number of operations and pages after which the connection breaks.
    convenience init(
        _ site: Site, _ number: UInt64, cutAfter: Int? = nil, mayPurge: Bool = true, view: Int = 1
    ) async throws {
        try await self.init(site.harness, site.identity, number, cutAfter: cutAfter, mayPurge: mayPurge, view: view)
    }

    init(
        _ harness: Harness, _ identity: StoreIdentity, _ number: UInt64, cutAfter: Int? = nil, mayPurge: Bool = true,
        view: Int = 1
    ) async throws {
        (self.mayPurge, self.view) = (mayPurge, view)
        hasFiles = harness.hasFiles
        engine = harness.engine
        self.identity = identity
        dependent = DependentID(number)
        state = Mutex(State(left: cutAfter))
        harness.route(dependent) { [weak self] in
            self?.receive($0)
        } whenFailed: { [weak self] in
            self?.breakOff()
        }
        _ = try await ask(
            body: .register(
                Registration(
                    clientName: "replicator", clientVersion: "1", label: nil, userID: 1, userName: "ada", encoding: .utf8)))
    }

    var store: ReplicaID { identity.store }
    var replica: ReplicaID { identity.replica }
    var sent: [Dot] { state.withLock { $0.sent } }

    func answer<Answer: WireResult>(to request: FileRequest, as answer: Answer.Type) async throws -> Answer {
        let result: any WireResult
        switch try await ask(.file(request)) {
        case .upload(let isThere, let offset, let isWanted):
            result = UploadResult(isThere: isThere, offset: offset, isWanted: isWanted)
        case .filePart(let data, let offset, let bytes): result = FilePartResult(data: data, offset: offset, bytes: bytes)
        case .fileChecked(let isThere): result = FileCheckResult(isThere: isThere)
        case .lacking(let lacks, let lost, let fetchBytesMax):
            result = HaveFilesResult(lacks: lacks, lost: lost, fetchBytesMax: fetchBytesMax)
        case .files(let files, let next): result = ListFilesResult(files: files, next: next)
        case .failed(.file(.differs(let hash))): throw FileDenial.differs("\(hash)")
        case .failed(.file(let refusal)): throw FileDenial.file("\(refusal)")
        case .failed(let failure): throw FileDenial.later("\(failure)")
        default: throw Cut()
        }
        guard let result = result as? Answer else { throw Cut() }
        return result
    }

    func known(digests: DotSet) async throws -> KnownRevisionsResult {
        guard case .knownRevisions(let known) = try await ask(.knownRevisions(digests: digests)) else { throw Cut() }
        return KnownRevisionsResult(
            known: known.dots, quarantined: known.quarantined, waiting: known.waiting, forms: [2], view: view,
            digests: known.digests)
    }

    func watch(_ params: WatchRevisions) async throws -> RevisionPages {
        try await watch(params, isRecorded: true)
    }

    func watch(_ params: WatchRevisions, isRecorded: Bool) async throws -> RevisionPages {
        let (pages, continuation) = AsyncThrowingStream<RevisionsPage, any Error>.makeStream()
        state.withLock { $0.pages = continuation }
        var start = params
        start.isRecorded = isRecorded
        guard case .feeding(let watch, let lacks) = try await ask(.watchRevisions(start)) else { throw Cut() }
        return RevisionPages(start: WatchRevisionsResult(watch: watch.number, lacks: lacks), pages: pages)
    }

    func proceed(_ params: ProceedParams) async throws {
        _ = try await ask(.proceed(params))
    }

    func complete(_ revisions: DotSet) async throws {
        _ = try await ask(.completeRevisions(revisions))
    }

    func adopt(_ params: AdoptParams, placed: @escaping @Sendable () -> Void) async throws -> AdoptAnswer {
        let offer = OfferedRevisions(
            revisions: params.revisions.compactMap(RevisionCodec.revision(from:)), unreadable: [],
            beginnings: params.beginnings.compactMap(\.beginning), mayPurge: mayPurge)
        switch try await ask(body: .adopt(offer), placed: placed) {
        case .adopted(let report, let unreadable): return .adopted(AdoptResult(report, unreadable: unreadable))
        case .failed(let failure): return .later("\(failure)")
        default: throw Cut()
        }
    }

    /// Ends the connection.
    func end() {
        engine.submit([.released(dependent)])
        breakOff()
    }

    private func breakOff() {
        let (awaiting, pages) = state.withLock { state in
            defer { (state.awaiting, state.pages, state.isCut) = ([:], nil, true) }
            return (state.awaiting.values.map { $0 }, state.pages)
        }
        for continuation in awaiting { continuation.resume(throwing: Cut()) }
        pages?.finish(throwing: Cut())
    }

    func ask(_ call: Call) async throws -> Response { try await ask(body: .call(call)) }

    func ask(body: Request.Body, placed: @escaping @Sendable () -> Void = {}) async throws -> Response {
        try await withCheckedThrowingContinuation { continuation in
            let number: UInt64? = state.withLock { state in
                guard !state.isCut else { return nil }
                state.requestNumber += 1
                state.awaiting[state.requestNumber] = continuation
                return state.requestNumber
            }
            guard let number else { return continuation.resume(throwing: Cut()) }
            let request = Input.request(Request(dependent: dependent, requestNumber: number, body: body))
            if engine.submit([request]) { return placed() }
            state.withLock { $0.awaiting.removeValue(forKey: number) }?.resume(throwing: RequestFailure.shuttingDown)
        }
    }

    /// Takes output of the engine. What comes after the cut is lost, although the engine has carried it
    /// out.
    private func receive(_ output: ConnectionOutput) {
        for response in output.responses {
            guard spend() else { return breakOff() }
            state.withLock { $0.awaiting.removeValue(forKey: response.requestNumber) }?.resume(returning: response.response)
        }
        for notification in output.notifications {
            guard case .revisions(let page) = notification.event else { continue }
            guard spend() else { return breakOff() }
            state.withLock { state in
                state.sent += page.beginnings.map(\.dot) + page.revisions.map(\.dot)
                state.pages?.yield(
                    RevisionsPage(
                        watch: notification.watch.number, seq: notification.number, left: page.remaining,
                        beginnings: page.beginnings.map { WireBeginning($0) },
                        revisions: page.revisions.map(RevisionCodec.wireForm), gone: page.gone))
            }
        }
        if !output.notifications.isEmpty { engine.submit([.drained(dependent)]) }
    }

    private func spend() -> Bool {
        state.withLock { state in
            guard !state.isCut else { return false }
            guard let left = state.left else { return true }
            state.left = left - 1
            return left > 0
        }
    }
}
