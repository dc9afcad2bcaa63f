import Console
package import NotesClient
import NotesModel
import NotesWire
import Synchronization

/// `watch` on a terminal: draws who is in which note and what changes, as it happens.
package final class LiveWatch: Sendable {
    private let client: NotesClient
    private let watch: NoteWatch
    private let list: Mutex<LiveList>

    /// Interval at which ages and the terminal's size are updated.
    private static let tick = Duration.milliseconds(500)
    /// Ticks between two queries for the connected clients.
    private static let ticksBetweenAsking = 10

    package init(client: NotesClient, watch: NoteWatch) {
        self.client = client
        self.watch = watch
        list = Mutex(LiveList(started: Clock.now()))
    }

    package func run() async throws {
        LiveScreen.enter()
        draw()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.follow() }
                group.addTask { try await self.keepUp() }
                // The watch ends only with an error or with the terminal.
                _ = try await group.next()
                group.cancelAll()
            }
        } catch {
            LiveScreen.leave()
            throw error
        }
        LiveScreen.leave()
    }

    private func follow() async throws {
        var labels = WatchLabels()
        for try await event in watch {
            if case .changed(let change) = event {
                let label = await labels.label(of: change.note, client)
                list.withLock { $0.changed(change, label: label, at: Clock.now()) }
            }
            switch event {
            case .presence(let presence):
                let label = presence.place == nil ? "" : await label(of: presence.note, &labels)
                list.withLock { $0.present(presence, label: label) }
            case .interrupted, .reset:
                list.withLock {
                    $0.sentence = event.sentence
                    $0.forgetPresence()
                }
            case .started, .synced, .changed: list.withLock { $0.sentence = nil }
            case .bookmark: break
            }
            if watch.held == 0 { draw() }
        }
    }

    /// The label of a note that may not have changed during this watch.
    private func label(of note: NoteID, _ labels: inout WatchLabels) async -> String {
        if let label = labels.label(of: note) { return label }
        guard let found = try? await client.note(.id(note)) else { return "\(note)" }
        return labels.label(of: .shown(found))
    }

    private func keepUp() async throws {
        var ticks = 0
        while true {
            if ticks % Self.ticksBetweenAsking == 0, let dependents = try? await client.dependents() {
                list.withLock { $0.connections = dependents.count }
            }
            ticks &+= 1
            draw()
            try await Task.sleep(for: Self.tick)
        }
    }

    private func draw() {
        let columns = Terminal.columns ?? 80
        let lines = list.withLock {
            $0.lines(rows: Terminal.rows, columns: columns, now: Clock.now(), local: Clock.local, style: Terminal.style)
        }
        LiveScreen.draw(lines)
    }
}
