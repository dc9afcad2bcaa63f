import ArgumentParser
import Console
import FolderSync
import Glibc
import NoteTasks
import NotesModel
import StrictJSON

struct MirrorApproveCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve the removals that a mirror holds back.",
        discussion: """
            Examples:
              notesctl mirror status ~/notes
              notesctl mirror approve ~/notes --set 1a2b3c4d
              notesctl mirror approve ~/notes

            A mirror does not delete the notes of very many removed files by itself, and empties none of \
            many that became empty. `mirror status` lists the files, and prints this command with the digest of exactly this set. If other \
            removals wait by now, the command approves nothing and prints the new digest. Without --set, \
            it lists the files and asks, if it runs on a terminal.

            A running mirror takes approved removals at once; without one, the next \
            mirror does, if it starts within an hour. Files that go later, or come back, are not \
            covered. `notesctl op undo` undoes the deletions if they were made by `mirror --once`; \
            `notesctl undo NOTE` brings back a single note.

            With --json, prints one object per removal: "path", "change" (approved), and "id".
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The folder.", valueName: "dir"), completion: .directory)
    var directory: String

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Approve the set of removals with this digest, or nothing.", valueName: "digest"))
    var seen: String?

    func perform() async throws {
        let records = try MirrorRecords.open(isReadOnly: false)
        let folder = try MirrorStatusCommand.folder(directory, among: try records?.folders() ?? [])
        let held = HeldRemovals(folder.state, at: Clock.now())
        guard let records, !held.removals.isEmpty else {
            return Output.note("no removal of \(folder.path.pathForPeople) waits for approval")
        }
        if seen != nil || options.isForPrograms || !Terminal.isInteractive {
            try check(held, folder)
        } else {
            try Output.lines(held.removals.map(\.path.pathForPeople))
            let question =
                "delete the notes of \(held.removals.count == 1 ? "this file" : "these \(held.removals.count) files"), or empty those "
                + "whose files are empty?"
            guard Output.isConfirmed(question) else { return Output.note("nothing is approved") }
        }
        let approved = try records.approve(held, of: folder, at: Clock.now())
        MirrorBell.ring()
        if options.isForPrograms {
            for waiting in approved { try options.emit(Self.json(waiting)) }
            return
        }
        if seen != nil { try Output.lines(approved.map(\.path.pathForPeople)) }
        let what = "approved: \(counted(approved.count, "removal"))"
        Output.note(
            MirrorRecords.isRunning(folder.path)
                ? "\(what); the running mirror takes them"
                : "\(what); no mirror is running, and the next one takes them if it starts within an hour")
    }

    /// Checks that the removals are the set that the caller has seen.
    ///
    /// - Throws: `ExitFailure` with the present number and digest if not.
    private func check(_ held: HeldRemovals, _ folder: MirrorRecords.Folder) throws {
        guard seen != held.digest else { return }
        let path = Shell.quoted(folder.path.pathForPeople)
        let wait = held.removals.count == 1 ? "1 removal waits" : "\(held.removals.count) removals wait"
        let what = "look at `notesctl mirror status \(path)`, then approve with --set \(held.digest)"
        guard let seen else {
            throw ExitFailure("\(wait); nothing is approved without the digest of the set; \(what)", .usage)
        }
        throw ExitFailure("the set \(SafeText.line(seen)) does not wait, so nothing is approved; now \(wait); \(what)")
    }

    private static func json(_ waiting: MirrorState.Waiting) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("path", String(decoding: waiting.path, as: UTF8.self))
            line.member("change", "approved")
            if let removal = waiting.removal { line.member("id", removal.note.description) }
        }
        return writer.bytes
    }
}

struct MirrorForgetCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Stop keeping a folder in step, and remove its record.",
        discussion: """
            Examples:
              notesctl mirror forget ~/notes
              notesctl mirror disable ~/notes && notesctl mirror forget ~/notes

            Removes the record of what the files of DIR showed. Touches neither files nor notes. A later \
            `mirror`, `import` or `export` treats the files as never seen. Does nothing while a mirror is \
            running on DIR.

            With --json, prints an object with "path" and "files", the number of recorded files.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The folder; it need not exist any more.", valueName: "dir"), completion: .directory)
    var directory: String

    func perform() async throws {
        let path = MirrorRecords.path(of: directory)
        guard let files = try await forgotten(path) else {
            throw ExitFailure(
                "there is no record of \(SafeText.line(directory)); `notesctl mirror status` lists the folders", .usage)
        }
        if options.isForPrograms {
            var writer = JSONWriter()
            writer.object { line in
                line.member("path", String(decoding: path, as: UTF8.self))
                line.member("files", files)
            }
            return try options.emit(writer.bytes)
        }
        try Output.line("forgot \(path.pathForPeople) and what its \(counted(files, "file")) showed")
    }

    /// Removes the record of a folder.
    ///
    /// - Returns: the number of recorded files; nil if there is no record.
    /// - Throws: `ExitFailure` if a mirror is running on the folder.
    private func forgotten(_ path: [UInt8]) async throws -> Int? {
        guard let folder = try? Descriptor.open(path, O_RDONLY | O_DIRECTORY) else {
            return try MirrorRecords.open(isReadOnly: false)?.forget(path)
        }
        // The lock keeps a mirror from starting meanwhile.
        guard try await folder.isLockedSoon() else {
            throw ExitFailure(
                "a mirror of \(SafeText.line(directory)) is running; stop it first, or `notesctl mirror disable` its service",
                .notNow)
        }
        defer { withExtendedLifetime(folder) {} }
        return try MirrorRecords.open(isReadOnly: false)?.forget(path)
    }
}
