import Console
import Glibc
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

/// Links that mean the notes of renamed files, and relative links in these notes.
///
/// A program that renames files may itself rewrite the links, as Obsidian does, or bring other texts along, as
/// git does. So the repair waits a moment, until what such a program wrote is in the notes, and then changes
/// only the links that were there before the rename. If the files were made anew under their new names,
/// links are counted and stay as they are.
extension FolderMirror {
    /// A repair after the renames of one look.
    struct PendingRepair {
        let repairer: LinkRepairer
        /// Whether links are repaired; if not, they are counted.
        let isWanted: Bool
        /// When the notes were renamed.
        let since: ContinuousClock.Instant
        /// How often the repair found that a program has changed one of the files.
        var delays = 0
    }

    /// How long a watching mirror waits for what other programs write after a rename.
    private static let repairPause = Duration.seconds(1)
    /// How often the repair waits for files that programs write. After that, it is merged with their changes.
    private static let delaysMax = 10
    /// Most renamed files of one look to which links are repaired.
    static let repairedMax = 1_000

    /// Renames the notes of renamed files, and plans the repair of links. For `op`, both are one operation.
    mutating func carryOut(_ changes: FolderChanges, in run: inout MirrorRun) async throws {
        guard !changes.moves.isEmpty else { return }
        // Links to a file that is renamed again mean the note by its present name first.
        try await repairLinks(isDue: true, in: &run)
        var client = client
        if isRecording, let log = OperationLog(command: "mirror") { client = RecordingClient(client: client, log: log) }
        let repairer = try await repairer(before: changes.moves, client, in: &run)
        for group in changes.groups { try await carryOut(group.moves, isRing: group.isRing, client, in: &run) }
        guard let repairer else { return }
        guard !changes.moves.contains(where: { run.untouched.contains($0.to) }) else {
            if !run.report.isSilent { Output.note("some notes cannot be renamed, so links stay as they are") }
            return
        }
        repairs.append(PendingRepair(repairer: repairer, isWanted: try areRenamed(changes.moves), since: .now))
    }

    /// The links that the renames can affect; nil if they cannot be found.
    private func repairer(
        before moves: [FolderChanges.Move], _ client: any NotesAPI, in run: inout MirrorRun
    ) async throws -> LinkRepairer? {
        let names = Dictionary(try await notesBefore(in: &run).map { ($0.head.id, $0.head.name) }) { first, _ in first }
        let renamings = moves.compactMap { move -> NoteRenaming? in
            guard let old = names[move.record.note], let new = prefix.name(ofPath: move.to) else { return nil }
            return NoteRenaming(note: move.record.note, old: old?.bytes, new: new)
        }
        guard !renamings.isEmpty else { return nil }
        guard renamings.count <= Self.repairedMax else {
            if !run.report.isSilent {
                Output.note(
                    "\(renamings.count) files were renamed at once, so links stay as they are; `notesctl links --missing` lists "
                        + "those that mean nothing now")
            }
            return nil
        }
        do {
            return try await LinkRepairer(before: renamings, client, isByMirror: true)
        } catch let failure as ExitFailure {
            if !run.report.isSilent { Output.note(failure.message) }
            return nil
        }
    }

    /// Whether files have got their names by renames. A file that a program makes anew has another inode. If
    /// the inode is not recorded, such a file was changed since the last run, and when it got its name.
    private func areRenamed(_ moves: [FolderChanges.Move]) throws -> Bool {
        let last = try records.mirrorState().map { $0.looked.milliseconds } ?? 0
        return moves.allSatisfy { move in
            guard let stamp = found.stamps[move.to] else { return false }
            guard let former = records.stamps[move.from] else {
                return stamp.modified / 1_000_000 < last || stamp.changed.minus(clamping: stamp.modified) >= FileStamp.tick
            }
            return former.inode == stamp.inode && former.modified == stamp.modified
        }
    }

    /// Repairs the links to renamed notes.
    ///
    /// - Parameter isDue: whether to wait for no other program.
    mutating func repairLinks(isDue: Bool = false, in run: inout MirrorRun) async throws {
        while let pending = repairs.first {
            let start = pending.since + Self.repairPause * (pending.delays + 1)
            guard isDue || !isWatching || .now >= start else { return run.wait(until: start) }
            do {
                guard try await carryOut(pending, isDue: isDue, in: &run) else {
                    repairs[0].delays += 1
                    return run.wait(until: .now + Self.repairPause)
                }
            } catch let failure as ExitFailure {
                if !run.report.isSilent { Output.note(failure.message) }
            } catch ClientError.refused(let error) {
                if !run.report.isSilent {
                    Output.note("links to renamed files cannot be repaired: \(SafeText.line(error.message))")
                }
            }
            repairs.removeFirst()
        }
    }

    /// - Returns: false if a program has just changed the file of a note with links to repair.
    private func carryOut(_ pending: PendingRepair, isDue: Bool, in run: inout MirrorRun) async throws -> Bool {
        var repairer = pending.repairer
        try await repairer.readAgain()
        repairer.setAbsentFiles(repairer.files.filter(isAbsent))
        var planned = try await repairer.repairs()
        planned.filled = 0
        guard pending.isWanted else {
            let count = planned.texts.reduce(planned.unrepaired.count) { $0 + $1.edits.count }
            guard count > 0, !run.report.isSilent else { return true }
            Output.note(
                "\(counted(count, "link")) to renamed notes stay as they are, because a program made the files anew, as git does; "
                    + "`notesctl links --missing` lists those that mean nothing now")
            return true
        }
        if !isDue, isWatching, pending.delays < Self.delaysMax, !planned.texts.allSatisfy({ isInStep($0.note, in: run) }) {
            return false
        }
        let saved = try await repairer.save(planned)
        run.touched.formUnion(saved.notes)
        guard !run.report.isSilent else { return true }
        repairer.report(saved)
        if !saved.failed.isEmpty {
            Output.note("\(counted(saved.failed.count, "note")) cannot be saved, so some links do not mean their notes")
        }
        return true
    }

    /// Whether programs can change files while the mirror waits.
    private var isWatching: Bool {
        if case .watch = source { missingTime != .zero } else { false }
    }

    /// Whether the file of a note, if it has one, is as the mirror read it.
    private func isInStep(_ note: NoteID, in run: MirrorRun) -> Bool {
        guard let path = records.paths[note] else { return true }
        guard !run.untouched.contains(path), let status = try? tree.status(of: path) else { return false }
        return verified[path] == FileStamp(status)
    }

    /// Whether no file has a place (`LinkRepair.files`). What is outside the folder may exist.
    private func isAbsent(_ place: ByteString) -> Bool {
        let path = place.utf8
        guard path.starts(with: prefix.bytes), !path.starts(with: "../".utf8), !path.contains(0) else { return false }
        do throws(Descriptor.OpenError) {
            _ = try tree.status(of: Array(path.dropFirst(prefix.bytes.count)))
            return false
        } catch {
            return error.number == ENOENT
        }
    }
}
