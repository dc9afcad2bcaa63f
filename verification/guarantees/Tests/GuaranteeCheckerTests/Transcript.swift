@testable import GuaranteeChecker

/// A history written by hand: requests and responses, in order.
struct Transcript {
    private(set) var history = History()
    private var lastID = 0

    static let note = "01890a5d-ac96-774b-bcce-b302099a8057"
    static let other = "01890a5d-ac96-774b-bcce-b302099a8058"

    /// Connects and sends a hello.
    mutating func open(_ connection: Int, run: String = "a", _ encoding: String = "utf-8", label: String? = nil) {
        history.add(.opened, connection)
        ask(
            connection, "session.hello", label.map { #""label":"\#($0)""# } ?? "",
            #""replica":"\#(run)","dependent":\#(connection),"positionEncoding":"\#(encoding)""#)
    }

    mutating func close(_ connection: Int) { history.add(.closed, connection) }
    mutating func add(_ what: History.What, _ connection: Int) { history.add(what, connection) }

    /// - Returns: the id of the request.
    @discardableResult
    mutating func send(_ connection: Int, _ method: String, _ params: String) -> Int {
        lastID += 1
        history.add(
            .sent(Array(#"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":{\#(params)}}"#.utf8)), connection)
        return lastID
    }

    mutating func answer(_ connection: Int, _ id: Int, _ result: String) {
        history.add(.received(Array(#"{"jsonrpc":"2.0","id":\#(id),"result":{\#(result)}}"#.utf8)), connection)
    }

    mutating func ask(_ connection: Int, _ method: String, _ params: String, _ result: String) {
        answer(connection, send(connection, method, params), result)
    }

    mutating func refuse(_ connection: Int, _ method: String, _ params: String, _ kind: String, path: String? = nil) {
        let id = send(connection, method, params)
        let path = path.map { #","path":"\#($0)""# } ?? ""
        history.add(
            .received(
                Array(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":1,"message":"","data":{"kind":"\#(kind)"\#(path)}}}"#.utf8)),
            connection)
    }

    mutating func notify(_ connection: Int, _ method: String, _ params: String) {
        history.add(.received(Array(#"{"jsonrpc":"2.0","method":"\#(method)","params":{\#(params)}}"#.utf8)), connection)
    }

    // MARK: Frequent requests

    mutating func create(_ connection: Int, of note: String = note, _ text: String, _ dot: String) {
        ask(connection, "note.create", #""text":\#(quoted(text)),"id":"\#(note)""#, #""note":\#(Self.object(note, dot, text))"#)
    }

    mutating func save(
        _ connection: Int, of note: String = note, on base: String, _ text: String, _ dot: String, _ more: String = ""
    ) {
        ask(
            connection, "note.save", #""id":"\#(note)","base":"\#(base)","text":\#(quoted(text))\#(more)"#,
            #""outcome":"saved","dot":"\#(dot)","version":"\#(dot)""#)
    }

    /// - Parameter text: what the edit inserts at a byte offset.
    mutating func edit(_ connection: Int, on base: String, at offset: Int, _ text: String, _ dot: String) {
        ask(
            connection, "note.edit",
            #""id":"\#(Self.note)","base":"\#(base)","edits":[{"start":\#(offset),"end":\#(offset),"text":\#(quoted(text))}]"#,
            #""outcome":"saved","dot":"\#(dot)","version":"\#(dot)""#)
    }

    mutating func delete(_ connection: Int, of note: String = note, on base: String, _ dot: String) {
        ask(
            connection, "note.delete", #""id":"\#(note)","base":"\#(base)""#,
            #""outcome":"saved","dot":"\#(dot)","version":"\#(dot)""#)
    }

    /// - Parameter edits: what the undo changes in the text of its base; nil if the response does not
    ///   say.
    mutating func undo(_ connection: Int, on base: String, _ dots: [String], _ dot: String, edits: String? = nil) {
        let list = dots.map { "\"\($0)\"" }.joined(separator: ",")
        let note = edits.map { #","note":{"version":"\#(dot)","edits":[\#($0)],"conflicts":[]}"# } ?? ""
        ask(
            connection, "note.undo", #""id":"\#(Self.note)","base":"\#(base)","revisions":[\#(list)]"#,
            #""outcome":"saved","dot":"\#(dot)","version":"\#(dot)"\#(note)"#)
    }

    mutating func get(
        _ connection: Int, of note: String = note, _ version: String, _ text: String, at: String? = nil, isDeleted: Bool = false
    ) {
        let at = at.map { #","at":"\#($0)""# } ?? ""
        let object = Self.object(note, version, text, withText: true, isDeleted: isDeleted)
        ask(connection, "note.get", #""id":"\#(note)"\#(at)"#, #""note":\#(object)"#)
    }

    /// - Parameters:
    ///   - deletions: the revisions that delete the note.
    ///   - withdrawn: what each undo withdraws.
    ///   - next: the place at which the page continues; `before`, the place that the request named.
    mutating func history(
        _ connection: Int, of note: String = note, _ revisions: [(String, [String])], deletions: [String] = [],
        withdrawn: [String: [String]] = [:], before: String? = nil, next: String? = nil
    ) {
        let list = revisions.map { dot, parents in
            let parents = parents.map { "\"\($0)\"" }.joined(separator: ",")
            let undone = withdrawn[dot].map { #","withdraws":["# + $0.map { "\"\($0)\"" }.joined(separator: ",") + "]" } ?? ""
            return #"{"dot":"\#(dot)","parents":[\#(parents)],"deleted":\#(deletions.contains(dot))\#(undone)}"#
        }
        ask(
            connection, "note.history", #""id":"\#(note)""# + (before.map { #","before":"\#($0)""# } ?? ""),
            #""revisions":[\#(list.joined(separator: ","))],"next":\#(next.map { "\"\($0)\"" } ?? "null")"#)
    }

    mutating func watch(_ connection: Int, _ params: String = #""snapshot":false"#, cursor: String, reset: Bool = false) {
        ask(connection, "notes.watch", params, #""watch":1,"cursor":"\#(cursor)","reset":\#(reset)"#)
    }

    mutating func synced(_ connection: Int, _ seq: Int, _ cursor: String) {
        notify(connection, "watch.synced", #""watch":1,"seq":\#(seq),"cursor":"\#(cursor)""#)
    }

    mutating func changed(
        _ connection: Int, _ seq: Int, _ cursor: String, of note: String = note, _ version: String, _ text: String,
        _ change: String = "edited", origin: (dependent: Int, label: String?)? = nil
    ) {
        let origin = origin.map { #","origin":{"dependent":\#($0.dependent),"label":\#($0.label.map(quoted) ?? "null")}"# } ?? ""
        notify(
            connection, "note.changed",
            #""watch":1,"seq":\#(seq),"cursor":"\#(cursor)","change":"\#(change)","note":\#(Self.object(note, version, text))\#(origin)"#
        )
    }

    /// Publishes that a connection has a note open; nil for none.
    mutating func present(_ connection: Int, in note: String?, _ version: String = "a:1", _ selection: Range<Int>? = nil) {
        let place = note.map { #""\#($0)","version":"\#(version)","selection":\#(Self.object(selection))"# } ?? "null"
        ask(connection, "presence.set", #""note":\#(place)"#, "")
    }

    /// Notifies a connection that a dependent has a note open; at no version if the dependent left it.
    mutating func presence(
        _ connection: Int, of dependent: Int, in note: String, _ version: String?, _ selection: Range<Int>? = nil
    ) {
        notify(
            connection, "presence.changed",
            #""note":"\#(note)","dependent":\#(dependent),"version":\#(version.map(quoted) ?? "null"),"selection":\#(Self.object(selection))"#
        )
    }

    private static func object(_ selection: Range<Int>?) -> String {
        selection.map { #"{"start":\#($0.lowerBound),"end":\#($0.upperBound)}"# } ?? "null"
    }

    /// - Parameter hits: the notes that the search finds.
    mutating func search(_ connection: Int, _ query: String, _ hits: [String], isTruncated: Bool = false) {
        let list = hits.map { #"{"note":{"id":"\#($0)"}}"# }.joined(separator: ",")
        ask(
            connection, "note.search", #""query":\#(quoted(query))"#,
            #""hits":[\#(list)],"next":null,"truncated":\#(isTruncated)"#)
    }

    static func object(
        _ note: String, _ version: String, _ text: String, withText: Bool = false, isDeleted: Bool = false
    ) -> String {
        #"{"id":"\#(note)","name":null,"version":"\#(version)","title":"","tags":[],"conflicts":[],"bytes":\#(text.utf8.count)"#
            + #","deleted":\#(isDeleted)\#(withText ? ",\"text\":\(quoted(text))" : "")}"#
    }

    // MARK: The verdict

    /// The violated guarantees.
    var broken: [Guarantee] { Checker.verdicts(of: history).filter { $0.result == .broken }.map(\.guarantee) }

    var words: String {
        Checker.verdicts(of: history).flatMap(\.faults).map { "\($0.guarantee.rawValue): \($0.words)" }.joined(separator: "\n")
    }
}
