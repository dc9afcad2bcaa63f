import ArgumentParser
import Console
import Dispatch
import Glibc
import NoteTasks
import NotesModel
import NotesPage
import PageDevices

/// `notesd-web`: serves the page. `notesctl web` starts it, and manages the devices.
@main
struct NotesdWeb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notesd-web",
        abstract: "Serve the notes to browsers; started by `notesctl web`.",
        version: Program.version)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var listening: PageOptions

    @Flag(help: .hidden) var markdown = false

    func run() async throws {
        if markdown { MarkdownProcess.run() }
        do {
            try await serve()
        } catch let failure as ExitFailure {
            Output.note(failure.message)
            Glibc.exit(failure.code.rawValue)
        }
    }

    private func serve() async throws {
        signal(SIGPIPE, SIG_IGN)
        let devices = try DeviceFile()
        let server = try await listen(devices)
        if let address = server.address { try announce(address, devices) }
        let serving = Task { await server.run() }
        let signals = [SIGTERM, SIGINT, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { serving.cancel() }
            source.resume()
            return source
        }
        await serving.value
        for signal in signals { signal.cancel() }
    }

    /// Listens where the options say; else on this machine, on the port of last time if it is free, so that
    /// browsers stay signed in.
    private func listen(_ devices: DeviceFile) async throws -> PageServer {
        switch try listening.place() {
        case .socket(let path): return try await server(.socket(path: path), devices)
        case .port(let host, let port):
            if !["127.0.0.1", "::1", "localhost"].contains(host) && !listening.behindProxy {
                Output.note(
                    "without TLS, others on the network can read the notes; put a proxy in front, and give --behind-proxy")
            }
            return try await server(.port(host: host, port), devices)
        case nil:
            let last = try devices.read().address.flatMap { $0.split(separator: ":").last.flatMap { Int($0) } }
            if let last, let server = try? await server(.port(host: Self.own, last), devices) { return server }
            return try await server(.port(host: Self.own, 0), devices)
        }
    }

    private static let own = "127.0.0.1"

    private func server(_ place: PageConfiguration.Place, _ devices: DeviceFile) async throws -> PageServer {
        let configuration = PageConfiguration(
            place, hosts: listening.host, isBehindProxy: listening.behindProxy, devices: devices
        ) { [options] in try options.clientOptions() }
        return try await PageServer(configuration)
    }

    /// Keeps the address for `notesctl web link`, and prints it. A person who starts the page gets a link with
    /// which a browser signs in; a log gets no key.
    private func announce(_ address: String, _ devices: DeviceFile) throws {
        let key = Secret.random()
        let now = Int64(time(nil))
        let hasLink = try devices.update { book in
            book.address = address
            return Terminal.isOutput && book.add(link: key, name: nil, DeviceRights(), at: now)
        }
        guard hasLink == true else { return try Output.line("The page is at \(address)/.") }
        try Output.lines([
            "Open this in a browser; it works once, for 10 minutes:", "", "    \(address)/#key=\(Secret.hexadecimal(key))", "",
            "`notesctl web link` makes one for another device.",
        ])
    }
}
