import Glibc

/// A writer and a listener. Each write gets a response for the writer and a notification for the
/// listener, one write at a time.
protocol Exchange: AnyObject {
    var writer: Descriptor { get }
    var listener: Descriptor { get }

    /// Prepares the next write. The last one was answered and notified.
    func prepare() throws(Failure)
    /// Sends the prepared write.
    func send() throws(Failure)
    /// Reads what the writer received. Returns whether the response was among it.
    func takeAnswer() throws(Failure) -> Bool
    /// Reads what the listener received. Returns whether the notification was among it.
    func takeNotification() throws(Failure) -> Bool
}

/// Times of the responses and notifications of an exchange, in seconds, and the cores that a
/// process kept busy. The benchmark times both sides of a comparison with it.
struct ExchangeTimes {
    private let pid: pid_t
    private(set) var answers = Samples()
    private(set) var notifications = Samples()
    private(set) var cores: Cores?

    /// - Parameter pid: The server's process.
    init(of pid: pid_t) {
        self.pid = pid
    }

    /// Writes for `time` seconds; each write follows the last one's response and notification.
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
                guard !ready.isEmpty else { throw Failure("nothing arrived for ten seconds") }
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
