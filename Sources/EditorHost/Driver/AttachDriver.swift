import Console
import Dispatch
import Glibc
package import NoteTasks
import NoteText
import NotesClient
import NotesModel

/// Serves one editor over standard input and output: hands an `EditorHost` the editor's lines, the daemon's
/// responses and the time, and performs its actions.
package struct AttachDriver {
    private let options: GlobalOptions
    private let inbox = HostInbox()
    private let drafts = NoteDrafts()
    private let began = ContinuousClock.now

    /// How long the program waits for the daemon when the editor has gone.
    private static let patience = Duration.seconds(10)

    package init(_ options: GlobalOptions) {
        self.options = options
    }

    private var now: Duration { .now - began }

    /// Returns when the editor has gone, and everything that it typed is saved or in a draft.
    package func run() async throws {
        let writer = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
        var host = EditorHost(writer: writer)
        let requests = HostRequests(options, inbox)
        let signals = inbox.takeSignals()
        inbox.readInput()
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
        for action in host.giveUp() { await perform(action, requests) }
        await requests.cancel()
        for signal in signals { signal.cancel() }
        drafts.report()
    }

    private func perform(_ action: HostAction, _ requests: HostRequests) async {
        switch action {
        case .send(let line): send(line)
        case .sendAfterDraft(let note, let kept, let failed): send(drafts.isKept(note) ? kept : failed)
        case .keepDraft(let note, let name, let text, let base):
            keep(note, name) { try drafts.keep(note, text, base: base, name: $0) }
        case .keepNewDraft(let note, let name, let text):
            keep(note, name) { try drafts.keepNew(note, text, name: $0) }
        case .removeDraft(let note): drafts.remove(note)
        case .leaveDraft(let note): drafts.leave(note)
        case .discard(let note, let left): if drafts.isKept(note) { for draft in left { draft.remove() } }
        case .connect(let writer, _, _):
            drafts.writer = writer
            await requests.perform(action)
        default: await requests.perform(action)
        }
    }

    private func send(_ line: [UInt8]) {
        // An editor that was killed takes nothing more, but what it sent before is still in the input.
        _ = Output.writeAll(line, to: STDOUT_FILENO)
    }

    private func keep(_ note: NoteID, _ name: ByteString, _ write: (String) throws -> Void) {
        do {
            try write(name.description)
        } catch {
            inbox.put(.draftFailed(note, reason: "\(error)"))
            Output.note("cannot keep a draft of \(SafeText.line(name.description)): \(error)")
        }
    }
}
