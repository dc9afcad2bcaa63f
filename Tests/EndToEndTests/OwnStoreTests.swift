import Foundation
import TestKit
import Testing

extension EndToEnd {
    /// A user with two stores, of which one was joined with a peer. The other one is private.
    @Suite struct OwnStoreTests {
        /// Three daemons of one user; `joined` has the peer `there`.
        private struct Desk {
            let joined: DaemonProcess
            let secret: DaemonProcess
            let there: DaemonProcess

            /// Runs a command. The user's configuration is the same for both stores.
            func run(socket: String, _ arguments: String...) async throws -> Command {
                try await joined.notesctl(
                    arguments,
                    environment: [
                        "XDG_CONFIG_HOME": joined.scratch.file("config"), "XDG_STATE_HOME": joined.scratch.file("state"),
                        "XDG_RUNTIME_DIR": joined.scratch.file("run"), "NOTESD_SOCKET": socket, "PATH": "/usr/bin:/bin",
                    ])
            }

            /// The file of the peer.
            var file: String { joined.scratch.file("config/notesd/peers/there") }
        }

        private func desk(_ body: (Desk) async throws -> Void) async throws {
            try await DaemonProcess.run { joined in
                try await DaemonProcess.run { secret in
                    try await DaemonProcess.run { there in
                        let desk = Desk(joined: joined, secret: secret, there: there)
                        _ = try await desk.secret.notesctl("new", "secret", input: "private\n")
                        let added = try await desk.run(
                            socket: joined.socket, "peer", "add", "--yes", "--no-start", "there", "unix:\(there.socket)")
                        #expect(added.end == .exited(0), "\(added.errors)")
                        try await body(desk)
                        #expect(try await desk.there.notesctl("list").text.isEmpty, "nothing of the private store left it")
                    }
                }
            }
        }

        @Test func otherStoreOfTheUser_isNotSentToThePeer() async throws {
            try await desk { desk in
                for arguments in [["sync", "--once", "there"], ["sync", "there"], ["peer", "remove", "--forget", "there"]] {
                    let run = try await desk.joined.notesctl(
                        arguments,
                        environment: [
                            "XDG_CONFIG_HOME": desk.joined.scratch.file("config"),
                            "XDG_RUNTIME_DIR": desk.joined.scratch.file("run"),
                            "NOTESD_SOCKET": desk.secret.socket,
                        ])
                    #expect(run.end == .exited(64), "\(arguments): \(run.errors)")
                    #expect(run.errors.contains("the daemon at \(desk.secret.socket) has store"), "\(arguments): \(run.errors)")
                }
                let option = try await desk.run(socket: "", "sync", "--once", "there", "--socket", desk.secret.socket)
                #expect(option.end == .exited(64), "\(option.errors)")
                let list = try await desk.run(socket: desk.secret.socket, "peer", "list")
                #expect(list.text.contains("there  set up with another store here"), "\(list.text)")
                // The file names the socket, so the right store needs no option.
                let right = try await desk.run(socket: "", "sync", "--once", "there")
                #expect(right.end == .exited(0), "\(right.errors)")
                #expect(try await desk.run(socket: "", "peer", "remove", "--forget", "there").end == .exited(0))
            }
        }

        @Test func fileOfAnUnreleasedVersion_getsTheStoreOfTheFirstContact() async throws {
            try await desk { desk in
                let whole = String(decoding: try Files.read(desk.file), as: UTF8.self)
                let former = whole.replacing(/,"own":"[0-9a-f]+"/, with: "")
                #expect(former != whole)
                try Files.write(Array(former.utf8), to: desk.file)
                #expect(try await desk.run(socket: desk.joined.socket, "sync", "--once", "there").end == .exited(0))
                #expect(String(decoding: try Files.read(desk.file), as: UTF8.self) == whole)
                #expect(try await desk.run(socket: desk.secret.socket, "sync", "--once", "there").end == .exited(64))
            }
        }

        /// The state of a replicator has texts of the peer.
        @Test func peerList_escapesTheState() async throws {
            try await desk { desk in
                let state = #"{"state":"stopped: \u001b[31mred\u009b31m\u202elived"}"# + "\n"
                try Files.write(Array(state.utf8), to: desk.joined.scratch.file("run/notesd/replicators/there"))
                let list = try await desk.run(socket: desk.joined.socket, "peer", "list")
                #expect(list.text.contains(#"stopped: \x1B[31mred\x9B31m\u{202E}lived"#), "\(list.text)")
            }
        }
    }
}
