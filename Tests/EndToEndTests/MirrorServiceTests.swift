import Foundation
import TestKit
import Testing

extension EndToEnd {
    /// `notesctl mirror enable` and `disable`, with a stand-in for systemctl that records its calls.
    /// `verification/systemd/user.sh` runs them under a real systemd.
    @Suite struct MirrorServiceTests {
        /// A daemon at the default socket of a user, whose systemctl is a script.
        private struct Desk {
            let scene: FileScene
            let environment: [String: String]

            init(_ daemon: DaemonProcess, systemctl: String) throws {
                scene = FileScene(daemon: daemon)
                for folder in ["bin", "run/notesd", "notes"] { _ = try daemon.scratch.directory(folder) }
                let script = daemon.scratch.file("bin/systemctl")
                try Files.write(bytes("#!/bin/sh\n\(systemctl)\n"), to: script)
                try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script)
                try FileManager.default.createSymbolicLink(
                    atPath: daemon.scratch.file("run/notesd/notesd.sock"), withDestinationPath: daemon.socket)
                environment = [
                    "PATH": daemon.scratch.file("bin") + ":/usr/bin:/bin", "XDG_RUNTIME_DIR": daemon.scratch.file("run"),
                    "XDG_STATE_HOME": daemon.scratch.file("state"), "NOTESD_SOCKET": "",
                    "CALLS": daemon.scratch.file("calls"),
                ]
            }

            func notesctl(_ arguments: [String], _ others: [String: String] = [:]) async throws -> Command {
                try await scene.daemon.notesctl(arguments, environment: environment.merging(others) { $1 })
            }

            /// The calls that change something.
            func changes() -> [String] {
                let calls = (try? Files.read(scene.scratch.file("calls"))) ?? []
                return String(decoding: calls, as: UTF8.self).split(separator: "\n").map(String.init)
                    .filter { $0.contains("able") && !$0.contains("is-enabled") }
            }
        }

        private static let systemctl = """
            echo "$*" >>"$CALLS"
            case "$*" in
            *--property=Version*) echo 257 ;;
            *list-unit-files*) echo "notesd-mirror@.service disabled enabled" ;;
            *is-active*) echo inactive && exit 3 ;;
            esac
            """

        private func desk(_ systemctl: String = systemctl, _ body: (Desk) async throws -> Void) async throws {
            try await DaemonProcess.run { daemon in try await body(try Desk(daemon, systemctl: systemctl)) }
        }

        @Test func enable_andDisable_callSystemd() async throws {
            try await desk { desk in
                let notes = desk.scene.scratch.file("notes")
                let enabled = try await desk.notesctl(["mirror", "enable", notes, "--format", "{unit}"])
                #expect(enabled.end == .exited(0), "\(enabled.errors)")
                let unit = try #require(enabled.lines.first)
                #expect(unit.hasPrefix("notesd-mirror@") && unit.hasSuffix("-notes.service"))
                let disabled = try await desk.notesctl(["mirror", "disable", notes])
                #expect(disabled.end == .exited(0), "\(disabled.errors)")
                #expect(
                    desk.changes() == ["enable", "disable"].map { "--user --quiet \($0) --now -- \(unit)" })
            }
        }

        /// Each obstacle is reported before anything changes.
        @Test func enable_checksFirst() async throws {
            try await desk { desk in
                let notes = desk.scene.scratch.file("notes")
                let other = try await desk.notesctl(["mirror", "enable", notes], ["NOTESD_SOCKET": "/elsewhere"])
                #expect(other.end == .exited(64) && "\(other.errors)".contains("default socket"), "\(other.errors)")
                let mirrored = try await desk.notesctl(["mirror", "--once", notes])
                #expect(mirrored.end == .exited(0), "\(mirrored.errors)")
                let inside = try await desk.notesctl(["mirror", "enable", notes + "/inside"])
                #expect(inside.end == .exited(64) && "\(inside.errors)".contains("is in the mirrored folder"), "\(inside.errors)")
                _ = try await desk.scene.daemon.end(SIGTERM)
                let alone = try await desk.notesctl(["mirror", "enable", notes])
                #expect(alone.end == .exited(69), "\(alone.errors)")
                #expect(desk.changes().isEmpty)
            }
        }

        /// The service could not ask, so the command does.
        @Test func enable_makesTheFirstContact() async throws {
            try await desk { desk in
                let notes = desk.scene.scratch.file("notes")
                try await desk.scene.make("work/a", "a note\n")
                try desk.scene.write("a file\n", to: "b.md")
                let refused = try await desk.notesctl(["mirror", "enable", notes])
                #expect(refused.end == .exited(64) && "\(refused.errors)".contains("--adopt"), "\(refused.errors)")
                #expect(desk.changes().isEmpty)
                let enabled = try await desk.notesctl(["mirror", "enable", "--prefix", "work", "--adopt", notes])
                #expect(enabled.end == .exited(0), "\(enabled.errors)")
                #expect(desk.changes().count == 1)
                // The service has neither option.
                let service = try await desk.notesctl(["mirror", "--once", notes])
                #expect(service.end == .exited(0), "\(service.errors)")
                #expect(try Files.read(notes + "/a.md") == bytes("a note\n"))
            }
        }

        @Test func withoutSystemd_enableNamesTheCommand() async throws {
            try await desk("echo Failed to connect to bus >&2; exit 1") { desk in
                let notes = desk.scene.scratch.file("notes")
                let run = try await desk.notesctl(["mirror", "enable", notes])
                #expect(
                    run.end == .exited(1) && "\(run.errors)".contains("run `notesctl mirror \(notes)` instead"), "\(run.errors)")
            }
        }
    }
}
