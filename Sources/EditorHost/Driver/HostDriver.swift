import Console
package import NoteTasks
package import NoteText
package import NotesClient
import NotesModel

/// Serves one editor: hands an `EditorHost` the editor's lines, the daemon's responses and the time, and
/// performs its actions.
package struct HostDriver {
    package let inbox: HostInbox
    private let access: HostAccess
    private let drafts: NoteDrafts?
    private let send: @Sendable ([UInt8]) async -> Void
    private let began = ContinuousClock.now

    /// How long the program waits for the daemon when the editor has gone.
    private static let patience = Duration.seconds(10)

    /// - Parameters:
    ///   - access: how the host connects to the daemon.
    ///   - drafts: keeps what the daemon has not acknowledged; nil if the editor itself keeps it.
    ///   - send: sends a line to the editor, and returns when there is room for the next.
    package init(
        _ inbox: HostInbox, _ access: HostAccess, drafts: NoteDrafts?, send: @escaping @Sendable ([UInt8]) async -> Void
    ) {
        (self.inbox, self.access, self.drafts, self.send) = (inbox, access, drafts, send)
    }

    private var now: Duration { .now - began }

    /// Returns when the editor has gone, and everything that it typed is saved or in a draft.
    package func run() async {
        let writer = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
        var host = EditorHost(writer: writer)
        let requests = HostRequests(access, inbox)
        defer { access.others?.ended(access.label, host.writer, inbox) }
        var timer: Task<Void, Never>?
        var end: Duration?
        for await entry in inbox.events {
            for action in host.receive(entry.event, at: now) { await perform(action, requests) }
            inbox.handled(entry)
            if case .ended = entry.event { end = end ?? now + Self.patience }
            if host.isFinished || end.map({ $0 <= now }) == true { break }
            timer?.cancel()
            timer = [host.deadline, end].compactMap { $0 }.min().map { deadline in
                Task { [inbox, time = max(.zero, deadline - now)] in
                    if (try? await Task.sleep(for: time)) != nil { inbox.put(.clock) }
                }
            }
        }
        timer?.cancel()
        for action in host.giveUp() { await perform(action, requests) }
        await requests.cancel()
        drafts?.report()
    }

    private func perform(_ action: HostAction, _ requests: HostRequests) async {
        switch action {
        case .send(let line): await send(line)
        case .sendAfterDraft(let note, let kept, let failed): await send(drafts?.isKept(note) == true ? kept : failed)
        case .keepDraft(let note, let name, let text, let base):
            keep(note, name) { try $0.keep(note, text, base: base, name: $1) }
        case .keepNewDraft(let note, let name, let text):
            keep(note, name) { try $0.keepNew(note, text, name: $1) }
        case .removeDraft(let note): drafts?.remove(note)
        case .leaveDraft(let note): drafts?.leave(note)
        case .discard(let note, let left): if drafts?.isKept(note) == true { for draft in left { draft.remove() } }
        case .connect(let writer, _, _):
            drafts?.writer = writer
            access.others?.began(access.label, writer, inbox)
            await requests.perform(action)
        default: await requests.perform(action)
        }
    }

    private func keep(_ note: NoteID, _ name: ByteString, _ write: (NoteDrafts, String) throws -> Void) {
        guard let drafts else { return }
        do {
            try write(drafts, name.description)
        } catch {
            inbox.put(.draftFailed(note, reason: "\(error)"))
            drafts.failures[note].map(Output.note)
        }
    }
}

/// How a host connects to the daemon.
package struct HostAccess: Sendable {
    /// The options of each connection, without a label.
    package let options: @Sendable () throws -> ClientOptions
    /// The label of the editor, whatever it says in its hello; nil for what it says.
    package let label: ByteString?
    /// Whether an opening goes on with the draft of a host that ended.
    package let takesUpDrafts: Bool
    /// The other hosts of this program; nil if it has one.
    package let others: LivingHosts?

    package init(
        label: ByteString? = nil, takesUpDrafts: Bool = true, others: LivingHosts? = nil,
        options: @escaping @Sendable () throws -> ClientOptions
    ) {
        (self.label, self.takesUpDrafts, self.others, self.options) = (label, takesUpDrafts, others, options)
    }
}
