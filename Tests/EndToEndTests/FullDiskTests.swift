import Causality
import Glibc
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests of a store on a file system of a few megabytes that fills up and is freed again.
    @Suite struct FullDiskTests {
        @Test(.enabled(if: Volume.mayMount, "mounting needs root, and leave to mount"))
        func fullDisk_refusesWritesUntilFreed_andServesReads() async throws {
            let volume = try Volume(megabytes: 12)
            do {
                try await DaemonProcess.run(data: volume.path + "/data") { daemon in
                    try await fillAndEmpty(daemon, volume)
                }
            } catch {
                volume.unmount()
                throw error
            }
            volume.unmount()
        }

        /// A mirror lists a conflict copy that the daemon has no room for as refused, like other files, and
        /// merges it when there is room.
        @Test(.enabled(if: Volume.mayMount, "mounting needs root, and leave to mount"))
        func conflictCopy_waitsForRoom() async throws {
            let volume = try Volume(megabytes: 12)
            defer { volume.unmount() }
            try await DaemonProcess.run(data: volume.path + "/data") { daemon in
                _ = try daemon.scratch.directory("notes")
                let scene = FileScene(daemon: daemon)
                func mirror(_ arguments: String...) async throws -> String {
                    let run = try await daemon.notesctl(
                        ["mirror"] + arguments, environment: ["XDG_STATE_HOME": scene.scratch.file("state")])
                    return run.text
                }
                let plan = "# Garden plan\n\nsoil in spring\n\nseeds in March\n\nwater in summer\n"
                try await scene.make("a", plan)
                _ = try await mirror("--once", scene.scratch.file("notes"))
                let client = try await daemon.client("filler")
                _ = try await fill(client)
                var random = SeededGenerator(seed: 2)
                let words = (0..<4_000).map { _ in String(random.next(), radix: 36) + "\n" }.joined()
                let copy = "a.sync-conflict-20261126-081407-ABCDEFG.md"
                try scene.write(plan + words, to: copy)
                _ = try await mirror("--once", scene.scratch.file("notes"))
                let status = try await mirror("status", "--json")
                #expect(status.contains(copy) && status.contains(#""kind":"refused""#), "\(status)")
                #expect(try scene.read(copy) == plan + words)

                try volume.removeBallast()
                _ = try await mirror("--once", scene.scratch.file("notes"))
                #expect(try await scene.text("a") == plan + words)
                #expect(throws: (any Error).self) { try scene.read(copy) }
                await client.close()
            }
        }

        private func fillAndEmpty(_ daemon: DaemonProcess, _ volume: Volume) async throws {
            let client = try await daemon.client("writer")
            let watcher = try await daemon.client("watcher")
            let watch = try await watcher.watch(WatchNotes(include: .text))
            var notes = try await self.fill(client)
            #expect(notes.count > 1, "something fitted")

            let status = try await client.status()
            #expect(status.state == .full)
            for (id, text) in notes { #expect(try await client.note(.id(id)).text == text, "reads go on") }
            #expect(try await client.listAll().count == notes.count, "nothing is half done")
            try await expectFound(notes, by: client)
            // Without a single free page every write fails; with some, small writes succeed.
            let small = noteID(9_000)
            do {
                _ = try await client.create(text: bytes("small\n"), id: small)
                notes[small] = bytes("small\n")
            } catch ClientError.refused(let error) {
                #expect(error.kind == .storageFull && error.isRetryable)
            }

            try volume.removeBallast()
            let last = noteID(9_001)
            _ = try await client.create(text: bytes("there is room again\n"), id: last)
            notes[last] = bytes("there is room again\n")
            #expect(try await client.status().state == .ok)
            let told = try await within("the watcher's last note") { try await self.notesOfWatch(watch, until: last) }
            #expect(told == notes, "watches continued and received exactly the acknowledged writes")
            try await expectFound(notes.filter { ![small, last].contains($0.key) }, by: client)
            await client.close()
            await watcher.close()

            #expect(try await daemon.end(SIGTERM) == .exited(0))
            try await daemon.start()
            let judge = try await daemon.client("judge")
            #expect(try await judge.listAll().count == notes.count)
            for (id, text) in notes { #expect(try await judge.note(.id(id)).text == text, "complete after a restart") }
            await judge.close()
        }

        /// Searches for the first word of each note, which no other note has.
        private func expectFound(_ notes: [NoteID: [UInt8]], by client: NotesClient) async throws {
            for (id, text) in notes {
                let word = ByteString(validUTF8: Array(text.prefix { $0 != UInt8(ascii: "\n") }))
                let found = try await client.search(SearchNotes(query: try SearchQuery(parsing: word), limit: 9))
                #expect(found.hits.map(\.note.head.id) == [id])
            }
        }

        /// Creates notes until the daemon refuses one for lack of space. Ballast fills most of the
        /// volume, so that little is written.
        private func fill(_ client: NotesClient) async throws -> [NoteID: [UInt8]] {
            var notes: [NoteID: [UInt8]] = [:]
            var random = SeededGenerator(seed: 1)
            for number in 1...UInt64(1_000) {
                // Incompressible text.
                let text = bytes((0..<4_000).map { _ in String(random.next(), radix: 36) }.joined(separator: "\n") + "\n")
                do {
                    let id = noteID(number)
                    _ = try await client.create(text: text, id: id)
                    notes[id] = text
                } catch ClientError.refused(let error) {
                    #expect(error.kind == .storageFull && error.kind.code == 3001 && error.isRetryable)
                    return notes
                }
            }
            Issue.record("the volume never filled up")
            return notes
        }

        private func notesOfWatch(_ watch: NoteWatch, until last: NoteID) async throws -> [NoteID: [UInt8]] {
            var notes: [NoteID: [UInt8]] = [:]
            for try await event in watch {
                guard case .changed(let change) = event, case .shown(let note) = change.note else { continue }
                notes[note.head.id] = note.text
                if note.head.id == last { break }
            }
            return notes
        }
    }
}

/// A small file system in memory, with ballast that can be removed.
struct Volume {
    private let scratch: Scratch

    var path: String { scratch.path }

    static let mayMount: Bool = {
        guard geteuid() == 0, let scratch = try? Scratch() else { return false }
        guard mount("tmpfs", scratch.path, "tmpfs", 0, "size=64k") == 0 else { return false }
        umount2(scratch.path, Int32(MNT_DETACH))
        return true
    }()

    init(megabytes: Int) throws {
        scratch = try Scratch()
        guard mount("tmpfs", scratch.path, "tmpfs", 0, "size=\(megabytes)m,mode=0700") == 0 else { throw SystemFault("mount") }
        Reaper.shared.mounted(scratch.path)
        try Files.write([UInt8](repeating: 0, count: megabytes << 19), to: scratch.file("ballast"))
    }

    func removeBallast() throws {
        guard unlink(scratch.file("ballast")) == 0 else { throw SystemFault("unlink") }
    }

    func unmount() {
        umount2(scratch.path, Int32(MNT_DETACH))
        Reaper.shared.unmounted(scratch.path)
    }
}
