import ArgumentParser
import Console
import NoteTasks
import NotesClient
import NotesModel
import Replication

struct SyncCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Keep this store and a peer's in step.",
        discussion: """
            Examples:
              notesctl sync server
              notesctl sync --once server

            PEER is a name that `notesctl peer add` has set up. Runs until you stop it, and connects again \
            after a failure; the unit notesd-sync@PEER.service does the same. With --once, carries what \
            each store lacks, and exits.

            Each store gets the revisions of the other: all notes, their histories, and what was deleted. \
            What both machines wrote in the same note is merged, as for two programs on one machine.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The peer.")
    var peer: String

    @Flag(name: .long, help: "Carry what each store lacks, and exit.")
    var once = false

    func perform() async throws {
        var file = try PeerFile.read(peer)
        let here = try options.with(socketOf: file).exchangeOptions(peer)
        let status = try await ReplicatorStatus(peer)
        let isQuiet = options.isForPrograms
        try await file.setOwn(here)
        let driver = ReplicatorDriver(here: here, peer: file) { state in
            if status.publish(state, at: Clock.now()), !isQuiet { Output.note("\(peer): \(SafeText.line("\(state)"))") }
        }
        guard once else { try await driver.run() }
        let state = try await driver.once()
        let (received, sent) = (state.pull.committed, state.push.committed)
        if !isQuiet { try Output.line("received \(received), sent \(sent) revisions") }
        guard state.pull.lacking + state.push.lacking + state.push.refused + state.quarantined + state.differing == 0 else {
            throw ExitCode(ExitStatus.badData.rawValue)
        }
    }
}

extension SyncCommand { static var records: [Record] { [] } }
extension BridgeCommand { static var records: [Record] { [] } }
