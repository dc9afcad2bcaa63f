import Foundation
import TestKit
import Testing

extension EndToEnd {
    /// Agents and files.
    @Suite struct AgentFilesTests {
        private static let config = "[files]\nfree_bytes_min = 1000000\n"
        private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

        private func add(_ name: String, _ bytes: [UInt8], _ daemon: DaemonProcess) async throws {
            let path = daemon.scratch.file("added")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let added = try await daemon.notesctl("file", "add", "--name", name, path)
            #expect(added.end == .exited(0), "\(added.errors)")
        }

        /// The first bytes decide what is a picture, and not the name.
        @Test func pictures_areSeen_andOthersDescribed() async throws {
            try await DaemonProcess.run(config: Self.config) { daemon in
                let tooLarge = Self.png + [UInt8](repeating: 7, count: 1_048_577 - Self.png.count)
                let files: [(name: String, bytes: [UInt8], type: String?)] = [
                    ("a.png", Self.png + [1, 2], "image/png"), ("b.txt", [0xFF, 0xD8, 0xFF, 1], "image/jpeg"),
                    ("c", Array("GIF89a".utf8), "image/gif"), ("d.png", Array("RIFF....WEBPx".utf8), "image/webp"),
                    ("e.png", Array("<svg onload=1>".utf8), nil), ("f.png", tooLarge, nil), ("g.png", [], nil),
                    ("h.png", Array("RIFF....WAVE".utf8), nil),
                ]
                for file in files { try await add(file.name, file.bytes, daemon) }
                _ = try await daemon.notesctl(["new", "text", "-"], input: Array("a text\n".utf8))
                let agent = try await Agent(daemon, "x", options: ["--read-only"])
                for file in files {
                    let seen = try await agent.call("read_file", ["note": file.name])
                    #expect(
                        seen.facts["bytes"] as? Int == file.bytes.count && seen.facts["there"] as? Bool == true, "\(seen.text)")
                    #expect(seen.picture?.type == file.type)
                    if file.type != nil { #expect(seen.picture?.bytes == Data(file.bytes)) }
                }
                #expect(try await agent.call("read_file", ["note": "text"]).text == "this note is a text; read_note reads it")
                #expect(try await agent.call("read_file", ["note": "a.png", "take": 2]).isError)
                #expect(try await agent.call("read_note", ["note": "a.png"]).text.contains("read_file shows it"))
                let names =
                    try await agent.call("list_notes", ["kind": "file", "order": "name"]).facts["notes"] as? [[String: Any]]
                #expect(names?.map { $0["name"] as? String } == files.map(\.name))
                #expect((try await agent.call("list_notes", [:]).facts["notes"] as? [[String: Any]])?.count == 1)
                // Two contents at once, of which the agent sees each.
                let shown = try await daemon.notesctl("list", "--kind", "file", "--prefix", "c", "--format", "{version}").text
                let version = String(shown.prefix { $0 != "\n" })
                for (name, bytes) in [("one", Self.png), ("two", Array("plain".utf8))] {
                    let path = daemon.scratch.file(name)
                    try Data(bytes).write(to: URL(fileURLWithPath: path))
                    let put = try await daemon.notesctl("file", "put", "c", path, "--base", version)
                    #expect([.exited(0), .exited(2)].contains(put.end), "\(put.errors)")
                }
                var types: [String?] = []
                for take in 1...2 {
                    let seen = try await agent.call("read_file", ["note": "c", "take": take])
                    #expect(seen.facts["contents"] as? Int == 2 && seen.text.contains("content \(take) of 2"), "\(seen.text)")
                    types.append(seen.picture?.type)
                }
                #expect(Set(types) == ["image/png", nil])
            }
        }

        @Test func files_areCreatedIfAllowed_withinTheFences() async throws {
            try await DaemonProcess.run(config: Self.config) { daemon in
                try await add("home.png", Self.png, daemon)
                try await add("work/old.png", Self.png, daemon)
                #expect(try await !Agent(daemon, "x").tools.contains("create_file"))
                let agent = try await Agent(
                    daemon, "x", options: ["--allow", "files", "--prefix", "work/", "--volume", "10000000"])
                let data = Data(Self.png + [1]).base64EncodedString()
                let made = try await agent.call("create_file", ["name": "work/new.png", "data": data])
                #expect(!made.isError, "\(made.text)")
                #expect(try await agent.call("read_file", ["note": "work/new.png"]).picture?.bytes == Data(Self.png + [1]))
                for (name, data, reason) in [
                    ("new.png", data, "must begin with"), ("work/old.png", data, "the name is taken"),
                    ("work/x.png", "no base64", "base64"), ("work//x", data, "work//x"),
                    ("work/x.png", Data(count: 1_048_577).base64EncodedString(), "notesctl file add"),
                ] {
                    let refused = try await agent.call("create_file", ["name": name, "data": data])
                    #expect(refused.isError && refused.text.contains(reason), "\(name): \(refused.text)")
                }
                #expect(try await agent.call("read_file", ["note": "home.png"]).text.contains("there is no note"))
                let listed = try await agent.call("list_notes", ["kind": "any"]).facts["notes"] as? [[String: Any]]
                #expect(Set(listed?.compactMap { $0["name"] as? String } ?? []) == ["work/new.png", "work/old.png"])
                #expect(try await !agent.call("undo_my_changes", [:]).isError)
                #expect(try await agent.call("read_file", ["note": "work/new.png"]).isError)
                let tagged = try await Agent(daemon, "x", options: ["--allow", "files", "--tag", "ai"])
                #expect(try await tagged.call("create_file", ["name": "a.png", "data": data]).text.contains("no tags"))
                let names = try await daemon.notesctl("list", "--kind", "any", "--format", "{name}").text
                #expect(Set(names.split(separator: "\n")) == ["home.png", "work/old.png"])
            }
        }
    }
}
