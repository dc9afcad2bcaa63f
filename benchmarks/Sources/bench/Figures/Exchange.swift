import Glibc

/// One who writes and one who listens. Each write is answered to the one and told to the other, one at a time.
protocol Exchange: AnyObject {
    var writer: Descriptor { get }
    var listener: Descriptor { get }

    /// Makes the next write ready. The last was answered and told.
    func prepare() throws(Failure)
    /// Sends it.
    func send() throws(Failure)
    /// Takes what came to the writer. Returns whether the answer is among it.
    func takeAnswer() throws(Failure) -> Bool
    /// Takes what came to the listener. Returns whether it was told.
    func takeNotification() throws(Failure) -> Bool
}

/// How long the answers and the notices of an exchange take, in seconds, and the cores that a process keeps busy for them. Both
/// sides of a comparison are timed by this.
struct ExchangeTimes {
    private let pid: pid_t
    private(set) var answers = Samples()
    private(set) var notifications = Samples()
    private(set) var cores: Cores?

    /// - Parameter pid: who answers.
    init(of pid: pid_t) {
        self.pid = pid
    }

    /// Writes, one behind the other; the next when the last was answered and told.
    mutating func add(_ exchange: any Exchange, for time: Double) throws(Failure) {
        let poller = try Poller()
        try poller.add(exchange.writer, as: 0)
        try poller.add(exchange.listener, as: 1)
        let meter = try CoreMeter(of: pid)
        let end = seconds() + time
        repeat {
            try exchange.prepare()
            let start = seconds()
            try exchange.send()
            var (answer, notice): (Double?, Double?) = (nil, nil)
            while answer == nil || notice == nil {
                let ready = try poller.wait(milliseconds: 10_000)
                guard !ready.isEmpty else { throw Failure("nothing came for ten seconds") }
                for token in ready {
                    if token == 0 {
                        if try exchange.takeAnswer() { answer = seconds() - start }
                    } else if try exchange.takeNotification() {
                        notice = seconds() - start
                    }
                }
            }
            answers.add(answer ?? .nan)
            notifications.add(notice ?? .nan)
        } while seconds() < end
        let busy = try meter.read()
        cores = cores.map { $0 + busy } ?? busy
    }
}
