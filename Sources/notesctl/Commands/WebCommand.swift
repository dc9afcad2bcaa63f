import ArgumentParser
import Console
import Glibc
import NoteTasks
import NotesModel
import NotesWire
import PageDevices
import StrictJSON

struct WebCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web",
        abstract: "Show the notes in a browser, on this machine or a phone.",
        discussion: """
            Examples:
              notesctl web
              notesctl web link --device phone
              notesctl web devices

            `notesctl web` without a subcommand serves the page; it needs the program notesd-web.
            """,
        subcommands: [WebServeCommand.self, WebLinkCommand.self, WebDevicesCommand.self, WebRevokeCommand.self],
        defaultSubcommand: WebServeCommand.self)
}

struct WebServeCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the page until it is interrupted.",
        discussion: """
            Examples:
              notesctl web serve
              notesctl web serve --listen 127.0.0.1:7683 --host notes.example --behind-proxy
              notesctl web serve --listen unix:/run/user/1000/notesd-web.sock --host notes.example --behind-proxy

            Prints a link with which one browser signs in. Others need a link of their own, from \
            `notesctl web link`.

            The page may do what you may do. It speaks no TLS, so for other machines put a proxy in front \
            of it, and name the page with --host as browsers name it; every other name is refused.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var listening: PageOptions

    func perform() async throws {
        _ = try listening.place()
        let words = (options.socket.map { ["--socket", $0] } ?? []) + listening.words
        for path in [beside, Self.program].compactMap({ $0 }) {
            var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + words).map { strdup($0) }
            arguments.append(nil)
            execvp(path, arguments)
            for argument in arguments { free(argument) }
        }
        throw ExitFailure(
            "cannot start \(Self.program): \(SystemError.text(errno)); it is a package of its own, and `make web` builds it",
            .noDaemon)
    }

    private static let program = "notesd-web"

    /// The program in the folder of this one.
    private var beside: String? {
        guard let own = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(own) }
        let path = String(cString: own)
        return path.lastIndex(of: "/").map { path[...$0] + Self.program }
    }
}

struct WebLinkCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Print a link with which one browser signs in.",
        discussion: """
            Examples:
              notesctl web link --device phone
              notesctl web link --read-only
              notesctl web link --note work/plan --device ada --until 7d --write
              notesctl web link --note work/plan --device bo --until 7d --pictures

            The link works once, for 10 minutes. Its browser stays signed in until it was not used for 90 \
            days, or `notesctl web revoke` ends that.

            With --note, the link is for a guest, who sees this note and no other. A guest reads; with \
            --write, also types. History shows a guest's writes under the name of --device. It also shows \
            the guest what was removed from the note before.

            A guest sees no files; with --pictures, the pictures that the note's text shows at the time. A \
            guest who types could name any picture there, so a note has either guests who type or guests who \
            see its pictures. What guests typed before stays in the text: read it before you use --pictures.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(name: .long, help: ArgumentHelp("A name for the browser, by which it is listed and revoked.", valueName: "name"))
    var device: String?

    @Flag(name: .long, help: "The browser only reads.")
    var readOnly = false

    @Option(name: .long, help: "Only this note, for a guest.")
    var note: String?

    @Flag(name: .long, help: "With --note: the guest may type.")
    var write = false

    @Flag(name: .long, help: "With --note, without --write: the guest sees the pictures in the note.")
    var pictures = false

    @Option(
        name: .long, help: ArgumentHelp("How long the browser stays signed in at most, such as 12h or 7d.", valueName: "duration")
    )
    var until: String?

    func validate() throws {
        if write, note == nil { throw ValidationError("--write belongs to --note; other links permit typing anyway.") }
        if write, readOnly { throw ValidationError("--write and --read-only exclude each other.") }
        if pictures, note == nil { throw ValidationError("--pictures belongs to --note; other links show all files anyway.") }
        if pictures, write {
            throw ValidationError(
                "--pictures and --write exclude each other: a guest who types could name any picture in the text, and so see it.")
        }
        if note != nil, until == nil { throw ValidationError("Give --until DURATION, such as 7d: a guest's link has an end.") }
        if note != nil, device == nil {
            throw ValidationError("Give --device NAME: history shows what the guest writes under it.")
        }
    }

    func perform() async throws {
        let now = Int64(time(nil))
        var rights = DeviceRights(isReadOnly: readOnly || note != nil && !write, hasPictures: pictures)
        if let until {
            guard let seconds = TimeReference.age(until), (1...Device.idleMax).contains(seconds) else {
                throw ExitFailure("--until \(SafeText.line(until)) is not a duration up to 90d, such as 12h or 7d", .usage)
            }
            rights.until = now + seconds
        }
        var name: String?
        if let device {
            name = DeviceBook.name(device)
            guard name == device else {
                throw ExitFailure(
                    "a device cannot be named \(SafeText.quoted(device)); use up to \(DeviceBook.nameBytesMax) bytes without /",
                    .usage)
            }
        }
        if let note {
            rights.note = try await options.withClient { try await NoteReference(note).note($0).head.id }
        }
        let key = Secret.random()
        let file = try DeviceFile()
        guard let address = try file.read().address else {
            throw ExitFailure("the page has not run yet; start it with `notesctl web`", .noDaemon)
        }
        var other: String?
        let isAdded = try file.update { book in
            other = book.guest(against: rights, at: now)
            return other == nil && book.add(link: key, name: name, rights, at: now) ? true : nil
        }
        if let other {
            throw ExitFailure(
                """
                \(SafeText.quoted(other)) \(pictures ? "types in" : "sees the pictures of") this note, and a guest who types could \
                bring any picture into it; `notesctl web revoke` that guest first
                """, .usage)
        }
        guard isAdded != nil else {
            throw ExitFailure("there are too many devices; `notesctl web devices` lists them, `notesctl web revoke` removes one")
        }
        try Output.line("\(address)/#key=\(Secret.hexadecimal(key))")
    }
}

