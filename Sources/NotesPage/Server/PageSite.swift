import Console
import EditorHost
import Glibc
import NIOCore
import NIOHTTP1
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import PageDevices
import StrictJSON
import Synchronization

/// The devices and the attached pages, which all connections share.
final class PageSite: Sendable {
    let hosts: PageHosts
    private let configuration: PageConfiguration
    private let state: Mutex<State>
    private let living = LivingHosts()
    private let files: PageFiles

    /// Most pages that are attached, of all devices and of one.
    static let (attachedMax, deviceAttachedMax) = (64, 8)
    /// Largest body of a request, in bytes, except for a text to read.
    static let bodyBytesMax = 512
    /// Most texts that are read at once, of all devices; a device has one.
    static let readingMax = 2

    private struct State {
        var book: DeviceBook
        var stamp: DeviceFile.Stamp?
        var limits = SignInLimits()
        var attached: [ObjectIdentifier: Attached] = [:]
        /// The names of the devices whose texts are being read.
        var reading: Set<String> = []
    }

    /// An attached page.
    private struct Attached {
        let device: Device
        let channel: any Channel
    }

    init(_ hosts: PageHosts, _ configuration: PageConfiguration) throws(ExitFailure) {
        (self.hosts, self.configuration) = (hosts, configuration)
        let stamp = configuration.devices.stamp
        state = Mutex(State(book: try configuration.devices.read(), stamp: stamp))
        files = PageFiles {
            var options = try configuration.daemon()
            options.limits = SessionLimits(access: .read)
            options.label = "web/files"
            (options.reconnecting, options.resending) = (Backoff(), .whatMayBeRepeated)
            return options
        }
    }

    static var now: Int64 { Int64(time(nil)) }

    // MARK: Requests

    func verdict(on request: PageRequest) -> RequestGuard.Verdict { RequestGuard(hosts: hosts).verdict(on: request) }

    /// The device that a request attaches; nil if it may not.
    func device(attaching request: PageRequest) -> Device? {
        guard case .attach(let cookie) = verdict(on: request) else { return nil }
        let now = Self.now
        return state.withLock { state in
            guard state.attached.count < Self.attachedMax, let device = state.book.device(cookie: cookie, at: now),
                state.attached.values.count(where: { $0.device.name == device.name }) < Self.deviceAttachedMax
            else { return nil }
            return device
        }
    }

    /// The largest body that a request may have, in bytes.
    func bodyMax(of request: PageRequest) -> Int {
        guard case .read(let cookie) = verdict(on: request), device(of: cookie) != nil else { return Self.bodyBytesMax }
        return MarkdownProcess.textBytesMax
    }

    /// The response to a request that does not attach. It may take time: a sign-in is written to the file.
    ///
    /// - Parameter body: nil if it was longer than it may be.
    func response(to request: PageRequest, body: [UInt8]?) async -> PageResponse {
        switch verdict(on: request) {
        case .signIn, .signOut, .read: if body == nil { return PageResponse(.tooLong) }
        default: break
        }
        let body = body ?? []
        return switch verdict(on: request) {
        case .file(let file): PageResponse(file, known: request.headers["If-None-Match"])
        case .signIn: signIn(body, from: request.address)
        case .signOut(let cookie): signOut(cookie)
        case .read(let cookie): await read(body, cookie)
        case .session(let cookie):
            device(of: cookie).map { PageResponse($0, [setting(cookie)]) } ?? PageResponse(.notSignedIn)
        case .attach(let cookie):
            PageResponse(
                device(of: cookie) == nil ? .notSignedIn : request.headers["Upgrade"].isEmpty ? .noUpgrade : .tooManyPages)
        case .pictures(let cookie): await pictures(cookie)
        case .get(let cookie, let note, let hash): await file(hash, of: note, for: request, cookie)
        case .refused(let refusal): PageResponse(refusal)
        }
    }

    /// The head of a response with a file.
    private func file(_ hash: FileHash, of note: NoteID, for request: PageRequest, _ cookie: [UInt8]) async -> PageResponse {
        guard let device = device(of: cookie) else { return PageResponse(.notSignedIn) }
        let rights = device.rights
        guard !rights.isGuest || rights.isGuestWithPictures else { return PageResponse(.notForGuests) }
        do {
            let file =
                !rights.isGuest
                ? try await files.file(hash, of: note)
                : rights.note == note ? try await files.picture(hash, of: note, for: device.name) : nil
            return file.map { PageResponse($0, for: request) } ?? PageResponse(.noFile)
        } catch {
            return PageResponse(.noDaemon)
        }
    }

    /// The pictures that a guest sees.
    private func pictures(_ cookie: [UInt8]) async -> PageResponse {
        guard let device = device(of: cookie) else { return PageResponse(.notSignedIn) }
        guard device.rights.isGuestWithPictures, let note = device.rights.note else { return PageResponse(.notForGuests) }
        do {
            return PageResponse(json: EmbeddedPicture.json(try await files.pictures(of: note, for: device.name)))
        } catch {
            return PageResponse(.noDaemon)
        }
    }

    /// Passes on the bytes of a response with a file.
    ///
    /// - Throws: if they cannot be read, or the browser is gone or was signed out.
    func pass(
        _ part: FilePart, for request: PageRequest, to write: @Sendable @escaping ([UInt8]) async throws -> Void
    ) async throws {
        guard case .get(let cookie, _, _) = verdict(on: request), let device = device(of: cookie) else {
            throw CancellationError()
        }
        try await files.pass(part, to: device.name) { [self] bytes in
            guard self.device(of: cookie) != nil else { throw CancellationError() }
            try await write(bytes)
        }
    }

