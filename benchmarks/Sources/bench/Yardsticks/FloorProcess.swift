import Glibc

/// The floor program as a separate process with its own store.
final class FloorProcess {
    /// Its name in tables.
    static let name = "the floor program"

    let address: DaemonProcess.Address
    private let child: Child
    private let scratch: Scratch

    var pid: pid_t { child.pid }

    /// Starts the program, and returns when it accepts connections.
    init(in scratch: Scratch) throws(Failure) {
        self.scratch = scratch
        address = DaemonProcess.Address(socket: "\(scratch.path)/floor.sock")
        let log = "\(scratch.path)/floor.log"
        child = try Child(
            ["/proc/self/exe", FloorServer.word, address.socket, "\(scratch.path)/floor.sqlite3"], output: log, abort: SIGKILL)
        let limit = seconds() + 20
        while !(try Descriptor.stream().connects(to: address.socket)) {
            guard !child.hasEnded, seconds() < limit else {
                throw Failure("the floor program did not start:\n\(try ProcessFacts.text(log).suffix(2_000))")
            }
            pause(seconds: 0.002)
        }
    }
}
