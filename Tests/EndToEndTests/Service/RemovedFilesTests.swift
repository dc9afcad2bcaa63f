import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests of a daemon whose files somebody removes while it runs.
    @Suite struct RemovedFilesTests {
        /// Connects as soon as somebody listens.
        private func connected(_ daemon: DaemonProcess) async throws -> NotesClient {
            try await within("a socket that accepts clients") {
                while true {
                    do {
                        return try await daemon.client("later")
                    } catch ClientError.daemonNotThere {
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
            }
        }

        @Test func removedSocket_isCreatedAgain() async throws {
            try await DaemonProcess.run { daemon in
                let early = try await daemon.client("early")
                unlink(daemon.socket)
                let second = try await connected(daemon)
                // With its directory, as by a program that cleans directories.
                try FileManager.default.removeItem(atPath: URL(fileURLWithPath: daemon.socket).deletingLastPathComponent().path)
                let third = try await connected(daemon)
                for (number, client) in [early, second, third].enumerated() {
                    _ = try await client.create(text: bytes("x\n"), id: noteID(UInt64(number) + 1))
                    await client.close()
                }
                #expect(daemon.complaints.contains("the socket was removed or replaced; creating it again"))
                #expect(try await daemon.end(SIGTERM) == .exited(0))
                #expect(!FileManager.default.fileExists(atPath: daemon.socket), "the new socket is removed at the end")
            }
        }

        @Test func replacedSocket_endsTheDaemonWithReason() async throws {
            let daemon = try DaemonProcess()
            try await daemon.start()
            unlink(daemon.socket)
            try Files.write(bytes("mine\n"), to: daemon.socket)
            // Signal 0 only waits.
            #expect(try await daemon.end(0) == .exited(73))
            #expect(daemon.complaints.contains("\(daemon.socket) exists and is not a socket"), "\(daemon.complaints)")
            #expect(try Files.read(daemon.socket) == bytes("mine\n"), "the file of somebody else stays")
        }

        @Test(arguments: [false, true])
        func removedLock_stillKeepsOthersOff(isReplaced: Bool) async throws {
            try await DaemonProcess.run { daemon in
                let client = try await daemon.client("first")
                unlink(daemon.data + "/lock")
                if isReplaced { try Files.write(bytes("1\n"), to: daemon.data + "/lock") }
                for arguments in [
                    ["--data", daemon.data, "--socket", daemon.scratch.file("other.sock")], ["audit", "--data", daemon.data],
                ] {
                    let other = try await Command.run(Binaries.notesd, arguments, environment: ["HOME": daemon.scratch.path])
                    #expect(other.end == .exited(75) && other.errors.contains("another notesd"), "\(other.errors)")
                }
                _ = try await client.create(text: bytes("x\n"), id: noteID(1))
                await client.close()
                try await daemon.restart(after: SIGKILL)
                let later = try await daemon.client("later")
                #expect(try await later.note(.id(noteID(1))).text == bytes("x\n"))
                await later.close()
            }
        }
    }
}
