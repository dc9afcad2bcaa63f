package import Causality
import Foundation
package import TextMerge

/// A recorded trace of several people writing one text at the same time: every keystroke, and the
/// keystrokes that its writer had been shown.
package struct ConcurrentTrace: Sendable {
    /// One recorded edit.
    package struct Keystroke: Sendable {
        /// Indices of earlier keystrokes in the trace; empty for the first.
        package let parents: [Int]
        /// The edit, in byte offsets into the text at the parents.
        package let edit: Edit
    }

    /// The edits in an order in which parents come first.
    package let keystrokes: [Keystroke]
    /// The recorded text after all edits.
    package let end: [UInt8]

    /// The file does not have the expected format.
    package struct Malformed: Error {}

    /// The text of `Tests/EndToEndTests/Fixtures/CREDITS.md`, which two people wrote at the same
    /// time.
    package static func friendsforever() throws -> ConcurrentTrace {
        let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().pathComponents.dropLast(3).joined(separator: "/")
        return try ConcurrentTrace(
            unzipped("\(root)/Tests/EndToEndTests/Fixtures/trace-concurrent-friendsforever.json.gz"))
    }

    private static func unzipped(_ path: String) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Malformed() }
        return data
    }

    /// - Parameter json: the format of <https://github.com/josephg/editing-traces>, in ASCII, so
    ///   that positions are bytes.
    private init(_ json: Data) throws {
        let file = try JSONDecoder().decode(File.self, from: json)
        end = Array(file.endContent.utf8)
        keystrokes = try file.txns.enumerated().map { index, transaction in
            guard transaction.patches.count == 1, let patch = transaction.patches.first,
                transaction.parents.allSatisfy({ $0 < index }), patch.text.utf8.allSatisfy({ $0 < 0x80 })
            else { throw Malformed() }
            let edit = Edit(start: patch.start, end: patch.start + patch.deleted, replacement: Array(patch.text.utf8))
            return Keystroke(parents: transaction.parents, edit: edit)
        }
    }

    private struct File: Decodable {
        let endContent: String
        let txns: [Transaction]
    }

    private struct Transaction: Decodable {
        let parents: [Int]
        let patches: [Patch]
    }

    private struct Patch: Decodable {
        let start: Int
        let deleted: Int
        let text: String

        init(from decoder: any Decoder) throws {
            var parts = try decoder.unkeyedContainer()
            start = try parts.decode(Int.self)
            deleted = try parts.decode(Int.self)
            text = try parts.decode(String.self)
        }
    }

    /// The revision `first`, which creates the note, then one revision for each keystroke, by the
    /// same replica.
    package func events(after first: Dot) -> [Event] {
        func dot(_ index: Int) -> Dot { Dot(first.replica, first.counter + 1 + UInt64(index)) }
        return [Event(dot: first, parents: .nothing, edits: [], origin: .found)]
            + keystrokes.enumerated().map { index, keystroke in
                let parents = keystroke.parents.isEmpty ? Version(first) : Version(keystroke.parents.map(dot))
                return Event(dot: dot(index), parents: parents, edits: [keystroke.edit], origin: .stated)
            }
    }
}
