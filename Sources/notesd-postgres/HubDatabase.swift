import Causality
import Glibc
import Hub
import NoteText
import NotesModel
import Replication

/// The log of one space in a database: carries out the questions of a gateway.
final class HubDatabase {
    /// The number of times that a statement is tried again after a conflict with another transaction.
    private static let retriesMax = 20
    /// The number of rows that are not in `notes.range` at which a writer folds them.
    private static let unfoldedMax: Int64 = 10_000

    private let address: HubAddress
    private var opened: (connection: PostgresConnection, space: Int32, mayWrite: Bool)?
    /// Whether the server sends notices of new rows.
    private(set) var isListening = false
    /// Whether the schema has files.
    private var hasFiles = false

    init(_ address: HubAddress) {
        self.address = address
    }

    /// The connection, if the space is open.
    var connection: PostgresConnection? { opened?.connection }

    /// Carries out a question.
    ///
    /// - Throws: `PostgresFault`, after which the connection is of no further use.
    func answer(_ query: HubQuery) throws(PostgresFault) -> HubAnswer {
        if case .open = query { return open() }
        guard let (connection, space, mayWrite) = opened else {
            throw PostgresFault(state: "", message: "the space is not open")
        }
        switch query {
        case .open: return open()
        case .known: return try known(connection, space, mayWrite)
        case .first(let dots): return try first(dots, connection, space)
        case .append(let bodies, let files): return try append(bodies, files, connection, space)
        case .read(let after, let rowsMax, let bytesMax):
            return try read(after, rowsMax, bytesMax, connection, space)
        case .file(let request): return .file(try answer(request, connection, space))
        }
    }

    private func open() -> HubAnswer {
        guard let name = address.space else {
            return .refused("the address names no space; add ?space=NAME")
        }
        do throws(PostgresFault) {
            let connection = try PostgresConnection(address.database)
            let version = try SchemaVersion(of: connection)
            if let fault = version.fault { return .refused(fault) }
            hasFiles = version.hasFiles
            let found = try connection.query("SELECT id, store, writes FROM notes.open($1)", [.text(name)])
            guard let id = found.integer(0, 0), let store = found.bytes(0, 1), store.count == 8, let mayWrite = found.flag(0, 2)
            else { throw Self.malformed }
            isListening = Self.listens(connection, Int32(truncatingIfNeeded: id))
            opened = (connection, Int32(truncatingIfNeeded: id), mayWrite)
            return .opened(HubSpace(store: Self.replica(store), role: connection.role, mayWrite: mayWrite, hasFiles: hasFiles))
        } catch {
            return .refused(error.sentence)
        }
    }

    /// Some poolers and databases have no `LISTEN`; the log is then read at short intervals.
    private static func listens(_ connection: PostgresConnection, _ space: Int32) -> Bool {
        do throws(PostgresFault) {
            try connection.run("LISTEN notes_\(space)")
            return true
        } catch {
            return false
        }
    }

    private func known(
        _ connection: PostgresConnection, _ space: Int32, _ mayWrite: Bool
    ) throws(PostgresFault) -> HubAnswer {
        let newest = try connection.query("SELECT place, replica, counter, unfolded FROM notes.newest($1)", [.integer(space)])
        var place = HubPlace.start
        if let position = newest.integer(0, 0) {
            guard let dot = Self.dot(newest.bytes(0, 1), newest.integer(0, 2)), position > 0 else { throw Self.malformed }
            place = HubPlace(UInt64(position), dot)
            if mayWrite, newest.integer(0, 3) ?? 0 >= Self.unfoldedMax {
                _ = try retried { () throws(PostgresFault) in try connection.query("SELECT notes.fold($1)", [.integer(space)]) }
            }
        }
        let ranges = try connection.query("SELECT replica, low, high FROM notes.known($1)", [.integer(space)])
        guard ranges.rowCount <= DotSet.rangesMax else {
            throw PostgresFault(state: "", message: "the space has \(ranges.rowCount) ranges of dots, more than a client takes")
        }
        var dots = DotSet()
        for row in 0..<ranges.rowCount {
            guard let low = Self.dot(ranges.bytes(row, 0), ranges.integer(row, 1)),
                let high = Self.dot(ranges.bytes(row, 0), ranges.integer(row, 2)), low.counter <= high.counter
            else { throw Self.malformed }
            dots.insert(low.counter...high.counter, of: low.replica)
        }
        return .known(newest: place, dots: dots)
    }

    private func first(_ dots: DotSet, _ connection: PostgresConnection, _ space: Int32) throws(PostgresFault) -> HubAnswer {
        var (replicas, lows, highs): ([[UInt8]], [Int64], [Int64]) = ([], [], [])
        for replica in dots.replicas {
            let bytes = withUnsafeBytes(of: replica.bits.bigEndian) { Array($0) }
            for range in dots.ranges(of: replica) {
                replicas.append(bytes)
                lows.append(Int64(clamping: range.lowerBound))
                highs.append(Int64(clamping: range.upperBound))
            }
        }
        let found = try connection.query(
            "SELECT notes.first($1, $2, $3, $4)", [.integer(space), .byteArrays(replicas), .longs(lows), .longs(highs)])
        return .first(found.integer(0, 0).flatMap { $0 > 0 ? UInt64($0) : nil })
    }

