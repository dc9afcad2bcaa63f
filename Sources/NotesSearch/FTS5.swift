import CSQLite
import Glibc
import NotesSQL

/// The C interface of FTS5, SQLite's full-text search (sqlite.org/fts5.html, section 7).
enum FTS5 {
    /// The interface of a connection.
    static func api(of database: Database) throws(SQLFault) -> UnsafeMutablePointer<fts5_api> {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database.connection, "SELECT fts5(?)", -1, &statement, nil) == SQLITE_OK else {
            throw SQLFault(lastOn: database)
        }
        defer { sqlite3_finalize(statement) }
        var api: UnsafeMutablePointer<fts5_api>?
        // SQLite writes the pointer to `api` when the statement runs.
        withUnsafeMutablePointer(to: &api) { place in
            _ = sqlite3_bind_pointer(statement, 1, place, "fts5_api_ptr", nil)
            _ = sqlite3_step(statement)
        }
        guard let api else { throw SQLFault(code: SQLITE_ERROR, message: "this SQLite has no FTS5") }
        return api
    }
}

/// An instance of a tokenizer of FTS5.
final class FTS5Tokenizer {
    private let methods: fts5_tokenizer
    private let instance: OpaquePointer

    /// Creates an instance with the words of a table's `tokenize` option: the name, then arguments.
    init(_ words: [String], of database: Database) throws(SQLFault) {
        let api = try FTS5.api(of: database)
        var methods = fts5_tokenizer()
        var context: UnsafeMutableRawPointer?
        var instance: OpaquePointer?
        var code = api.pointee.xFindTokenizer?(api, words[0], &context, &methods) ?? SQLITE_ERROR
        if code == SQLITE_OK {
            let copies = words.dropFirst().map { strdup($0) }
            defer { for copy in copies { free(copy) } }
            var arguments = copies.map { UnsafePointer($0) }
            code = methods.xCreate?(context, &arguments, CInt(arguments.count), &instance) ?? SQLITE_ERROR
        }
        guard code == SQLITE_OK, let instance else { throw SQLFault(code: code, message: "FTS5 has no tokenizer \(words)") }
        self.methods = methods
        self.instance = instance
    }

    deinit { methods.xDelete?(instance) }

    /// Splits a text as FTS5 does for indexing, and calls `visit` with `context` for each word,
    /// until `visit` returns a code other than `SQLITE_OK`. Returns the tokenizer's code.
    func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, context: UnsafeMutableRawPointer,
        visit: @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32) -> Int32
    ) -> Int32 {
        let start = text.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
        return methods.xTokenize?(instance, context, FTS5_TOKENIZE_DOCUMENT, start, CInt(clamping: text.count), visit)
            ?? SQLITE_ERROR
    }
}
