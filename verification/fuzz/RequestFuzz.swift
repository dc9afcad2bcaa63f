/// Lines of clients, both arbitrary bytes and lines that look like requests: accepted or refused as
/// docs/protocol.md specifies. Writing an accepted request and reading it again gives the same
/// request.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    let mode = input.byte()
    let isRegistered = mode & 1 == 1
    let line = mode & 2 == 0 ? input.all() : FuzzRequest(&input).line
    let reader = RequestReader()
    let document = try? JSONDocument(parsing: line, depthMax: reader.depthMax)
    switch reader.read(line, isRegistered: isRegistered) {
    case .request(let id, let call):
        precondition(isRegistered ? call.method != .hello : call.method.has(.beforeHello), "hello is first, and only once")
        let again = reader.read(Array(call.line(id: id).dropLast()), isRegistered: isRegistered)
        precondition(again == .request(id: id, call), "writing and reading give the same request")
        precondition(document?.hasNull == false, "U+0000 is accepted nowhere")
    case .unanswered(let call):
        precondition(call.method.has(.unanswered) && document?.root["id"] == nil, "only some methods need no response")
        let again = reader.read(Array(call.line(id: nil).dropLast()), isRegistered: isRegistered)
        precondition(again == .unanswered(call), "writing and reading give the same request")
    case .refused(let id, let error):
        precondition(document != nil || id == nil && error.kind == .parseError, "a line that is not JSON has no id")
        check(error, document?.root)
    case .dropped(let error):
        check(error, document?.root)
    }
    return 0
}

private func check(_ error: WireError, _ root: JSONValue?) {
    precondition((root == nil) == (error.kind == .parseError), "a parse error means invalid JSON")
    let told = try? JSONDocument(parsing: Array(error.line(id: nil).dropLast()), depthMax: 4)
    precondition(told?.root["error"]?["data"]?["kind"]?.string == ByteString(error.kind.rawValue), "an error is written as JSON")
    guard let root else { return }
    if error.kind == .invalidParams {
        guard let path = error.path else { preconditionFailure("data.path names the place") }
        // Omitted params are an empty object.
        let isLeftOut = root["params"] == nil && missing.contains { path == "params.\($0)" }
        precondition(isLeftOut || names(path, root), "the path exists, or is the missing member")
        for case .offset(let offset) in error.details {
            let isParsed = ["params.query", "params.known", "params.refuses", "params.digests"].contains(path) || path.hasSuffix("].below")
            let text = found(path, in: root)?.string
            precondition(
                isParsed && text.map { offset <= $0.utf8.count } == true, "an offset is in a query or in a set of dots")
        }
    }
}

/// Whether the request has a value at the path, or an object without that member.
private func names(_ path: String, _ root: JSONValue) -> Bool {
    if found(path, in: root) != nil { return true }
    return missing.contains { name in
        guard path == name || path.hasSuffix(".\(name)") else { return false }
        return found(String(path.dropLast(name.utf8.count + 1)), in: root)?.kind == .object
    }
}

/// The value at a path; nil if there is none.
private func found(_ path: String, in value: JSONValue, at outer: String = "") -> JSONValue? {
    if path == outer { return value }
    for (index, element) in value.elements.enumerated() {
        if let result = found(path, in: element, at: "\(outer)[\(index)]") { return result }
    }
    for member in value.members {
        if let result = found(path, in: member.value, at: joined(outer, ParamFault.quoted(member.name))) { return result }
    }
    return nil
}

private func joined(_ outer: String, _ name: String) -> String {
    outer.isEmpty ? name : name.isEmpty ? outer : "\(outer).\(name)"
}

private let missing = [
    "params", "protocol", "client", "name", "text", "query", "id", "edits", "start", "end", "watch", "note", "version",
    "modified", "peer", "store", "replica", "known", "seq", "revisions", "head", "revision", "below", "deleted", "last_line",
    "created", "targets", "kind", "target",
]
