import ArgumentParser
import Causality
import Console
import Glibc
import NoteTasks
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import Replication
import StrictJSON

struct PeerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peer",
        abstract: "Set up the other machines that have the same notes.",
        discussion: """
            Examples:
              notesctl peer add server ada@server.example
              notesctl peer list
              notesctl peer remove server

            `notesctl peer` without a subcommand lists the peers.
            """,
        subcommands: [PeerAddCommand.self, PeerListCommand.self, PeerRemoveCommand.self], defaultSubcommand: PeerListCommand.self)
}

struct PeerAddCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Join this store with that of another machine.",
        discussion: """
            Examples:
              notesctl peer add server ada@server.example
              notesctl peer add server ssh://ada@server.example:2222
              notesctl peer add usb unix:/run/user/1000/notesd-usb/notesd.sock
              notesctl peer add --pull archive archive.example
              notesctl peer add team 'postgres://ada@db.example/notes?space=team'

            ADDRESS is [USER@]HOST or ssh://[USER@]HOST[:PORT][/PATH-OF-SOCKET] for another machine, which \
            needs notesd and an ssh server; unix:PATH for another daemon on this machine; exec:COMMAND; or \
            postgres://[USER@]HOST/DATABASE?space=NAME for a PostgreSQL database, which needs the program \
            notesd-postgres on this machine.

            Connects, shows what both stores have, asks, and brings both in step. Then starts the unit \
            notesd-sync@NAME.service, which keeps them in step now and after each login. Both stores then \
            have all notes, all their history, and what was deleted; two stores that were joined cannot be \
            parted again.

            On each machine that receives, the user needs sync access to the daemon, as the daemon's own user has.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "A name for the peer: up to 32 of a-z, 0-9 and -.")
    var name: String

    @Argument(help: "Its address.")
    var address: String

    @Flag(name: .long, help: "Only receive revisions.")
    var pull = false

    @Flag(name: .long, help: "Only send revisions.")
    var push = false

    @Flag(name: .long, help: "Do not start the unit.")
    var noStart = false

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    func validate() throws {
        if pull, push { throw ValidationError("--pull and --push exclude each other; without either, both directions are used.") }
    }

    func perform() async throws {
        try PeerFile.checkName(name)
        let address = try PeerAddress(address)
        guard access(try PeerFile.path(of: name), F_OK) != 0 else {
            throw ExitFailure("there is a peer \(name) already; remove it with `notesctl peer remove \(name)` first", .usage)
        }
        let here = try options.exchangeOptions(name)
        let (own, store) = try await agree(address, here)
        var file = PeerFile(name: name, address: address, store: store, direction: pull ? .pull : push ? .push : .both)
        file.own = own
        // The unit has the environment of the user's systemd, which may name another socket or none.
        if here.socketPath != GlobalOptions.defaultSocket { file.socket = try Environment.absolute(here.socketPath) }
        let status = try await ReplicatorStatus(name)
        let driver = ReplicatorDriver(here: here, peer: file, isInteractive: Terminal.isInput) { state in
            _ = status.publish(state, at: Clock.now())
        }
        let state = try await driver.once()
        try file.write()
        withExtendedLifetime(status) {}
        try Output.line("received  \(state.pull.committed) revisions")
        try Output.line("sent      \(state.push.committed) revisions")
        try Output.line(SafeText.line("\(state)"))
        try start()
    }

    /// Shows what both stores have, and asks. Returns the ids of both stores.
    private func agree(_ address: PeerAddress, _ here: ClientOptions) async throws -> (own: ReplicaID, store: ReplicaID) {
        let mine = PeerConnection(client: try await NotesClient.connect(here))
        let theirs = try await PeerConnection.connect(to: address, here, isInteractive: Terminal.isInput)
        do {
            try await Replicator(here: mine, there: theirs).check()
        } catch let fault as ReplicationFault {
            throw ExitFailure(SafeText.line("\(fault)"), .usage)
        }
        let there = try await theirs.amounts
        let local = try await mine.amounts
        let needed: [(PeerConnection, String, Bool)] = [(mine, "here", !push), (theirs, "there", !pull)]
        for (connection, place, isReceiving) in needed where isReceiving {
            guard let hello = await connection.client.hello, hello.access >= Method.adopt.access else {
                if case .hub = address, place == "there" {
                    throw ExitFailure("the role may only read this space; use --pull, or another role", .notAllowed)
                }
                throw ExitFailure(
                    "receiving revisions \(place) needs sync access to that daemon; an administrator can grant it with "
                        + "the setting access.sync", .notAllowed)
            }
        }
        Output.note("there: \(there)")
        Output.note("here:  \(local)")
        if !yes {
            guard Terminal.isInput else {
                throw ExitFailure("confirm with --yes, since standard input is not a terminal", .usage)
            }
            guard Output.isConfirmed("Both will have all notes, all their history, and what was deleted. Go on?") else {
                throw ExitFailure("nothing was changed", .failed)
            }
        }
        let (own, store) = (try await mine.store, try await theirs.store)
        await mine.client.close()
        await theirs.client.close()
        return (own, store)
    }

    private func start() throws {
        let run = "`notesctl sync \(name)` keeps both in step while it runs"
        guard !noStart, SyncUnit.isThere else { return try Output.line(run) }
        try SyncUnit(name).run("enable")
        try Output.line("\(SyncUnit(name).name) is enabled; `notesctl peer list` shows how it is")
    }
}

struct PeerListCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the peers and whether they are up to date.",
        discussion: """
            Examples:
              notesctl peer list
              notesctl peer list --json | jq -r 'select(.missing > 0) | .name'

            Prints for each peer its name, how many revisions of this store it does not hold as far as is \
            known, its state, and its address. A peer that was set up on the other machine has the id of its \
            store as its name, and no address.

            Names revisions of other machines that this store holds apart from its notes, if there are any \
            (`notesctl held`).
            """)

    @OptionGroup var options: GlobalOptions

    func perform() async throws {
        let files = try PeerFile.all()
        var known: [ReplicaID: PeersResult.Peer] = [:]
        var held: String?
        var own: ReplicaID?
        try await options.withClient { client in
            own = await client.hello?.store
            if !options.isForPrograms { held = try await HeldText.summary(client) }
            let result: PeersResult = try await client.call(.listPeers)
            for peer in result.peers { known[peer.store] = peer }
        }
        var lines: [PeerLine] = []
        for file in files {
            // This daemon knows nothing of a peer that was set up with another store.
            let other = file.own == own ? nil : file.own
            let peer = other == nil ? known.removeValue(forKey: file.store) : nil
            lines.append(
                PeerLine(
                    name: file.name, store: file.store, address: "\(file.address)", missing: peer?.lacks, other: other,
                    state: ReplicatorStatus.read(file.name) ?? "not running; start it with `notesctl sync \(file.name)`"))
        }
        for peer in known.values.sorted(by: { $0.store < $1.store }) {
            lines.append(
                PeerLine(
                    name: "\(peer.store)", store: peer.store, address: "", missing: peer.lacks,
                    state: peer.isConnected ? "connected" : "away"))
        }
        if options.isForPrograms {
            for line in lines { try options.emit(line.json) }
            return
        }
        if lines.isEmpty, Terminal.isOutput { Output.note("no peers; `notesctl peer add NAME ADDRESS` adds one") }
        let width = lines.map { DisplayWidth.of($0.name) }.max() ?? 0
        try Output.lines(lines.map { $0.text(columns: width) })
        if let held { Output.note("\(held). \(HeldText.remedy)") }
    }
}

struct PeerRemoveCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "End the exchange with a peer.",
        discussion: """
            Examples:
              notesctl peer remove server
              notesctl peer remove --forget 9f86d081884c7d65

            Stops the unit and removes the file of the peer. Both stores keep what they have. With --forget, \
            the daemon also forgets which revisions the peer holds, as for a machine that is lost; PEER may then be \
            the id of a store that `peer list` shows.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The peer.")
    var name: String

    @Flag(name: .long, help: "Also forget which revisions the peer holds.")
    var forget = false

    func perform() async throws {
        // A peer that was set up on the other machine has no file here, and the id of its store as its name.
        if forget, let store = ReplicaID(parsing: name.utf8), access(try PeerFile.path(of: name), F_OK) != 0 {
            guard try await forget(store) else {
                throw ExitFailure("the daemon knows no peer \(name); `notesctl peer list` shows the peers", .usage)
            }
            return
        }
        let file = try PeerFile.read(name)
        if SyncUnit.isThere { try SyncUnit(name).run("disable") }
        if forget { _ = try await forget(file.store, file) }
        try file.remove()
    }

    /// Lets the daemon forget a store, which a file may name. Returns whether it knew it.
    private func forget(_ store: ReplicaID, _ file: PeerFile? = nil) async throws -> Bool {
        let options = file.map(options.with(socketOf:)) ?? options
        return try await options.withClient { client in
            do throws(ReplicationFault) {
                try file?.check(own: await client.hello?.store, at: (try? options.socketPath()) ?? "")
            } catch {
                throw ExitFailure(error)
            }
            let result: PeersResult = try await client.call(.listPeers)
            guard result.peers.contains(where: { $0.store == store }) else { return false }
            _ = try await client.call(.forgetPeer(store), response: EmptyResult.self)
            return true
        }
    }
}

