import Foundation
import NotesClient
import NotesModel
import TestKit
import Testing

/// What the tests of backups, of restoring and of older stores share.
enum Keeping {
    /// Runs one of the daemon's subcommands.
    static func notesd(_ arguments: String...) async throws -> Command {
        try await Command.run(Binaries.notesd, arguments)
    }

    /// A note of so many megabytes of texts that cannot be stored as less.
    static func fill(_ daemon: DaemonProcess, megabytes: Int) async throws {
        let client = try await daemon.client("filler")
        var random = SeededGenerator(seed: 1)
        for number in 0..<UInt64(4 * megabytes) {
            let text = (0..<20_000).map { _ in String(random.next(), radix: 36) }.joined(separator: "\n") + "\n"
            _ = try await client.create(text: Array(text.utf8.prefix(262_144)), id: noteID(1_000 + number))
        }
        await client.close()
    }

    /// Names in a directory, in their order.
    static func names(in directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    }

    /// Files of a directory, with what is in them.
    static func contents(of directory: String) throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for name in try names(in: directory) where name != "backups" { contents[name] = try Files.read("\(directory)/\(name)") }
        return contents
    }

    /// Names that a backup has until it is whole.
    static func drafts(in directory: String) throws -> [String] {
        try names(in: directory).filter { $0.hasPrefix(".notesd-") }
    }

    static func backup(_ path: String, id: Int = 1) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"daemon.backup","params":{"path":"\#(path)"}}"# + "\n"
    }

    /// A number of `daemon.metrics`; 0 where it is not told.
    static func metric(_ sample: String, of client: NotesClient) async throws -> Double {
        let lines = "\(try await client.metrics())".split(separator: "\n")
        let line = lines.first { $0.hasPrefix(sample + " ") }
        return line.flatMap { Double($0.dropFirst(sample.count + 1)) } ?? 0
    }
}
