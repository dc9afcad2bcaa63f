import ArgumentParser
import Glibc
import NotesStore

/// `notesd restore`: creates a store from a backup.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Create a store from a backup.",
        usage: "notesd restore <file> --data <dir> [--quick] [--new-store]",
        discussion: """
            Copies the backup into DIR, which must not contain a store, and checks the copy. If faults concern only data \
            that is derived from the revisions, such as names and conflicts, and no text, it rebuilds this data in the copy and \
            checks it again. The store appears in DIR only if the check then finds no faults. The backup is not changed. To \
            restore a backup whose texts have faults, use --quick, and inspect the store with `notesctl audit`. Revisions from \
            other machines that wait for their parents or were not accepted are restored, too, and listed. A daemon that \
            starts on DIR writes under a new replica id, so a backup may be restored more than once. Clients that received \
            changes newer than the backup start again with a snapshot. For a machine that exchanges notes with the one that \
            made the backup, use --new-store.

            Exit codes: 0 restored, 64 invalid usage, 65 FILE is not a backup, has faults, or was made by a newer version, \
            73 DIR cannot be created or is not empty, 74 reading failed, 75 a daemon uses DIR.

            Examples:
              notesd restore notesd-20260102T030405Z.db --data ~/.local/share/notesd
            """)

    @Argument(help: ArgumentHelp("A file made by `notesctl backup`.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The directory for the store. Created if it does not exist.", valueName: "dir"))
    var data: String

    @Flag(help: "Check only the SQLite file, not the notes.")
    var quick = false

    @Flag(help: "Give the store an id of its own, and forget the peers of the first: for another machine.")
    var newStore = false

    /// What the error for faults in notes ends with.
    private static let remedy =
        "; to restore the backup as it is, use --quick, and inspect the store with `notesctl audit`"

    /// Restores the backup and prints the result.
    ///
    /// - Throws: `ExitFailure` with the codes of the help text.
    func carryOut() throws(ExitFailure) {
        do {
            var (verdict, held) = ("", [String]())
            var isRebuilt = false
            let restored = try Store.restore(file, into: data, asNewStore: newStore) { store throws(StoreError) in
                let inspection = try Inspection(store, isQuick: quick)
                for line in inspection.faults { Output.say(line, to: STDOUT_FILENO) }
                if !isRebuilt, let derived = inspection.derivedVerdict, !inspection.affectedNotes.isEmpty {
                    Output.say("\(derived); rebuilding it", to: STDOUT_FILENO)
                    isRebuilt = true
                    return inspection.affectedNotes
                }
                try inspection.demandNoFaults(in: file, remedy: Self.remedy)
                verdict = inspection.verdict(on: data)
                held = inspection.held + [inspection.heldSummary(in: data)].compactMap(\.self)
                return []
            }
            Output.say("restored \(file) to \(restored.path), \(restored.bytes) bytes", to: STDOUT_FILENO)
            if restored.files + restored.missingFiles > 0 {
                Output.say(
                    "restored \(restored.files) files"
                        + (restored.missingFiles == 0
                            ? ""
                            : "; \(restored.missingFiles) are not in the folder files beside the backup, see `notesctl file list --missing`"),
                    to: STDOUT_FILENO)
            }
            for line in held + [verdict] { Output.say(line, to: STDOUT_FILENO) }
            if newStore {
                Output.say(
                    "the store has a new id: if this machine has peers, remove each with `notesctl peer remove` and add it again",
                    to: STDOUT_FILENO)
            }
            Output.say("start it: notesd --data \(data)", to: STDOUT_FILENO)
        } catch let error as StoreError {
            throw ExitFailure(error)
        } catch {
            throw ExitFailure("\(error)", .store)
        }
    }
}