/// A line of `peer list`.
private struct PeerLine {
    let name: String
    let store: ReplicaID
    let address: String
    /// The number of revisions that the peer does not hold; nil if it was never met.
    let missing: Int?
    /// The store here that the peer was set up with, if it is not this daemon's.
    var other: ReplicaID?
    let state: String

    func text(columns: Int) -> String {
        let missing =
            missing.map { "\($0) missing there" } ?? other.map { "set up with another store here, \($0)" } ?? "never met"
        let name = DisplayWidth.fit(self.name, columns: columns)
        return "\(name)  \(missing)  \(SafeText.line(state))" + (address.isEmpty ? "" : "  \(SafeText.line(address))")
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("name", name)
            line.member("store", store.description)
            line.member("address", address)
            line.name("missing")
            if let missing { line.integer(missing) } else { line.null() }
            line.member("state", state)
        }
        return writer.bytes
    }
}

/// The service of the user's systemd that keeps a peer in step.
struct SyncUnit {
    static let template = "notesd-sync@.service"

    let name: String

    init(_ peer: String) {
        name = "notesd-sync@\(peer).service"
    }

    /// Whether the user's systemd has the template. Disabling a unit that is not enabled changes nothing.
    static var isThere: Bool { SystemFacts.isUserManagerThere && SystemFacts.isUnitFileThere(template) }

    /// Enables or disables the unit at once.
    ///
    /// - Throws: `ExitFailure` if systemd fails; it has printed the reason.
    func run(_ verb: String) throws {
        let end = try Child.run(["systemctl", "--user", "--quiet", verb, "--now", "--", name])
        guard end.isSuccess else {
            throw ExitFailure("`systemctl --user \(verb) --now \(name)` \(end.text); see `systemctl --user status \(name)`")
        }
    }
}
