import Causality
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

/// A client that works while another misbehaves, and a second client that watches it. Neither
/// reconnects, so that a lost connection is noticed.
struct Bystander {
    /// A time limit that exceeds what the daemon needs for any request.
    private static let residentBytesMax = 256 << 20

    /// Runs with a daemon and a bystander, which must not be disturbed.
    static func watches(
        config: String = "", _ body: @escaping @Sendable (DaemonProcess) async throws -> Void
    ) async throws {
        try await DaemonProcess.run(config: config) { daemon in
            let writer = try await daemon.client("bystander")
            let watcher = try await daemon.client("watching bystander")
            let note = noteID(77)
            let first = try await writer.create(text: bytes("0\n"), id: note).note.head.version
            let watch = try await watcher.watch(WatchNotes(filter: Filter(ids: [note]), include: .text))
            let isOver = Flag()
            try await withThrowingTaskGroup(of: [UInt8].self) { group in
                group.addTask { try await work(writer, note, first, until: isOver) }
                let result = await Task { try await within("the misbehaviour's end") { try await body(daemon) } }.result
                isOver.set()
                let written = try await group.next()
                try result.get()
                try await within("the bystander's last write") { try await expect(watch, note, endsWith: written ?? []) }
            }
            let resident = try daemon.residentBytes()
            #expect(resident < residentBytesMax, "the daemon holds \(resident >> 20) MiB")
            await writer.close()
            await watcher.close()
        }
    }

    /// Writes until stopped, and returns the last text written.
    private static func work(
        _ client: NotesClient, _ note: NoteID, _ first: Version, until isOver: Flag
    ) async throws -> [UInt8] {
        var version = first
        var text = bytes("0\n")
        var number = 0
        repeat {
            number += 1
            text = bytes("\(number)\n")
            let outcome = try await client.save(note, base: version, text: text)
            #expect(outcome.outcome == .saved, "the bystander's write \(number)")
            version = outcome.version
            #expect(try await client.note(.id(note)).text == text, "the bystander's read \(number)")
        } while !isOver.isSet
        return text
    }

    private static func expect(_ watch: NoteWatch, _ note: NoteID, endsWith text: [UInt8]) async throws {
        var seq: UInt64 = 0
        for try await event in watch {
            if let number = event.seq {
                #expect(number == seq + 1, "the bystander's watch has no gap")
                seq = number
            }
            if case .changed(let change) = event, case .shown(let shown) = change.note, shown.text == text { return }
        }
        Issue.record("the bystander's watch ended")
    }
}