    private func device(of cookie: [UInt8]) -> Device? { state.withLock { $0.book.device(cookie: cookie, at: Self.now) } }

    /// Parses the Markdown of a page.
    private func read(_ text: [UInt8], _ cookie: [UInt8]) async -> PageResponse {
        guard let device = device(of: cookie) else { return PageResponse(.notSignedIn) }
        guard UTF8Sequence.firstFault(in: text) == nil else { return PageResponse(.badRequest) }
        let isFree = state.withLock { $0.reading.count < Self.readingMax && $0.reading.insert(device.name).inserted }
        guard isFree else { return PageResponse(.isReading) }
        let tree = await MarkdownProcess.tree(of: text)
        _ = state.withLock { $0.reading.remove(device.name) }
        return tree.map { PageResponse(json: $0) } ?? PageResponse(.tooHard)
    }

    private func signIn(_ body: [UInt8], from address: String) -> PageResponse {
        let now = Self.now
        guard state.withLock({ $0.limits.take(from: address, at: now) }) else { return PageResponse(.tooManyAttempts) }
        guard let root = try? JSONDocument(parsing: body, depthMax: 2).root, let text = root["key"]?.text else {
            return PageResponse(.badRequest)
        }
        let cookie = Secret.random()
        let name = root["device"]?.text
        do {
            guard let key = Secret.bytes(hexadecimal: text),
                try configuration.devices.update({
                    $0.signIn(key: key, name: name, cookie: cookie, address: address, at: now)
                }) != nil
            else { return PageResponse(.wrongKey) }
            try reload()
        } catch {
            Output.note(error.message)
            return PageResponse(.cannotWrite)
        }
        return PageResponse(.noContent, "", [setting(cookie)])
    }

    /// The header that gives a browser its cookie for as long as the device may be unused.
    private func setting(_ cookie: [UInt8]) -> (String, String) {
        let attributes = "; HttpOnly; SameSite=Strict; Path=/; Max-Age=\(Device.idleMax)\(hosts.isBehindProxy ? "; Secure" : "")"
        return ("Set-Cookie", "\(hosts.cookieName)=\(Secret.hexadecimal(cookie))\(attributes)")
    }

    private func signOut(_ cookie: [UInt8]) -> PageResponse {
        let now = Self.now
        do {
            let device: Device? = try configuration.devices.update { book in
                guard let device = book.device(cookie: cookie, at: now) else { return nil }
                book.signOut(device)
                return device
            }
            guard device != nil else { return PageResponse(.notSignedIn) }
            try reload()
        } catch {
            Output.note(error.message)
            return PageResponse(.cannotWrite)
        }
        return PageResponse(
            .noContent, "", [("Set-Cookie", "\(hosts.cookieName)=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0")])
    }

    // MARK: Devices

    /// Reads the file of the devices again if it was replaced, and closes the pages of devices that are gone.
    func refresh() {
        let stamp = configuration.devices.stamp
        do throws(ExitFailure) {
            if stamp != state.withLock({ $0.stamp }) { try reload() }
        } catch {
            // The devices that were known stay: a damaged file must not sign everybody out in silence.
            state.withLock { $0.stamp = stamp }
            Output.note(error.message)
        }
        let now = Self.now
        let gone = state.withLock { state in
            let valid = Set(state.book.devices.filter { $0.isValid(at: now) }.map(\.cookie))
            return state.attached.values.filter { !valid.contains($0.device.cookie) }.map(\.channel)
        }
        for channel in gone { channel.pipeline.fireUserInboundEventTriggered(SocketEvent.revoked) }
    }

    private func reload() throws(ExitFailure) {
        let stamp = configuration.devices.stamp
        let book = try configuration.devices.read()
        state.withLock { ($0.book, $0.stamp) = (book, stamp) }
    }

    // MARK: Attached pages

    func attached(_ device: Device, _ channel: any Channel, from address: String) {
        state.withLock { $0.attached[ObjectIdentifier(channel)] = Attached(device: device, channel: channel) }
        let now = Self.now
        let isNew = state.withLock { $0.book.use(device, from: address, at: now) }
        guard isNew else { return }
        Task { [configuration] in
            _ = try? configuration.devices.update { book in book.use(device, from: address, at: now) ? true : nil }
        }
    }

    func detached(_ channel: any Channel) {
        _ = state.withLock { $0.attached.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    /// Closes all pages, and waits for what was typed to be saved.
    func endAll() async {
        for channel in state.withLock({ $0.attached.values.map(\.channel) }) {
            channel.pipeline.fireUserInboundEventTriggered(SocketEvent.ended)
        }
        let end = ContinuousClock.now + Self.endMax
        while ContinuousClock.now < end, state.withLock({ !$0.attached.isEmpty }) {
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    /// How long the end of all pages is waited for.
    private static let endMax = Duration.seconds(11)

    /// How a page's host connects to the daemon.
    func access(of device: Device) -> HostAccess {
        let rights = device.rights
        let limits = SessionLimits(
            access: rights.isReadOnly ? .read : nil, user: rights.isGuest ? ByteString(device.name) : nil, note: rights.note)
        return HostAccess(
            label: ByteString("\(rights.isGuest ? "guest" : "web")/\(device.name)"), takesUpDrafts: !rights.isGuest,
            others: living
        ) {
            [configuration] in
            var options = try configuration.daemon()
            if !limits.isNone { options.limits = limits }
            return options
        }
    }
}
