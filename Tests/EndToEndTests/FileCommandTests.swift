import Foundation
import NoteTasks
import NoteText
import NotesClient
import TestKit
import Testing

extension EndToEnd {
    /// `notesctl file`, with real daemons.
    @Suite struct FileCommandTests {
        /// The space that the default leaves free may be more than a test machine has.
        private static let config = "[files]\nfree_bytes_min = 1000000\n"

        private static func data(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 253 &+ number) }
        }

        private func get(_ note: String, _ daemon: DaemonProcess, _ options: String...) async throws -> [UInt8] {
            let command = try await daemon.notesctl(["file", "get", note] + options)
            #expect(command.end == .exited(0), "\(command.errors)")
            return command.output
        }

        @Test func file_isKept_changed_broughtBack_andErased() async throws {
            try await DaemonProcess.run(config: Self.config) { daemon in
                // More than one part of an upload.
                let (first, second) = (Self.data(1, 1_700_000), Self.data(2, 10))
                let (one, two) = (daemon.scratch.file("one.png"), daemon.scratch.file("two.png"))
                try Data(first).write(to: URL(fileURLWithPath: one))
                try Data(second).write(to: URL(fileURLWithPath: two))
                let added = try await daemon.notesctl("file", "add", "--to", "pics", one)
                #expect(added.end == .exited(0), "\(added.errors)")
                let again = try await daemon.notesctl("file", "add", "--to", "pics", one)
                #expect(again.text == added.text, "the same file under the same name is one note")
                #expect(try await daemon.notesctl("file", "add", "--name", "pics/one.png", two).end == .exited(1))
                #expect(try await get("pics/one.png", daemon) == first)
                #expect(try await daemon.notesctl("list").text.isEmpty)
                #expect(try await daemon.notesctl("list", "--kind", "any").text.contains("\t1700000\tpics/one.png\timage/png"))

                let version = try await daemon.notesctl("file", "put", "pics/one.png", two).text
                #expect(try await get("pics/one.png", daemon) == second)
                let stale = try await daemon.notesctl(
                    ["save", "pics/one.png", "--base", String(version.dropLast())], input: Array("text".utf8))
                #expect(stale.end == .exited(65) && stale.errors.contains("a text and a file cannot become each other"))
                #expect(try await daemon.notesctl("undo", "pics/one.png").end == .exited(0))
                #expect(try await get("pics/one.png", daemon) == first)
                #expect(try await daemon.notesctl("revert", "pics/one.png", String(version.dropLast())).end == .exited(0))
                #expect(try await get("pics/one.png", daemon) == second)

                let copy = daemon.scratch.file("copy.png")
                #expect(try await daemon.notesctl("file", "get", "pics/one.png", "-o", copy).end == .exited(0))
                #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data(second))
                #expect(try await daemon.notesctl("file", "get", "pics/none.png").end == .exited(66))
                #expect(try await daemon.notesctl("file", "add", daemon.scratch.file("none.png")).end == .exited(66))
                #expect(try await daemon.notesctl("file", "add", daemon.scratch.file("")).end == .exited(65), "a folder")

                let purged = try await daemon.notesctl("purge", "--yes", "pics/one.png")
                #expect(purged.end == .exited(0), "\(purged.errors)")
                #expect(purged.errors.contains("erased the bytes of 1 file"), "\(purged.errors)")
                #expect(
                    purged.errors.contains("1 file is still there")
                        && purged.errors.contains("delete the note and purge it again"))
                #expect(try await get("pics/one.png", daemon) == second)
                let folder = daemon.data + "/files"
                var names: [String] = []
                for _ in 0..<200 {
                    names = try FileManager.default.contentsOfDirectory(atPath: folder)
                    if names.count == 3 { break }
                    try await Task.sleep(for: .milliseconds(50))
                }
                #expect(names.count == 3, "one file and the folders part and damaged: \(names)")
            }
        }

        @Test func pictureInTheClipboard_isKept() async throws {
            try await DaemonProcess.run(config: Self.config) { daemon in
                let programs = daemon.scratch.file("bin")
                try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
                func clipboard(_ script: String) throws {
                    #expect(
                        FileManager.default.createFile(
                            atPath: programs + "/wl-paste", contents: Data("#!/bin/sh\n\(script)\n".utf8),
                            attributes: [.posixPermissions: 0o755]))
                }
                func paste(_ environment: [String: String]) async throws -> Command {
                    try await daemon.notesctl(
                        ["file", "paste", "--to", "pics"], environment: environment.merging(["DISPLAY": ""]) { one, _ in one })
                }
                let environment = ["PATH": "\(programs):/usr/bin:/bin", "WAYLAND_DISPLAY": "none"]
                #expect(try await paste(["WAYLAND_DISPLAY": ""]).errors.contains("neither WAYLAND_DISPLAY nor DISPLAY is set"))
                #expect(try await paste(environment.merging(["PATH": programs]) { $1 }).errors.contains("is not installed"))
                try clipboard("echo no picture")
                let empty = try await paste(environment)
                #expect(empty.end == .exited(65) && empty.errors.contains("no picture in the clipboard"), "\(empty.errors)")
                try clipboard(#"printf '\211PNG\r\n\032\nx'"#)
                let links = [try await paste(environment).text, try await paste(environment).text]
                for link in links {
                    #expect(link.wholeMatch(of: /!\[\[pics\/pasted-[-0-9]+\.png\]\]\n/) != nil, "\(link)")
                    let bytes = try await get(String(link.dropFirst(3).dropLast(3)), daemon)
                    #expect(bytes == Array("\u{89}".unicodeScalars.map { UInt8($0.value) }) + Array("PNG\r\n\u{1A}\nx".utf8))
                }
            }
        }

        @Test func daemonAndDocument_keepTheLawsOfPlacesOfBytes() async throws {
            try await DaemonProcess.run(config: Self.config) { daemon in
                let client = try await daemon.client("reader")
                for size in [0, 1, 800_000] {
                    let (data, path) = (Self.data(4, size), daemon.scratch.file("\(size).bin"))
                    try Data(data).write(to: URL(fileURLWithPath: path))
                    #expect(try await daemon.notesctl("file", "add", path).end == .exited(0))
                    #expect(try await FileContentsLaws.violations(of: RemoteFiles(client), having: data) == [])
                    #expect(try await FileContentsLaws.violations(of: Document(path), having: data) == [])
                }
                await client.close()
            }
        }

        @Test func file_isViewed_andOpenedAsAPrivateCopy() async throws {
            try await DaemonProcess.run(config: Self.config) { daemon in
                let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 1]
                let (path, seen) = (daemon.scratch.file("one.bin"), daemon.scratch.file("seen"))
                try Data(png).write(to: URL(fileURLWithPath: path))
                #expect(try await daemon.notesctl("file", "add", "--name", "pics/-a b.png", path).end == .exited(0))
                #expect(try await daemon.notesctl("file", "view", "pics/-a b.png").text == "pics/-a b.png: image/png, 10 B\n")
                let elsewhere = ["NOTESD_SOCKET": daemon.scratch.file("none")]
                #expect(
                    try await daemon.notesctl(["file", "view", path], environment: elsewhere).text
                        == "one.bin: image/png, 10 B\n")
                #expect(try await daemon.notesctl("file", "view", "./none.png").end == .exited(66))
                #expect(try await daemon.notesctl("file", "open", "pics/none.png").end == .exited(66))

                let programs = daemon.scratch.file("bin")
                try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
                let opener =
                    "#!/bin/sh\nstat -c '%a %n' \"$1\" >\(seen); stat -c %a \"${1%/*}\" >>\(seen); cat \"$1\" >>\(seen)\n"
                #expect(
                    FileManager.default.createFile(
                        atPath: programs + "/xdg-open", contents: Data(opener.utf8), attributes: [.posixPermissions: 0o755]))
                let run = daemon.scratch.file("run")
                try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
                let environment = ["PATH": "\(programs):/usr/bin:/bin", "XDG_RUNTIME_DIR": run]
                let opened = try await daemon.notesctl(["file", "open", "pics/-a b.png"], environment: environment)
                #expect(opened.end == .exited(0), "\(opened.errors)")
                let lines = try Data(contentsOf: URL(fileURLWithPath: seen)).split(separator: UInt8(ascii: "\n"), maxSplits: 2)
                let name = String(decoding: try #require(lines.first), as: UTF8.self)
                #expect(name.hasPrefix("600 \(run)/notesctl-") && name.hasSuffix("/file-a b.png"), "\(name)")
                #expect(Array(lines[1]) == Array("700".utf8) && Array(lines[2]) == png)
                let without = try await daemon.notesctl(
                    ["file", "open", "pics/-a b.png"], environment: environment.merging(["PATH": programs + "/none"]) { $1 })
                #expect(without.end == .exited(1) && without.errors.contains("xdg-open is not installed"), "\(without.errors)")
            }
        }

        /// Two contents of one base are settled by number, and the creation of a file that has other bytes is undone.
        @Test func fork_isSettled_andACreationIsUndone() async throws {
            try await DaemonProcess.run(config: Self.config) { daemon in
                let environment = ["XDG_STATE_HOME": daemon.scratch.file("state")]
                func run(_ words: String...) async throws -> Command {
                    try await daemon.notesctl(words, environment: environment)
                }
                var paths: [String] = []
                for number in 1...3 {
                    paths.append(daemon.scratch.file("\(number).png"))
                    try Data(Self.data(number, 10)).write(to: URL(fileURLWithPath: paths[number - 1]))
                }
                #expect(try await run("file", "add", "--name", "a.png", paths[0]).end == .exited(0))
                let base = try await run("history", "a.png", "--format", "{dot}").lines[0]
                for path in paths[1...] {
                    let put = try await run("file", "put", "a.png", path, "--base", base)
                    #expect([.exited(0), .exited(2)].contains(put.end), "\(put.errors)")
                }
                #expect(try await run("resolve", "a.png", "--take", "3").end == .exited(64))
                #expect(try await run("resolve", "a.png", "--edit").end == .exited(65))
                let second = try await run("file", "get", "a.png", "--take", "2").output
                let resolved = try await run("resolve", "a.png", "--take", "2")
                #expect(resolved.end == .exited(0), "\(resolved.errors)")
                #expect(try await get("a.png", daemon) == second)
                #expect(try await run("conflicts").output.isEmpty)

                func undoCreation() async throws -> Command {
                    let added = try #require(try await run("op", "--format", "{op} {command}").lines.last)
                    return try await run("op", "undo", String(added.split(separator: " ")[0]))
                }
                let undone = try await undoCreation()
                #expect([.exited(0), .exited(64)].contains(undone.end), "\(undone.errors)")
                #expect(try await get("a.png", daemon) == second, "the other bytes stay")

                let folder = daemon.data + "/files"
                for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.count == 64 {
                    let path = "\(folder)/\(name)"
                    guard FileManager.default.contents(atPath: path) == Data(second) else { continue }
                    try FileManager.default.removeItem(atPath: path)
                    try Data(second.reversed()).write(to: URL(fileURLWithPath: path))
                }
                #expect(try await run("audit").end == .exited(0), "the size is right")
                let audit = try await run("audit", "--files")
                #expect(audit.end == .exited(65) && audit.text.contains("(bytes of a file)"), "\(audit.text)\(audit.errors)")
                #expect(audit.errors.contains("texts are not affected"))
                #expect(try await run("doctor").text.contains("the bytes of 1 file are not in this store"))
                let stopped = try await run("file", "add", "--name", "b.png", paths[2])
                #expect(stopped.end == .exited(0))
            }
        }

        @Test func file_reachesAnotherMachine_andABackup() async throws {
            try await DaemonProcess.run(config: Self.config) { daemon in
                try await DaemonProcess.run(config: Self.config) { peer in
                    let data = Self.data(3, 900_000)
                    let path = daemon.scratch.file("one.png")
                    try Data(data).write(to: URL(fileURLWithPath: path))
                    _ = try await daemon.notesctl("file", "add", path)
                    let environment = [
                        "XDG_CONFIG_HOME": daemon.scratch.file("config"), "XDG_STATE_HOME": daemon.scratch.file("state"),
                    ]
                    let added = try await daemon.notesctl(
                        ["peer", "add", "peer", "unix:\(peer.socket)", "--no-start", "--yes"], environment: environment)
                    #expect(added.end == .exited(0), "\(added.errors)")
                    #expect(try await get("one.png", peer) == data)
                    #expect(try await peer.notesctl("file", "list", "--missing").text.isEmpty)

                    let backup = daemon.scratch.file("backups/") + "one.db"
                    try FileManager.default.createDirectory(
                        atPath: daemon.scratch.file("backups"), withIntermediateDirectories: true)
                    let written = try await peer.notesctl("backup", backup)
                    #expect(written.text.contains("and 1 file in the folder files beside it"), "\(written.text)\(written.errors)")
                    let restored = daemon.scratch.file("restored")
                    let restoring = try await Command.run(Binaries.notesd, ["restore", backup, "--data", restored])
                    #expect(restoring.text.contains("restored 1 files\n"), "\(restoring.text)\(restoring.errors)")
                    try await DaemonProcess.run(config: Self.config, data: restored) { daemon in
                        let found = try await get("one.png", daemon)
                        #expect(found == data)
                    }
                }
            }
        }

        @Test func largeFile_isLeftOut_untilTheSettingIsRaised() async throws {
            try await DaemonProcess.run(config: Self.config) { daemon in
                try await DaemonProcess.run(config: Self.config + "fetch_bytes_max = 2000\n") { peer in
                    let environment = [
                        "XDG_CONFIG_HOME": daemon.scratch.file("config"), "XDG_STATE_HOME": daemon.scratch.file("state"),
                    ]
                    func onPeer(_ words: String...) async throws -> Command {
                        try await peer.notesctl(words, environment: environment)
                    }
                    for (name, bytes) in [("large.png", 3_000), ("small.png", 2_000)] {
                        let path = daemon.scratch.file(name)
                        try Data(Self.data(bytes, bytes)).write(to: URL(fileURLWithPath: path))
                        #expect(try await daemon.notesctl("file", "add", path).end == .exited(0))
                    }
                    let added = try await daemon.notesctl(
                        ["peer", "add", "peer", "unix:\(peer.socket)", "--no-start", "--yes"], environment: environment)
                    #expect(added.end == .exited(0), "\(added.errors)")

                    #expect(try await onPeer("file", "list", "--missing").text.isEmpty)
                    let declined = try await onPeer("file", "list", "--declined").text
                    #expect(declined.hasSuffix("  3.0 kB  large.png\n"), "\(declined)")
                    let words = "this machine takes no file above 2.0 kB from others"
                    for command in ["get", "view"] {
                        let refused = try await onPeer("file", command, "large.png")
                        #expect(refused.end == .exited(66) && refused.errors.contains(words), "\(refused.errors)")
                    }
                    #expect(try await onPeer("audit", "--files").end == .exited(0))
                    #expect(try await !onPeer("doctor").text.contains("the bytes of"))
                    #expect(try await onPeer("status", "--json").text.contains(#""files":{"count":1,"bytes":2000}"#))
                    let folder = peer.scratch.file("notes")
                    let mirrored = try await onPeer("mirror", "--once", folder)
                    #expect(mirrored.end == .exited(0), "\(mirrored.errors)")
                    #expect(mirrored.text.contains("in step") && mirrored.text.contains("1 left out"), "\(mirrored.text)")
                    let status = try await onPeer("mirror", "status", folder)
                    #expect(status.end == .exited(0) && status.text.contains("large.png: \(words)"), "\(status.text)")

                    try peer.scratch.write(Self.config, to: "notesd.toml")
                    peer.signal(SIGHUP)
                    try await within("the reload") {
                        while !peer.complaints.contains("configuration reloaded") { try await Task.sleep(for: .milliseconds(5)) }
                    }
                    #expect(try await onPeer("file", "list", "--declined").text.isEmpty)
                    #expect(try await onPeer("file", "list", "--missing").text.contains("large.png"))
                    let synced = try await daemon.notesctl(["sync", "--once", "peer"], environment: environment)
                    #expect(synced.end == .exited(0), "\(synced.errors)")
                    #expect(try await get("large.png", peer) == Self.data(3_000, 3_000))
                }
            }
        }
    }
}
