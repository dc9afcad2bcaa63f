import Causality
import Foundation
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing
import TextMerge

extension EndToEnd {
    /// A revision that a peer offered and the daemon did not accept is kept apart, and is no fault.
    @Suite struct HeldRevisionTests {
        /// A revision of a note that the store lacks, with an edit outside the text.
        private static let outside = LinkedRevision(
            Revision(
                note: noteID(9), dot: dot("C1"), parents: .nothing,
                edits: [Edit(start: 5, end: 9, replacement: bytes("a\u{1B}[31mb"))], origin: .stated, author: ada,
                time: Timestamp(milliseconds: 0)), parentHashes: [])

        /// Offers the revision.
        private func offer(to daemon: DaemonProcess) async throws {
            let client = try await daemon.client("peer")
            let offer = AdoptParams(revisions: [RevisionCodec.wireForm(of: Self.outside)])
            let result: AdoptResult = try await client.call(.adopt(offer))
            #expect(result.quarantined.map(\.dot) == [dot("C1")])
            await client.close()
        }

        @Test func revisionThatWasNotAccepted_isNoFault_andTheBackupIsRestoredWithIt() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "diary", input: "one\n")
                try await offer(to: daemon)
                let audit = try await daemon.notesctl("audit")
                #expect(audit.end == .exited(0), "\(audit.errors)")
                #expect(audit.text.contains("cccccccccccccccc:1  not accepted: an edit lies outside"), "\(audit.text)")
                #expect(audit.text.contains("a\\x1B[31mb") && !audit.text.contains("\u{1B}"), "\(audit.text)")

                let (backup, data) = (daemon.scratch.file("backup.db"), daemon.scratch.file("restored"))
                #expect(try await daemon.notesctl("backup", backup).end == .exited(0))
                for options in [[], ["--new-store"]] {
                    let data = data + options.joined()
                    let restored = try await Command.run(Binaries.notesd, ["restore", backup, "--data", data] + options)
                    #expect(restored.end == .exited(0), "\(restored.errors)")
                    #expect(
                        restored.text.contains("\(data) holds 1 revision of other machines that no note contains"),
                        "\(restored.text)")
                    let audited = try await BackupSupport.notesd("audit", "--data", data)
                    #expect(audited.end == .exited(0), "\(audited.errors)")
                    #expect(audited.text.contains("cccccccccccccccc:1  not accepted: an edit lies outside"), "\(audited.text)")
                }
            }
        }

        /// A later connection does not forget it.
        @Test func sync_isNotUpToDate_whileARevisionIsNotAccepted() async throws {
            try await DaemonProcess.run { daemon in
                try await DaemonProcess.run { peer in
                    _ = try await peer.notesctl("new", "diary", input: "one\n")
                    let environment = [
                        "XDG_CONFIG_HOME": daemon.scratch.file("config"), "XDG_STATE_HOME": daemon.scratch.file("state"),
                    ]
                    let added = try await daemon.notesctl(
                        ["peer", "add", "peer", "unix:\(peer.socket)", "--no-start", "--yes"], environment: environment)
                    #expect(added.end == .exited(0), "\(added.errors)")
                    func sync() async throws -> Command {
                        try await daemon.notesctl(["sync", "--once", "peer"], environment: environment)
                    }
                    try await offer(to: daemon)
                    let held = try await sync()
                    #expect(held.end == .exited(65), "\(held.errors)")
                    #expect(held.errors.contains("up to date; this store has not accepted 1 revision\n"), "\(held.errors)")
                    #expect(try await daemon.notesctl("held", "drop", "--yes", "cccccccccccccccc:1").end == .exited(0))
                    let whole = try await sync()
                    #expect(whole.end == .exited(0) && whole.errors.contains("peer: up to date\n"), "\(whole.errors)")
                }
            }
        }

        @Test func heldRevision_isNamed_untilItIsDropped() async throws {
            try await DaemonProcess.run { daemon in
                let environment = ["XDG_CONFIG_HOME": daemon.scratch.file("config")]
                func notesctl(_ arguments: String...) async throws -> Command {
                    try await daemon.notesctl(arguments, environment: environment)
                }
                func peers() async throws -> Command { try await notesctl("peer", "list") }
                func doctor() async throws -> Command { try await notesctl("doctor", "--format", "{check} {severity} {what}") }

                #expect(try await peers().errors.isEmpty)
                #expect(try await !doctor().text.contains("held"))
                #expect(try await notesctl("held").end == .exited(0))
                _ = try await daemon.notesctl("new", "diary", input: "one\n")
                try await offer(to: daemon)

                let named = "1 revision was not accepted: for \(noteID(9)), by \(ada.user)"
                let told = try await (peers(), doctor())
                #expect(told.0.end == .exited(0) && told.0.errors.contains(named), "\(told.0.errors)")
                #expect(told.0.errors.contains("`notesctl held list` shows them"), "\(told.0.errors)")
                #expect(told.1.lines.contains { $0.hasPrefix("held note ") && $0.contains(named) }, "\(told.1.text)")
                let list = try await notesctl("held", "list")
                #expect(list.lines.count == 1 && list.text.hasPrefix("cccccccccccccccc:1  \(noteID(9))"), "\(list.text)")
                #expect(list.text.contains("not accepted: an edit lies outside") && !list.text.contains("\u{1B}"), "\(list.text)")
                let shown = try await notesctl("held", "show", "cccccccccccccccc:1")
                #expect(shown.lines.last == "a\\x1B[31mb", "\(shown.text)")
                #expect(try await notesctl("held", "show", "--format", "{bytes}", "cccccccccccccccc:1").text == "7\n")

                #expect(try await notesctl("held", "drop", "cccccccccccccccc:1").end == .exited(64), "nobody can confirm")
                #expect(try await notesctl("held", "show", "c:1").end == .exited(64))
                #expect(try await notesctl("held", "drop", "--yes", "cccccccccccccccc:2").end == .exited(66))
                try await daemon.restart(after: SIGKILL)
                #expect(try await notesctl("held", "list").lines.count == 1, "it stays until it is dropped")
                let dropped = try await notesctl("held", "drop", "--yes", "cccccccccccccccc:1")
                #expect(dropped.end == .exited(0) && dropped.text == "dropped 1 revision\n", "\(dropped.errors)")
                let empty = try await notesctl("held", "list")
                #expect(empty.end == .exited(0) && empty.text.isEmpty, "\(empty.text)")
                #expect(try await peers().errors.isEmpty)
                #expect(try await notesctl("audit").lines.count == 1)
                #expect(try await notesctl("show", "diary").text == "one\n")
            }
        }
    }
}