    private func append(
        _ bodies: [[UInt8]], _ files: [FileContent], _ connection: PostgresConnection, _ space: Int32
    ) throws(PostgresFault) -> HubAnswer {
        var statement = "SELECT outcomes, newest FROM notes.append($1, $2)"
        var values: [PostgresConnection.Value] = [.integer(space), .byteArrays(bodies)]
        if hasFiles {
            statement = "SELECT outcomes, newest FROM notes.append($1, $2, $3, $4)"
            values += [.byteArrays(files.map(\.hash.bytes)), .longs(files.map { Int64($0.bytes) })]
        }
        let result: PostgresResult
        do throws(PostgresFault) {
            result = try retried { () throws(PostgresFault) in
                try connection.query(statement, values)
            }
        } catch {
            guard error.isFull else { throw error }
            return .full(error.sentence)
        }
        guard let text = result.text(0, 0), let newest = result.integer(0, 1), newest >= 0 else { throw Self.malformed }
        let outcomes = text.split(separator: ",").compactMap { HubOutcome(rawValue: String($0)) }
        return .appended(outcomes, newest: UInt64(newest))
    }

    private func read(
        _ after: UInt64, _ rowsMax: Int, _ bytesMax: Int, _ connection: PostgresConnection, _ space: Int32
    ) throws(PostgresFault) -> HubAnswer {
        let result = try connection.query(
            "SELECT place, replica, counter, body FROM notes.\(hasFiles ? "read_rows" : "read")($1, $2, $3, $4)",
            [
                .integer(space), .long(Int64(clamping: after)), .integer(Int32(clamping: rowsMax)),
                .long(Int64(clamping: bytesMax)),
            ])
        var anchor: Dot?
        var rows: [HubRow] = []
        for row in 0..<result.rowCount {
            guard let position = result.integer(row, 0), position >= 0,
                let dot = Self.dot(result.bytes(row, 1), result.integer(row, 2))
            else { throw Self.malformed }
            if UInt64(position) == after {
                anchor = dot
            } else {
                rows.append(HubRow(HubPlace(UInt64(position), dot), body: result.bytes(row, 3) ?? []))
            }
        }
        return .rows(anchor: anchor, rows)
    }

    /// Runs a statement, and again if it met a concurrent transaction.
    func retried(_ run: () throws(PostgresFault) -> PostgresResult) throws(PostgresFault) -> PostgresResult {
        var count: UInt32 = 0
        while true {
            do throws(PostgresFault) {
                return try run()
            } catch {
                guard error.isConflict, count < Self.retriesMax else { throw error }
                count += 1
                usleep(count * 5_000)
            }
        }
    }

    static let malformed = PostgresFault(
        state: "", message: "the database returned values that no version of its functions returns; check the schema notes")

    private static func replica(_ bytes: [UInt8]) -> ReplicaID { ReplicaID(bits: bytes.reduce(0) { $0 << 8 | UInt64($1) }) }

    private static func dot(_ replica: [UInt8]?, _ counter: Int64?) -> Dot? {
        guard let replica, replica.count == 8, let counter, counter >= 1 else { return nil }
        return Dot(self.replica(replica), UInt64(counter))
    }
}

/// The version of the schema in a database.
struct SchemaVersion {
    /// Nil if the database has none.
    let number: Int64?

    /// Reads the version.
    init(of connection: PostgresConnection) throws(PostgresFault) {
        let there = try connection.query(
            "SELECT EXISTS (SELECT FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace "
                + "WHERE n.nspname = 'notes' AND p.proname = 'schema_version')")
        guard there.flag(0, 0) == true else {
            number = nil
            return
        }
        // Only a member and the owner may call the function.
        let may = try connection.query(
            "SELECT has_schema_privilege('notes', 'USAGE') AND has_function_privilege('notes.schema_version()', 'EXECUTE')")
        guard may.flag(0, 0) == true else {
            throw PostgresFault(state: "42501", message: "the role \(connection.role) may not use the schema notes")
        }
        number = try connection.query("SELECT notes.schema_version()").integer(0, 0)
    }

    /// Whether the schema has files.
    var hasFiles: Bool { number ?? 0 >= Schema.versionWithFiles }

    /// The reason why this program cannot use the schema, as a sentence; nil if it can.
    var fault: String? {
        guard let number else {
            return "the database has no schema for notes; an administrator creates it with `notesd-postgres init URL`"
        }
        if Schema.usable.contains(Int(number)) { return nil }
        return "the database has version \(number) of the schema, and this notesd-postgres needs version \(Schema.version); "
            + (number > Schema.version
                ? "update notesd-postgres" : "use the notesd-postgres that created it, or update the schema")
    }
}
