import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesSQL
import TestKit
import Testing

/// Helpers shared by the tests of backups, restoring and older stores.
enum BackupSupport {
    /// Runs one of the daemon's subcommands.
    static func notesd(_ arguments: String...) async throws -> Command {
        try await Command.run(Binaries.notesd, arguments)
    }

    /// Creates a note with several megabytes of incompressible texts.
    static func fill(_ daemon: DaemonProcess, megabytes: Int) async throws {
        let client = try await daemon.client("filler")
        var random = SeededGenerator(seed: 1)
        for number in 0..<UInt64(4 * megabytes) {
            let text = (0..<20_000).map { _ in String(random.next(), radix: 36) }.joined(separator: "\n") + "\n"
            _ = try await client.create(text: Array(text.utf8.prefix(262_144)), id: noteID(1_000 + number))
        }
        await client.close()
    }

    /// The names in a directory, sorted.
    static func names(in directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    }

    /// The files of a directory with their contents.
    static func contents(of directory: String) throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        // The folder of files is empty in these tests.
        for name in try names(in: directory) where !["backups", "files"].contains(name) {
            contents[name] = try Files.read("\(directory)/\(name)")
        }
        return contents
    }

    /// The temporary names of incomplete backups.
    static func drafts(in directory: String) throws -> [String] {
        try names(in: directory).filter { $0.hasPrefix(".notesd-") }
    }

    /// Changes columns of all revisions in a backup, and removes the checksums of the rows, which would
    /// reveal the change.
    static func change(_ backup: String, _ columns: String) throws {
        let database = try Database(path: backup)
        try database.run(
            "UPDATE revision SET edits = substr(edits, 1, length(edits) - 4), flags = flags & ~256 WHERE flags & 256")
        try database.run("UPDATE revision SET \(columns)")
        try database.close()
    }

    static func backup(_ path: String, id: Int = 1) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"daemon.backup","params":{"path":"\#(path)"}}"# + "\n"
    }

    /// A value from `daemon.metrics`; 0 if absent.
    static func metric(_ sample: String, of client: NotesClient) async throws -> Double {
        let lines = "\(try await client.metrics())".split(separator: "\n")
        let line = lines.first { $0.hasPrefix(sample + " ") }
        return line.flatMap { Double($0.dropFirst(sample.count + 1)) } ?? 0
    }
}
