import ArgumentParser
import Replication

struct Initialize: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create the schema in a database.",
        discussion: """
            Example:
              notesd-postgres init postgres:///notes

            Creates the schema notes, and the role notes_owner if it is missing: it owns the tables and functions, and cannot \
            log in. The role that connects must be a superuser, or may create roles and schemas.
            """)

    @OptionGroup var database: DatabaseArgument

    func run() throws {
        let address = try database.address()
        do throws(PostgresFault) {
            let connection = try PostgresConnection(address.database)
            let version = try SchemaVersion(of: connection)
            if version.number == nil {
                try connection.run(Schema.sql)
                Output.line("created version \(Schema.version) of the schema notes; next: notesd-postgres space add URL NAME")
            } else if let fault = version.fault {
                throw PostgresFault(state: "", message: fault)
            } else {
                Output.line(
                    "the database has version \(version.number ?? 0) of the schema notes already; nothing was changed"
                        + (version.hasFiles ? "" : "; to keep the bytes of files: notesd-postgres upgrade URL"))
            }
        } catch {
            switch error.state {
            case "42P06":
                throw ExitFailure("the database has a schema notes that notesd-postgres did not create; use another database")
            case "42501":
                throw ExitFailure(
                    "\(error.message); connect as a superuser, or as a role with CREATEROLE that may create schemas", .notAllowed)
            default: throw ExitFailure(error)
            }
        }
    }
}

struct Upgrade: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give the schema in a database its newest version.",
        discussion: """
            Example:
              notesd-postgres upgrade postgres:///notes

            Version 2 keeps the bytes of files. A notesd-postgres that only knows version 1 cannot use it, so update that \
            program on all machines first. If this command is stopped, run it again.
            """)

    @OptionGroup var database: DatabaseArgument

    func run() throws {
        let connection = try database.connect()
        do throws(PostgresFault) {
            let isOld = try !SchemaVersion(of: connection).hasFiles
            if isOld { try connection.run(Schema.filesSQL) }
            let count = try NamedFiles(connection).record()
            Output.line(
                (isOld
                    ? "upgraded the schema notes to version \(Schema.version)"
                    : "the database has version \(Schema.version) of the schema notes already")
                    + "; files that earlier revisions name: \(count). Machines send their bytes now")
        } catch {
            guard error.state == "42501" else { throw ExitFailure(error) }
            throw ExitFailure("\(error.message); only a superuser or a member of the role notes_owner may do this", .notAllowed)
        }
    }
}

struct Space: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "space",
        abstract: "Add or list spaces. The machines of one space have the same notes.",
        subcommands: [SpaceAdd.self, SpaceList.self])
}

struct SpaceAdd: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add an empty space.")

    @OptionGroup var database: DatabaseArgument

    @Argument(help: "A name: up to 64 of a-z, 0-9, -, _ and . characters.")
    var name: String

    func run() throws {
        guard HubAddress.isSpace(name) else { throw ExitFailure(HubAddress.Fault.space.text, .usage) }
        var generator = SystemRandomNumberGenerator()
        let store: UInt64 = generator.next()
        let bytes = withUnsafeBytes(of: store.bigEndian) { Array($0) }
        let connection = try database.connect()
        let added = try connection.administer(
            "INSERT INTO notes.space (name, store) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING RETURNING id",
            [.text(name), .bytes(bytes)])
        guard added.rowCount == 1 else { throw ExitFailure("there is a space \(name) already; nothing was changed", .usage) }
        Output.line("added the space \(name); next: notesd-postgres member add URL \(name) ROLE")
    }
}

struct SpaceList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the spaces with their members and the number of their revisions.")

    @OptionGroup var database: DatabaseArgument

    func run() throws {
        let connection = try database.connect()
        let rows = try connection.administer(
            """
            SELECT s.name, (SELECT coalesce(max(r.position), 0) FROM notes.revision r WHERE r.space = s.id),
                coalesce((SELECT string_agg(m.role || CASE WHEN m.writes THEN '' ELSE ' (reads)' END, ', ' ORDER BY m.role)
                    FROM notes.member m WHERE m.space = s.id), 'no members')
            FROM notes.space s ORDER BY s.name
            """)
        for row in 0..<rows.rowCount {
            Output.line("\(rows.text(row, 0) ?? "")  \(rows.integer(row, 1) ?? 0) revisions  \(rows.text(row, 2) ?? "")")
        }
    }
}

struct Member: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "member",
        abstract: "Add or remove members of a space. A member is a role of the database.",
        subcommands: [MemberAdd.self, MemberRemove.self])
}

struct MemberAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Let a role use a space, or change whether it may write.")

    @OptionGroup var database: DatabaseArgument

    @Argument(help: "The space.")
    var name: String

    @Argument(help: "The role. It must exist: CREATE ROLE ada LOGIN.")
    var role: String

    @Flag(name: .long, help: "The role may receive revisions and append none.")
    var readOnly = false

    func run() throws {
        let connection = try database.connect()
        let space = try connection.space(name)
        guard try connection.administer("SELECT FROM pg_roles WHERE rolname = $1", [.text(role)]).rowCount == 1 else {
            throw ExitFailure("there is no role of this name; create it first, for example with: createuser ROLE", .usage)
        }
        _ = try connection.administer("SELECT notes.admit($1, $2::name, $3)", [.integer(space), .text(role), .flag(!readOnly)])
        Output.line("\(role) may \(readOnly ? "read" : "read and write") the space \(name)")
    }
}

struct MemberRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a space from a role. What its machine has, it keeps.")

    @OptionGroup var database: DatabaseArgument

    @Argument(help: "The space.")
    var name: String

    @Argument(help: "The role.")
    var role: String

    func run() throws {
        let connection = try database.connect()
        let space = try connection.space(name)
        guard try connection.administer("SELECT notes.dismiss($1, $2::name)", [.integer(space), .text(role)]).flag(0, 0) == true
        else { throw ExitFailure("\(role) is not a member of the space \(name); nothing was changed", .usage) }
        Output.line("\(role) is no member of the space \(name) any more")
    }
}
