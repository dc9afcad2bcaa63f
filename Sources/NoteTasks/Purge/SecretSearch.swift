import Causality
import Console
import NoteText
package import NotesClient
package import NotesModel
import NotesWire

/// A search for a text in all notes, as they are shown and in their histories. The search index has only
/// shown texts, so each version is read.
package struct SecretSearch {
    private let secret: [UInt8]
    private let client: any NotesAPI

    /// Most past versions that are read. At some thousands a second, the search then takes seconds.
    static let versionsMax = 20_000
    /// Versions between two updates of the progress.
    private static let every = 100
    /// Most line numbers in a message.
    private static let linesMax = 10

    package init(_ secret: [UInt8], _ client: any NotesAPI) {
        self.secret = secret
        self.client = client
    }

    /// A note that has the text.
    private struct Hit {
        let head: Head
        /// The lines that show it.
        let lines: [Int]
        /// Whether its name, a label or a past version has it.
        let isPast: Bool
    }

    /// Prints the notes that have the text, and how many versions were read if not all were.
    ///
    /// - Parameter purged: the note that was purged.
    package func report(besides purged: NoteID) async throws {
        var heads: [Head] = []
        for filter in [Filter(kind: nil), Filter(deleted: true)] { heads += try await client.listAll(filter).map(\.head) }
        var (read, unread) = (0, 0)
        var hits: [Hit] = []
        for head in heads {
            let history = head.id == purged ? [] : try await Revisions(client, head.id).all(limit: Self.versionsMax - read)
            var isPast = history.contains { revision in
                [revision.name?.bytes, revision.author.label].contains { $0.map { has($0) } ?? false }
            }
            for revision in history where !isPast && !revision.isCompacted {
                guard read < Self.versionsMax else { break }
                read += 1
                if read.isMultiple(of: Self.every) { Progress.show("looked at \(counted(read, "past version"))") }
                isPast = try await text(of: head.id, at: Version(revision.dot)).contains(secret)
            }
            if read >= Self.versionsMax { unread += 1 }
            let lines = Self.lines(with: secret, in: try await text(of: head.id, at: nil))
            if isPast || !lines.isEmpty { hits.append(Hit(head: head, lines: lines, isPast: isPast)) }
        }
        Progress.clear()
        for hit in hits { Output.note(Self.sentence(hit)) }
        if unread > 0 {
            Output.note(
                "read \(counted(read, "past version")), the most that one search reads; the histories of "
                    + "\(counted(unread, "note")) were not read to their ends")
        } else if hits.isEmpty {
            Output.note("no other note has the text, now or in the past")
        }
    }

    private static func sentence(_ hit: Hit) -> String {
        let (label, reference) = (SafeText.line(NoteLabel.of(hit.head)), NoteLabel.reference(hit.head))
        if !hit.lines.isEmpty { return "\(label) contains the text, in \(words(hit.lines))" }
        return "\(label) had the text in the past; `notesctl purge \(reference)` erases it there"
    }

    private func has(_ bytes: ByteString) -> Bool { Array(bytes.utf8).contains(secret) }

    /// The text of a version; empty if the version is gone meanwhile.
    private func text(of note: NoteID, at version: Version?) async throws -> [UInt8] {
        do {
            return try await client.note(.id(note), at: version).text ?? []
        } catch ClientError.refused(let error) where [.revisionGone, .noteNotFound].contains(error.kind) {
            return []
        }
    }

    /// The numbers of the lines, from 1, in which a copy of the bytes begins, in order.
    ///
    /// - Complexity: O(bytes of the text).
    package static func lines(with secret: [UInt8], in text: [UInt8]) -> [Int] {
        var lines: [Int] = []
        var (line, offset) = (1, 0)
        for range in text.ranges(of: secret) {
            line += text[offset..<range.lowerBound].count { $0 == UInt8(ascii: "\n") }
            offset = range.lowerBound
            if lines.last != line { lines.append(line) }
        }
        return lines
    }

    /// Line numbers in words, such as `line 3` or `lines 1, 4 and 12 more`.
    package static func words(_ lines: [Int]) -> String {
        let listed = lines.prefix(linesMax).map(String.init).joined(separator: ", ")
        return (lines.count == 1 ? "line " : "lines ") + listed
            + (lines.count > linesMax ? " and \(lines.count - linesMax) more" : "")
    }
}
