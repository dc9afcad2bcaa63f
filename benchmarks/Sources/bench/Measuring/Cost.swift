/// The cost of one request: seconds until its response, and seconds of a core in the daemon.
struct Cost {
    let seconds: Double
    let coreSeconds: Double

    static func of(
        _ request: Request, on client: Client, of daemon: DaemonProcess
    ) throws(Failure) -> (cost: Cost, answer: Response) {
        let cores = try ProcessFacts.coreSeconds(of: daemon.pid)
        let start = bench.seconds()
        let answer = try client.call(request)
        let time = bench.seconds() - start
        return (Cost(seconds: time, coreSeconds: try ProcessFacts.coreSeconds(of: daemon.pid) - cores), answer)
    }
}
