import ArgumentParser
import Console
import FolderSync
import Glibc
import NoteTasks
import NotesModel

struct MirrorStatusCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether folders are in step, and what to do if not.",
        discussion: """
            Examples:
              notesctl mirror status
              notesctl mirror status ~/notes
              notesctl mirror status --json | jq -r '.waiting[] | .path + ": " + .reason'

            Shows for DIR, or for each folder that you mirror: whether a mirror is running, when the \
            folder was last in step, each file or note that waits, with what to do about it, and which saves \
            of the last day took out lines that notes or other programs had brought within a day. Changes \
            nothing, and needs no daemon: it reads the record in your state directory. Without a running \
            mirror, it shows what the last one found.

            The exit code is 65 if something waits or the last look at a folder failed; otherwise 2 if \
            notes are in conflict.

            With --json, prints one object per folder. The "kind" of what waits is held (a removal that \
            needs `mirror approve`), left (skipped until a person changes something), refused (the daemon \
            refuses the write for now), writing (a program has the file open), or missing (its bytes are \
            still elsewhere). "tookOut" has the saves that took out lines.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The folder. Default: all.", valueName: "dir"), completion: .directory)
    var directory: String?

    func perform() async throws {
        let folders = try MirrorRecords.open(isReadOnly: true)?.folders() ?? []
        let shown = try directory.map { [try Self.folder($0, among: folders)] } ?? folders
        if shown.isEmpty, Terminal.isOutput { Output.note("no folder is mirrored; `notesctl mirror DIR` mirrors one") }
        let now = Clock.now()
        for folder in shown {
            let isRunning = MirrorRecords.isRunning(folder.path)
            if options.isForPrograms {
                try options.emit(folder.json(isRunning: isRunning, at: now))
            } else {
                let table = MirrorStatusTable(now: now, local: Clock.local, style: Terminal.style)
                let isThere = folder.path.withCPath { access($0, F_OK) } == 0
                try Output.lines(table.lines(folder, isRunning: isRunning, isThere: isThere))
            }
        }
        if !shown.allSatisfy(\.state.isInStep) { throw ExitCode(ExitStatus.badData.rawValue) }
        if shown.contains(where: { $0.state.conflicts > 0 }) { throw ExitCode(ExitStatus.inConflict.rawValue) }
    }

    /// The record of a folder.
    ///
    /// - Throws: `ExitFailure` if there is none.
    static func folder(_ directory: String, among folders: [MirrorRecords.Folder]) throws -> MirrorRecords.Folder {
        let path = MirrorRecords.path(of: directory)
        guard let folder = folders.first(where: { $0.path == path }) else {
            throw ExitFailure(
                "there is no record of a mirror of \(SafeText.line(directory)); `notesctl mirror status` lists the folders",
                .usage)
        }
        return folder
    }
}
