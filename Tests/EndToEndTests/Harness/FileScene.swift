import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

/// A daemon, a directory of files, and the commands of one user.
struct FileScene {
    let daemon: DaemonProcess
    /// The scratch directory with the files.
    var scratch: Scratch { others ?? daemon.scratch }
    /// Another daemon's scratch directory; nil for the daemon's own.
    var others: Scratch?

    func path(_ name: String) -> String { scratch.file("notes/\(name)") }
    func write(_ text: String, to name: String) throws { try Files.write(bytes(text), to: path(name)) }
    func read(_ name: String) throws -> String { String(decoding: try Files.read(path(name)), as: UTF8.self) }

    /// The paths of the files, sorted.
    func files() throws -> [String] {
        let entries = try FileManager.default.subpathsOfDirectory(atPath: scratch.file("notes"))
        return entries.filter { $0.hasSuffix(".md") }.sorted()
    }

    /// Runs a command on the directory.
    @discardableResult
    func run(
        _ command: String, _ options: String..., to folder: String = "notes", state: String = "state"
    ) async throws -> Command {
        try await daemon.notesctl(
            [command] + options + [scratch.file(folder)], environment: ["XDG_STATE_HOME": scratch.file(state)])
    }

    @discardableResult
    func notesctl(_ arguments: String...) async throws -> Command {
        try await daemon.notesctl(arguments, environment: ["XDG_STATE_HOME": scratch.file("state")])
    }

    /// Creates a note.
    func make(_ name: String, _ text: String) async throws {
        let made = try await daemon.notesctl("new", name, input: text)
        #expect(made.end == .exited(0), "\(made.errors)")
    }

    func append(_ line: String, to name: String) async throws {
        let end = try await daemon.notesctl("append", name, input: line + "\n").end
        #expect(end == .exited(0))
    }

    func text(_ name: String) async throws -> String {
        let judge = try await daemon.client("judge")
        let text = try await judge.note(.name(ByteString(name))).text ?? []
        await judge.close()
        return String(decoding: text, as: UTF8.self)
    }

    func names() async throws -> [String] {
        let judge = try await daemon.client("judge")
        let names = try await judge.listAll().compactMap { $0.head.name?.description }
        await judge.close()
        return names.sorted()
    }
}
