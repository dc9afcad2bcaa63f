/// A client of the workload: a connection, which it restores after a loss, and its pending calls.
class Client {
    enum Answer {
        case result(Value)
        case refused(kind: String)
        case lost
    }

    /// A call that is sent again if its connection ends before the response.
    struct Named {
        let method: String
        let params: String
        let then: (Answer) -> Void
    }

    unowned let load: Workload
    let number: Int
    let encoding: Splicing.Encoding
    var dice: SeededRandom
    private(set) var wire: Wire?
    private(set) var isGreeted = false
    private var waiting: [(then: (Answer) -> Void, named: Named?)] = []
    private(set) var unanswered: [Named] = []
    private var lastID = 0
    /// The number of the connection in the daemon; nil without one.
    private(set) var dependent: Int?
    /// The version in which each dependent has each note open, as far as the daemon has notified this
    /// client and the protocol does not make it forget.
    private(set) var present: [String: [Int: String]] = [:]

    init(_ load: Workload, number: Int, _ encoding: Splicing.Encoding = .utf8) {
        self.load = load
        self.number = number
        self.encoding = encoding
        dice = SeededRandom(seed: load.options.seed &* 1_000 &+ UInt64(number))
    }

    /// Whether every call has its response.
    var isIdle: Bool { isGreeted && waiting.isEmpty }

    // MARK: For subclasses

    /// Called when the connection is registered, for the first time or again.
    func began() {}
    /// Called when the connection has ended.
    func ended() {}
    /// Called with each notification.
    func receivedNotification(_ method: String, _ params: Value) {}
    /// Called when every call has its response, to start the next one.
    func step() {}
    /// Whether all watches have reported a note that they cover.
    func hasHeard(of note: String) -> Bool { true }
    /// Whether the client's watch does not report the presence of a writer.
    func isDeafTo(_ writer: Writer) -> Bool { false }
    /// Whether nothing is left to do at the end.
    var isSettled: Bool { isIdle && unanswered.isEmpty }

    // MARK: Calls

    func call(_ method: String, _ params: String, op: Bool = false, then: @escaping (Answer) -> Void = { _ in }) {
        guard wire != nil else { return then(.lost) }
        lastID += 1
        let line = "{\"jsonrpc\":\"2.0\",\"id\":\(lastID),\"method\":\"\(method)\",\"params\":{\(params)}}"
        send(line, op ? Named(method: method, params: params, then: then) : nil, then)
    }

    /// Sends a line unchanged, which gets one response.
    func send(_ line: String, _ named: Named? = nil, _ then: @escaping (Answer) -> Void = { _ in }) {
        guard let wire else { return then(.lost) }
        waiting.append((then, named))
        wire.send(Array(line.utf8))
        load.note(.sent(Array(line.utf8)), wire.number)
    }

    // MARK: The connection's life

    func connect() {
        guard wire == nil, let made = load.newWire() else { return }
        wire = made
        lastID = 0
        call(
            "session.hello",
            #""protocol":[1],"client":{"name":"notesctl-prove"},"label":"prove \#(number)","positionEncoding":["\#(encoding.rawValue)"]"#
        ) { [unowned self] answer in
            guard case .result(let result) = answer else { return }
            dependent = result["dependent"]?.number
            isGreeted = true
            began()
            let again = unanswered
            unanswered = []
            for named in again { call(named.method, named.params, op: true, then: named.then) }
        }
    }

    func take(_ lines: [[UInt8]]) {
        for line in lines {
            guard let wire else { return }
            load.note(.received(line), wire.number)
            guard let value = Value(parsing: line) else { continue }
            // Idle watches send bookmarks, so these do not count as progress.
            if value["method"]?.word != "watch.bookmark" { load.countReceived() }
            if let method = value["method"]?.word {
                let params = value["params"] ?? .null
                track(method, params)
                receivedNotification(method, params)
            } else if !waiting.isEmpty {
                let then = waiting.removeFirst().then
                if let result = value["result"] {
                    then(.result(result))
                } else {
                    then(.refused(kind: value["error"]?["data"]?["kind"]?.word ?? "?"))
                }
            }
        }
    }

    /// Updates `present` as the protocol's rules P8 to P15 say.
    private func track(_ method: String, _ params: Value) {
        let note = params["note"]?.word ?? params["note"]?["id"]?.word ?? ""
        switch method {
        case "presence.changed":
            if let dependent = params["dependent"]?.number { present[note, default: [:]][dependent] = params["version"]?.word }
        case "watch.reset": present = [:]
        case "note.changed" where ["left", "deleted"].contains(params["change"]?.word): present[note] = nil
        default: break
        }
    }

    /// Forgets the presence in a note that an own write moved out of the filter of a watch without
    /// echo (P15).
    func forgetPresence(in note: String) { present[note] = nil }

    func lose() {
        guard let lost = wire else { return }
        load.note(.closed, lost.number)
        wire = nil
        isGreeted = false
        (dependent, present) = (nil, [:])
        let left = waiting
        waiting = []
        for (then, named) in left {
            if let named { unanswered.append(named) } else { then(.lost) }
        }
        ended()
    }

    func stopReading() {
        guard let wire, wire.isReading else { return }
        wire.isReading = false
        load.note(.stopped, wire.number)
    }

    func readAgain() {
        guard let wire, !wire.isReading else { return }
        wire.isReading = true
        load.note(.resumed, wire.number)
    }
}
