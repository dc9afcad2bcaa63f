import TestKit
import Testing

extension EndToEnd {
    /// `notesctl peer add` on a machine that has none of the directories of a user's state.
    @Suite struct FirstPeerTests {
        @Test func directoriesForTheState_areMade() async throws {
            try await DaemonProcess.run { here in
                try await DaemonProcess.run { there in
                    let home = try here.scratch.directory("home")
                    let added = try await here.notesctl(
                        ["peer", "add", "--yes", "--no-start", "there", "unix:\(there.socket)"],
                        environment: ["HOME": home, "PATH": "/usr/bin:/bin"])
                    #expect(added.end == .exited(0), "\(added.errors)")
                    for folder in ["/.local", "/.local/state/notesd/replicators"] {
                        #expect(try Files.mode(home + folder) == 0o700)
                    }
                }
            }
        }
    }
}
