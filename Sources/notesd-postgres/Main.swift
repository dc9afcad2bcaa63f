import ArgumentParser
import Glibc
import Replication

/// `notesd-postgres`: the gateway between a replicator and a PostgreSQL database, and the commands that set
/// the database up.
@main
struct NotesdPostgres: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Program.name,
        abstract: "Share notes through a PostgreSQL database.",
        discussion: """
            Examples:
              notesd-postgres init postgres:///notes
              notesd-postgres space add postgres:///notes team
              notesd-postgres member add postgres:///notes team ada
              notesctl peer add team 'postgres://ada@db.example/notes?space=team'

            An administrator of the database runs the first three commands; `notesctl peer add` on each machine then starts \
            `notesd-postgres serve`. URL is a connection URI of PostgreSQL. Passwords belong into ~/.pgpass, mode 0600.
            """,
        version: Program.version,
        subcommands: [Initialize.self, Upgrade.self, Space.self, Member.self, Serve.self])

    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let failure as ExitFailure {
            Output.note(failure.message)
            Glibc.exit(failure.code.rawValue)
        } catch {
            exit(withError: error)
        }
    }
}

/// The address of a database, and a connection for an administrator.
struct DatabaseArgument: ParsableArguments {
    @Argument(help: "The database: postgres://[USER@]HOST[:PORT]/DATABASE, or postgres:///DATABASE on this machine.")
    var url: String

    func address() throws(ExitFailure) -> HubAddress {
        do throws(HubAddress.Fault) {
            return try HubAddress(url)
        } catch {
            throw ExitFailure("the URL is not the address of a database: \(error.text)", .usage)
        }
    }

    /// Connects, and checks the version of the schema.
    func connect() throws(ExitFailure) -> PostgresConnection {
        let address = try address()
        let connection: PostgresConnection
        let version: SchemaVersion
        do throws(PostgresFault) {
            connection = try PostgresConnection(address.database)
            version = try SchemaVersion(of: connection)
        } catch {
            throw ExitFailure(error)
        }
        if let fault = version.fault { throw ExitFailure(fault) }
        return connection
    }
}

extension PostgresConnection {
    /// Runs a statement of an administrator.
    func administer(_ sql: String, _ values: [Value] = []) throws(ExitFailure) -> PostgresResult {
        do throws(PostgresFault) { return try query(sql, values) } catch {
            if error.state == "42501" {
                throw ExitFailure(
                    "\(error.message); only a superuser or a member of the role notes_owner may do this", .notAllowed)
            }
            throw ExitFailure(error)
        }
    }

    /// The id of a space.
    func space(_ name: String) throws(ExitFailure) -> Int32 {
        guard let id = try administer("SELECT id FROM notes.space WHERE name = $1", [.text(name)]).integer(0, 0) else {
            throw ExitFailure("there is no space of this name; `notesd-postgres space list URL` shows the spaces", .usage)
        }
        return Int32(truncatingIfNeeded: id)
    }
}

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Speak the exchange part of notesd's protocol on standard input and output.",
        discussion: """
            `notesctl sync` starts this program; you need not. The URL has the parameter space, as in \
            postgres://ada@db.example/notes?space=team. The exit code is 75 if a new start may succeed.
            """)

    @OptionGroup var database: DatabaseArgument

    func run() throws {
        try GatewayService(try database.address()).run()
    }
}
