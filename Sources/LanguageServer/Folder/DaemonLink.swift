import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

/// The connection to the daemon, which is restored after each loss.
actor DaemonLink {
    private let options: GlobalOptions
    private let report: @Sendable (Event) -> Void
    private var state = State.connecting
    private var task: Task<Void, Never>?
    /// Requests that came before the first attempt to connect had ended.
    private var waiting: [CheckedContinuation<NotesClient?, Never>] = []
    /// The targets of `links.missing`; nil if notes have changed since they were read.
    private var missing: [MissingTarget]?

    private enum State {
        case connecting
        case up(NotesClient)
        case away
    }

    enum Event: Sendable {
        case up
        case away(reason: String)
        /// Notes have changed.
        case changed
    }

    init(_ options: GlobalOptions, _ report: @escaping @Sendable (Event) -> Void) {
        (self.options, self.report) = (options, report)
    }

    /// Connects, again and again until the daemon answers.
    func connect(label: String) {
        guard task == nil else { return }
        task = Task {
            var backoff = Backoff()
            var random = SystemRandomNumberGenerator()
            while !Task.isCancelled {
                do {
                    var options = try options.clientOptions(label)
                    options.reconnecting = Backoff()
                    try await follow(try await NotesClient.connect(options))
                    set(.away)
                } catch {
                    set(.away)
                    report(.away(reason: (error as? ExitFailure)?.message ?? "\(error)"))
                }
                try? await Task.sleep(for: backoff.next(using: &random))
            }
        }
    }

    func end() {
        task?.cancel()
    }

    /// Follows all notes, without their texts.
    private func follow(_ client: NotesClient) async throws {
        for try await event in try await client.watch(WatchNotes(include: .meta, snapshot: false)) {
            switch event {
            case .started, .reset:
                missing = nil
                set(.up(client))
                report(.up)
            case .changed:
                missing = nil
                report(.changed)
            case .interrupted(let error):
                set(.away)
                report(.away(reason: "\(error)"))
            case .synced, .bookmark, .presence: break
            }
        }
    }

    private func set(_ state: State) {
        self.state = state
        let client: NotesClient? = if case .up(let client) = state { client } else { nil }
        for continuation in waiting { continuation.resume(returning: client) }
        waiting = []
    }

    /// The connection; nil while the daemon is away.
    var client: NotesClient? {
        get async {
            switch state {
            case .up(let client): client
            case .away: nil
            case .connecting: await withCheckedContinuation { waiting.append($0) }
            }
        }
    }

    /// The first targets that mean nothing.
    func missingTargets(_ client: NotesClient) async throws -> [MissingTarget] {
        if let missing { return missing }
        let found = try await client.missingLinks(ListMissingLinks(limit: Self.missingTargetsMax)).targets
        missing = found
        return found
    }

    /// Most targets without a note that completion offers.
    private static let missingTargetsMax = 100
}
