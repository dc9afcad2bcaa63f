import Causality
import NotesModel
import StrictJSON

// MARK: Reading

extension ListHeld {
    init(_ params: inout ParamReader) throws(ParamFault) {
        self.init(
            dot: try params.optional("dot", Param.dot), limit: try params.listLimit(),
            after: try params.optional("after", Param.heldPlace))
    }
}

extension Param {
    static func heldPlace(_ value: JSONValue) throws(ParamFault) -> HeldPlace {
        try parsed(value, "a position in this list; send next of a revisions.held response") { HeldToken.place(parsing: $0) }
    }

    /// The dots of a request to drop revisions.
    static func droppedDots(_ value: JSONValue) throws(ParamFault) -> [Dot] {
        let dots = try array(dot)(value)
        guard (1...WireProtocol.droppedMax).contains(dots.count) else {
            throw ParamFault(path: "", reason: "has \(dots.count) elements; send between 1 and \(WireProtocol.droppedMax)")
        }
        return dots
    }

    /// The dots whose digests are asked for.
    static func digestedDots(_ value: JSONValue) throws(ParamFault) -> DotSet {
        let dots = try dots(value)
        guard dots.count <= RevisionDigest.countMax else {
            throw ParamFault(path: "", reason: "has more than \(RevisionDigest.countMax) dots; ask for fewer")
        }
        return dots
    }
}

// MARK: Writing

extension ListHeld {
    func writeMembers(to params: inout JSONWriter) {
        if let dot { params.member("dot", dot) }
        if limit != PageSize.listed { params.member("limit", limit) }
        if let after { params.member("after", HeldToken.text(after)) }
    }
}
