import CSQLite
import NotesSQL

/// The tokenizer `notesd` of FTS5: the words of `unicode61` with their letters folded (`LetterFolding`).
///
/// The index, the queries and the excerpts use it by its name. The places of the words are those in the
/// text, so a folded word may be longer than its place.
enum FoldingTokenizer {
    static let name = "notesd"

    /// Registers the tokenizer on a connection, once. Required before a table that names it is used.
    static func register(on database: Database) throws(SQLFault) {
        let api = try FTS5.api(of: database)
        var (known, context) = (fts5_tokenizer(), nil as UnsafeMutableRawPointer?)
        if api.pointee.xFindTokenizer?(api, name, &context, &known) == SQLITE_OK { return }
        var methods = fts5_tokenizer(xCreate: create, xDelete: delete, xTokenize: tokenize)
        let code = api.pointee.xCreateTokenizer?(api, name, api, &methods, nil) ?? SQLITE_ERROR
        guard code == SQLITE_OK else { throw SQLFault(code: code, message: "FTS5 takes no tokenizer") }
    }

    /// An instance of `unicode61`.
    private final class Inner {
        let methods: fts5_tokenizer
        let instance: OpaquePointer

        init(_ methods: fts5_tokenizer, _ instance: OpaquePointer) {
            (self.methods, self.instance) = (methods, instance)
        }

        deinit { methods.xDelete?(instance) }
    }

    /// Where the folded words go.
    private struct Receiver {
        let context: UnsafeMutableRawPointer?
        let take: @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32) -> Int32
    }

    private static let create:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafePointer<CChar>?>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Int32 = { context, arguments, count, result in
            let api = context?.assumingMemoryBound(to: fts5_api.self)
            var (methods, inner, instance) = (fts5_tokenizer(), nil as UnsafeMutableRawPointer?, nil as OpaquePointer?)
            var code = api?.pointee.xFindTokenizer?(api, "unicode61", &inner, &methods) ?? SQLITE_ERROR
            if code == SQLITE_OK { code = methods.xCreate?(inner, arguments, count, &instance) ?? SQLITE_ERROR }
            guard code == SQLITE_OK, let instance else { return code == SQLITE_OK ? SQLITE_ERROR : code }
            result?.pointee = OpaquePointer(Unmanaged.passRetained(Inner(methods, instance)).toOpaque())
            return SQLITE_OK
        }

    private static let delete: @convention(c) (OpaquePointer?) -> Void = { instance in
        if let instance { Unmanaged<Inner>.fromOpaque(UnsafeRawPointer(instance)).release() }
    }

    private static let tokenize:
        @convention(c) (
            OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32,
            (@convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32) -> Int32)?
        ) -> Int32 = { instance, context, flags, text, count, take in
            guard let instance, let take else { return SQLITE_ERROR }
            let inner = Unmanaged<Inner>.fromOpaque(UnsafeRawPointer(instance)).takeUnretainedValue()
            var receiver = Receiver(context: context, take: take)
            return withUnsafeMutablePointer(to: &receiver) { receiver in
                inner.methods.xTokenize?(inner.instance, receiver, flags, text, count) {
                    receiver, flags, word, count, start, end in
                    guard let receiver = receiver?.assumingMemoryBound(to: Receiver.self).pointee else { return SQLITE_ERROR }
                    guard let folded = LetterFolding.folded(UnsafeRawBufferPointer(start: word, count: Int(count))) else {
                        return receiver.take(receiver.context, flags, word, count, start, end)
                    }
                    return folded.withUnsafeBytes { folded in
                        receiver.take(
                            receiver.context, flags, folded.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(folded.count),
                            start, end)
                    }
                } ?? SQLITE_ERROR
            }
        }
}
