import ArgumentParser
import Glibc
import NotesStore

/// `notesd restore`.
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a store of a backup.",
        usage: "notesd restore <file> --data <dir> [--quick]",
        discussion: """
            The backup is copied into DIR, where no store may be and no daemon may run, and looked through; only then is it there \
            as a store. The backup stays as it is. One in whose notes faults are found can be restored with --quick, and looked at \
            with `notesctl audit` then. A daemon that is started on DIR goes on from it under a new replica id, so a \
            backup may be restored more than once. Clients that had seen later changes are told to start anew.

            Exit codes: 0 restored, 64 wrong usage, 65 FILE is no backup, has faults, or is of a newer notesd, 73 DIR cannot be \
            made or is not empty, 74 reading failed, 75 a daemon has DIR.

            Examples:
              notesd restore notesd-20260102T030405Z.db --data ~/.local/share/notesd
            """)

    @Argument(help: ArgumentHelp("What `notesctl backup` made.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The directory for the store. Made if it is not there.", valueName: "dir"))
    var data: String

    @Flag(help: "Only have SQLite look over the file; leave out the notes.")
    var quick = false

    func carryOut() throws(ExitFailure) {
        do {
            var verdict = ""
            let restored = try Store.restore(file, into: data) { store throws(StoreError) in
                let inspection = try Inspection(store, isQuick: quick)
                for line in inspection.faults { Main.say(line, to: STDOUT_FILENO) }
                try inspection.demandNoFaults(in: file)
                verdict = inspection.verdict(on: data)
            }
            Main.say("\(file) is restored to \(restored.path), \(restored.bytes) bytes", to: STDOUT_FILENO)
            Main.say(verdict, to: STDOUT_FILENO)
            Main.say("start it: notesd --data \(data)", to: STDOUT_FILENO)
        } catch let error as StoreError {
            throw ExitFailure(error)
        } catch {
            throw ExitFailure("\(error)", .store)
        }
    }
}
