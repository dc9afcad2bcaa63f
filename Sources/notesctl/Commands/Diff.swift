import ArgumentParser
import Causality
import NotesClient
import NotesModel
import NotesWire

struct Diff: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what a revision changed, or what differs between two.",
        discussion: """
            Examples:
              notesctl diff work/inbox
              notesctl diff work/inbox 9f86d0:11
              notesctl diff work/inbox 9f86d0:11 9f86d0:12

            Without FROM: what the newest revision changed, against what its writer had been shown. With FROM alone: what has \
            changed since then. The output is a unified diff, as `patch` reads it; the exit code is 0, whether anything differs \
            or not.

            With --json: the note at TO, with the edits that make its text of FROM's.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note; a deleted one by its id.", completion: NoteCompletion.notes)
    var note: String

    @Argument(help: "The older version; `history` lists them.")
    var from: String?

    @Argument(help: "The newer version. Without it: what the note shows now.")
    var to: String?

    func perform() async throws {
        options.page()
        try await options.withClient { client in
            let now = try await NoteReference(note).note(client, deleted: true)
            let (older, newer) = try await versions(of: now, client)
            if options.isForPrograms {
                return try options.emit(try await client.note(.id(now.head.id), at: newer, from: older).json)
            }
            let old = try await NoteAtVersion.read(older, of: now, client)
            let new = try await NoteAtVersion.read(newer, of: now, client)
            try Self.tell(old, new)
        }
    }

    private func versions(of now: NoteObject, _ client: any NotesAPI) async throws -> (Version, Version) {
        guard let from else {
            let newest = try await Revisions(client, now.head.id).all(limit: 1).first
            guard let newest else { throw ExitFailure("\(SafeText.quoted(note)) has no revisions", .noNote) }
            return (newest.parents, Version(newest.dot))
        }
        let older = try await VersionReference(text: from).version(of: now.head.id, client)
        guard let to else { return (older, now.head.version) }
        return (older, try await VersionReference(text: to).version(of: now.head.id, client))
    }

    private static func tell(_ old: NoteAtVersion, _ new: NoteAtVersion) throws {
        let lines = UnifiedDiff.lines(from: old.text, to: new.text, names: (old.diffName, new.diffName))
        guard Terminal.isOutput else {
            return try Output.write(lines.flatMap { $0.bytes + [UInt8(ascii: "\n")] })
        }
        try Output.lines(lines.map { $0.shown(Terminal.style) })
        if lines.isEmpty { Output.note(sameText(old, new)) }
    }

    /// Why there is nothing to be seen.
    private static func sameText(_ old: NoteAtVersion, _ new: NoteAtVersion) -> String {
        guard old.name != new.name else { return "the texts are the same" }
        let names = [old.name, new.name].map { $0.map { SafeText.line($0.description) } ?? "none" }
        return "the texts are the same; the name was \(names[0]) and became \(names[1])"
    }
}

/// What a note was at a version.
struct NoteAtVersion {
    let version: Version
    let text: [UInt8]
    let name: NoteName?
    /// Whether there was a note: before its first revision there was none, and a tombstone is none.
    let exists: Bool

    static func read(_ version: Version, of note: NoteObject, _ client: any NotesAPI) async throws -> NoteAtVersion {
        if version.isNothing { return NoteAtVersion(version: version, text: [], name: nil, exists: false) }
        var shown = note
        do {
            if version != note.head.version { shown = try await client.note(.id(note.head.id), at: version) }
        } catch {
            throw explained(error, "cannot read \(SafeText.line(NoteLabel.of(note.head))) at \(version)")
        }
        return NoteAtVersion(
            version: version, text: shown.text ?? [], name: shown.head.name, exists: !shown.head.isDeleted)
    }

    /// As a diff's header has it: the name, a tab, and which version it is.
    fileprivate var diffName: String {
        exists ? "\(name.map { SafeText.line($0.description) } ?? "note")\t\(version)" : "/dev/null"
    }
}
