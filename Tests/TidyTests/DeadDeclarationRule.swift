/// Finds declarations in the folders `Sources` that no code in these folders uses, so that nothing but a
/// test calls them.
///
/// Compares names only. A declaration is used if its name occurs anywhere outside its own
/// declaration, outside the body of a function of that name, and not only where a value is passed
/// or assigned to it: as an argument's label, or in `self.name = name` of an initialiser. A dead
/// declaration that shares its name with one in use is therefore not found, but no declaration in
/// use is reported, except those that other modules call; `exceptions` lists these.
enum DeadDeclarationRule {
    struct Exception {
        let names: Set<String>
        /// Why the names are needed.
        let reason: String
    }

    static let exceptions = [
        Exception(
            names: [
                "InboundIn", "OutboundOut", "channelActive", "channelInactive", "channelRead", "channelReadComplete",
                "errorCaught", "handlerAdded", "handlerRemoved", "userInboundEventTriggered",
            ], reason: "SwiftNIO calls them on a channel handler"),
        Exception(
            names: [
                "makeCounter", "makeFloatingPointCounter", "makeMeter", "makeRecorder", "makeTimer", "destroyCounter",
                "destroyFloatingPointCounter", "destroyMeter", "destroyRecorder", "destroyTimer",
            ], reason: "swift-metrics calls them on its factory"),
        Exception(
            names: ["unownedExecutor", "checkIsolated"], reason: "the language calls them"),
        Exception(names: ["validate"], reason: "ArgumentParser calls it on a command"),
        Exception(names: ["isOriginKnown"], reason: "the synthesized == of a key reads it"),
        Exception(names: ["checkInvariants"], reason: "the tests check the invariants of a type by it"),
    ]

    static func findings(in sources: [SwiftSource], exceptions: [Exception] = exceptions) -> [Finding] {
        let sources = sources.filter { !$0.isTest }
        var declared: [String: (source: SwiftSource, line: Int)] = [:]
        var used: Set<String> = []
        for source in sources {
            let declarations = declarations(in: source)
            for index in declarations where declared[source.tokens[index].text] == nil {
                declared[source.tokens[index].text] = (source, source.tokens[index].line)
            }
            let bodies = Dictionary(grouping: SizeRule.functions(in: source), by: \.name)
            for (name, places) in source.places where !used.contains(name) {
                let isUsed = places.contains { index in
                    !declarations.contains(index) && !isAssigned(index, in: source)
                        && !(bodies[name] ?? []).contains { $0.body.contains(index) }
                }
                if isUsed { used.insert(name) }
            }
        }
        let dead = declared.filter { !used.contains($0.key) }
        let excepted = exceptions.reduce(into: Set<String>()) { $0.formUnion($1.names) }
        var findings = dead.filter { !excepted.contains($0.key) }.map { name, place in
            Finding(path: place.source.path, line: place.line, message: "nothing in Sources uses \(name)")
        }
        findings += excepted.subtracting(dead.keys).map { name in
            Finding(path: "Tests/TidyTests/DeadDeclarationRule.swift", line: 0, message: "needs no exception for \(name)")
        }
        return findings.sorted { $0.description < $1.description }
    }

    private static let keywords: Set = [
        "func", "var", "let", "struct", "class", "enum", "actor", "protocol", "typealias", "associatedtype",
    ]

    /// The indices of all declared names, except operators and programs' entry points.
    static func declarations(in source: SwiftSource) -> Set<Int> {
        var indices = Set(source.places(of: "case").flatMap { cases(after: $0, in: source) })
        for index in keywords.flatMap(source.places) {
            guard let name = source.token(index + 1), name.kind == .word, !keywords.contains(name.text), name.text != "_",
                ![".", "case", "main"].contains(source.token(index - 1)?.text)
            else { continue }
            indices.insert(index + 1)
        }
        return indices
    }

    /// The indices of the names that a `case` of an enumeration declares; none for a pattern, which
    /// has a colon or belongs to a condition.
    private static func cases(after start: Int, in source: SwiftSource) -> [Int] {
        guard !["if", "guard", "while", "for", ","].contains(source.token(start - 1)?.text) else { return [] }
        var names: [Int] = []
        var depth = 0
        var isName = true
        for index in (start + 1)..<source.tokens.count {
            let token = source.tokens[index]
            if token.kind == .mark, "([".contains(token.text) { depth += 1 }
            if token.kind == .mark, ")]".contains(token.text) { depth -= 1 }
            if depth > 0 || token.text == ")" { continue }
            if token.text == ":" { return [] }
            if isName {
                guard token.kind == .word, !["let", "var", "is"].contains(token.text) else { return [] }
                names.append(index)
                isName = false
            } else if token.text == "," {
                isName = true
            } else if token.text != "=", source.tokens[index - 1].text != "=" {
                return names
            }
        }
        return names
    }

    /// Whether the word at an index only receives a value: a label or a parameter, or the property
    /// or the argument in `self.name = name`.
    private static func isAssigned(_ index: Int, in source: SwiftSource) -> Bool {
        let before = source.token(index - 1)?.text
        if let next = source.token(index + 1), next.text == ":", !next.isSpaced, before == "(" || before == "," { return true }
        if before == ".", source.token(index - 2)?.text == "self" {
            return source.token(index + 1)?.text == "=" && source.token(index + 2)?.text != "="
        }
        return before == "=" && source.token(index - 2)?.text == source.tokens[index].text
            && source.token(index - 3)?.text == "." && source.token(index - 4)?.text == "self"
    }
}
