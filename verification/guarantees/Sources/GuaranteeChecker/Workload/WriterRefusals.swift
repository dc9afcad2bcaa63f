/// Requests that must be refused. Each has a unique token, which must never appear anywhere.
extension Writer {
    func refused(_ note: String, on base: Shown) {
        let text = quoted(newLine())
        let op = load.newOp()
        let named = ",\"op\":\"\(op)\""
        let on = "\"id\":\"\(note)\",\"base\":\"\(base.version)\""
        switch dice.below(13) {
        case 0: call("note.save", "\"id\":\"\(note)\",\"text\":\(text)\(named)")
        case 1: call("note.save", "\"id\":\"\(note)\",\"base\":\"ffffffffffffffff:1\",\"text\":\(text)\(named)")
        case 2:
            let end = Splicing.count(base.text, encoding) + 9
            call(
                "note.edit",
                "\(on),\"edits\":[{\"start\":0,\"end\":0,\"text\":\(text)},{\"start\":\(end),\"end\":\(end),\"text\":\"\"}]\(named)"
            )
        case 3: call("note.save", "\(on),\"text\":\(text),\"name\":\(quoted(newName() + "//"))\(named)")
        case 4: call("note.save", "\(on),\"txet\":\(text)\(named)")
        case 5: call("note.save", "\(on),\"text\":\(text.dropLast())\\u0000\"\(named)")
        case 6: call("note.create", "\"text\":\(text),\"id\":\"\(note)\",\"name\":\(quoted(newName()))\(named)")
        case 7: call("note.create", "\"text\":\(text),\"name\":\"\(load.prefix)../\(number)\"\(named)")
        case 8:
            let unknown = NotePool.uuid(&dice)
            call("note.save", "\"id\":\"\(unknown)\",\"base\":\"\",\"text\":\(text)\(named)")
            call("note.get", "\"id\":\"\(unknown)\"")
        case 9:
            return send(
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"note.save\",\"params\":{\(on),\"text\":\(text),\"text\":\(text)}}")
        case 10: return send("{\"jsonrpc\":\"2.0\",\"method\":\"note.save\",\"params\":{\(on),\"text\":\(text)}}")
        case 11:
            guard let used = load.answeredOps.last?.op else { return call("note.print", on) }
            return call("note.save", "\(on),\"text\":\(text),\"op\":\"\(used)\"")
        default:
            let unknown = NotePool.uuid(&dice)
            call("note.create", "\"text\":\(text),\"id\":\"\(unknown)\",\"name\":\"//\"\(named)")
            call("note.get", "\"id\":\"\(unknown)\"")
        }
        // A refused request leaves no op, so the op can be used now.
        guard dice.chance(0.5) else { return }
        let good = rewritten(base.text)
        let params = "\(on),\"text\":\(quoted(good))\(named)"
        call("note.save", params, op: true) { [unowned self] answer in
            guard case .result(let result) = answer else { return }
            load.wrote()
            load.answered("note.save", params, op)
            if let dot = result["dot"]?.word { remember(note, dot, good) }
        }
    }
}
