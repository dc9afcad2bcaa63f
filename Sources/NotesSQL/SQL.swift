import CSQLite

/// A value that is bound to a statement: only the types that the store's tables contain.
package enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case blob([UInt8])

    package static func number(_ number: UInt64) -> SQLValue { .integer(Int64(bitPattern: number)) }
    package static func number(_ number: Int) -> SQLValue { .integer(Int64(number)) }
    package static func flag(_ flag: Bool) -> SQLValue { .integer(flag ? 1 : 0) }
    package static func optional(_ bytes: [UInt8]?) -> SQLValue { bytes.map(SQLValue.blob) ?? .null }
    package static func optional(_ number: UInt64?) -> SQLValue { number.map(SQLValue.number) ?? .null }
}

/// The current row of a statement. Valid until the statement steps.
///
/// Reading a column never traps, whatever a corrupt file contains, since SQLite converts values.
package struct SQLRow {
    fileprivate let statement: OpaquePointer

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    package func isBlob(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_BLOB }
    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    package func number(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }
    package func flag(_ column: Int32) -> Bool { integer(column) != 0 }
    package func double(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

    package func blob(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    package func optionalBlob(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : blob(column) }
}

extension Database {
    /// Runs a statement that returns no rows.
    package func run(_ sql: String, _ values: SQLValue...) throws(SQLFault) {
        _ = try each(sql, values) { _ throws(SQLFault) in false }
    }

    /// Returns the first row as the closure reads it; nil if there is none.
    package func first<T>(_ sql: String, _ values: SQLValue..., read: (SQLRow) throws(SQLFault) -> T) throws(SQLFault) -> T? {
        var result: T?
        try each(sql, values) { row throws(SQLFault) in
            result = try read(row)
            return false
        }
        return result
    }

    /// Visits every row until the closure returns false.
    package func each(_ sql: String, _ values: SQLValue..., visit: (SQLRow) throws(SQLFault) -> Bool) throws(SQLFault) {
        try each(sql, values, visit: visit)
    }

    package func each(
        _ sql: String, _ values: [SQLValue], visit: (SQLRow) throws(SQLFault) -> Bool
    ) throws(SQLFault) {
        let statement = try statement(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            guard Self.bind(value, at: Int32(index + 1), of: statement) == SQLITE_OK else { throw SQLFault(lastOn: self, sql) }
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: if try !visit(SQLRow(statement: statement)) { return }
            case SQLITE_DONE: return
            default: throw SQLFault(lastOn: self, sql)
            }
        }
    }

    private static func bind(_ value: SQLValue, at index: Int32, of statement: OpaquePointer) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let integer): return sqlite3_bind_int64(statement, index, integer)
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
            // `SQLITE_TRANSIENT`: SQLite copies the bytes.
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob(statement, index, $0.baseAddress, Int32(clamping: $0.count), transient)
            }
        }
    }
}