struct WebDevicesCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Show the browsers that are signed in.",
        discussion: """
            Examples:
              notesctl web devices
              notesctl web devices --json=name,used

            Prints for each its name, what it may do, when and from where it was last used.
            """)

    @OptionGroup var options: GlobalOptions

    func perform() async throws {
        let devices = try DeviceFile().read().devices.sorted { $0.used > $1.used }
        if options.isForPrograms {
            for device in devices { try options.emit(device.record) }
            return
        }
        if devices.isEmpty, Terminal.isOutput {
            Output.note("no browser is signed in; `notesctl web link` prints a link for one")
        }
        let now = Clock.now()
        let width = devices.map { DisplayWidth.of($0.name) }.max() ?? 0
        try Output.lines(
            devices.map { device in
                let used = Timestamp(milliseconds: device.used * 1_000)
                let ago = RelativeTime.ago(used, now: now, local: Clock.local(used))
                let place = device.address.isEmpty ? "" : ", from \(device.address)"
                return
                    "\(DisplayWidth.fit(SafeText.line(device.name), columns: width))  \(device.rights.words), used \(ago)\(place)"
            })
    }
}

struct WebRevokeCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Sign a browser out, and close its pages.",
        discussion: """
            Examples:
              notesctl web revoke phone

            What the browser sent stays. It keeps what it had not sent, and may show it.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The name that `notesctl web devices` shows.")
    var name: String

    func perform() async throws {
        guard try DeviceFile().update({ $0.revoke(name) ? true : nil }) != nil else {
            throw ExitFailure("there is no device \(SafeText.quoted(name)); `notesctl web devices` lists them", .usage)
        }
    }
}

extension DeviceRights {
    /// The rights as words for people.
    fileprivate var words: String {
        let what = isReadOnly ? "reads" : "reads and writes"
        let place = note.map { "note \($0)" } ?? "all notes"
        return "\(what) \(place)\(isGuestWithPictures ? " with its pictures" : "")"
    }
}

extension Device {
    /// The record for `--json`.
    fileprivate var record: [UInt8] {
        var writer = JSONWriter()
        func time(_ seconds: Int64) -> String { "\(Timestamp(milliseconds: seconds * 1_000))" }
        writer.object { device in
            device.member("name", name)
            device.member("readOnly", rights.isReadOnly)
            device.name("note")
            if let note = rights.note { device.string("\(note)") } else { device.null() }
            device.name("until")
            if let until = rights.until { device.string(time(until)) } else { device.null() }
            device.member("pictures", rights.isGuestWithPictures)
            device.member("signedIn", time(signedIn))
            device.member("used", time(used))
            device.member("from", address)
        }
        return writer.bytes
    }
}
