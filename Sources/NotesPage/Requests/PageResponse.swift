import NIOHTTP1
import NoteText
import PageDevices
import StrictJSON

/// A response with its headers.
struct PageResponse: Equatable {
    let status: HTTPResponseStatus
    private(set) var headers: HTTPHeaders
    let body: [UInt8]
    /// Bytes of a file in place of `body`, which are read while they are sent.
    private(set) var part: FilePart?

    init(_ status: HTTPResponseStatus, _ text: String, _ further: [(String, String)] = []) {
        self.init(
            status, Array(text.utf8), further + [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")])
    }

    init(_ refusal: RequestGuard.Refusal) { self.init(refusal.status, refusal.text + "\n") }

    /// A file of the page, or that it is the one that the browser has.
    ///
    /// - Parameter known: the values of `If-None-Match`.
    init(_ file: PageFile, known: [String]) {
        let isKnown = known.contains(file.tag)
        self.init(
            isKnown ? .notModified : .ok, isKnown ? [] : file.bytes,
            [("Content-Type", file.type), ("Cache-Control", "no-cache"), ("ETag", file.tag)])
    }

    /// The rights of a device.
    init(_ device: Device, _ further: [(String, String)]) {
        var writer = JSONWriter()
        writer.object { session in
            session.member("device", device.name)
            session.member("readOnly", device.rights.isReadOnly)
            session.name("note")
            if let note = device.rights.note { session.string("\(note)") } else { session.null() }
            session.member("pictures", device.rights.isGuestWithPictures)
            session.name("until")
            if let until = device.rights.until { session.integer(until) } else { session.null() }
        }
        self.init(.ok, writer.bytes, further + [("Content-Type", "application/json"), ("Cache-Control", "no-store")])
    }

    init(json: [UInt8]) {
        self.init(.ok, json, [("Content-Type", "application/json"), ("Cache-Control", "no-store")])
    }

    /// A file of the notes, or the part of it that the request asks for.
    init(_ file: ShownFile, for request: PageRequest) {
        let size = file.content.bytes
        if request.headers["If-None-Match"].contains(file.tag) {
            self.init(.notModified, [], file.headers, policy: PageHeaders.filePolicy)
            return
        }
        switch ByteRange(of: request, size: size, tag: file.tag) {
        case .outside:
            self.init(
                .rangeNotSatisfiable, [], [("Content-Range", "bytes */\(size)"), ("Cache-Control", "no-store")],
                policy: PageHeaders.filePolicy)
        case .all: self.init(.ok, file, 0..<size)
        case .part(let range):
            let place = ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
            self.init(.partialContent, file, range, [place])
        }
    }

    private init(
        _ status: HTTPResponseStatus, _ file: ShownFile, _ range: Range<Int>, _ further: [(String, String)] = []
    ) {
        self.init(status, [], file.headers + further, policy: PageHeaders.filePolicy)
        headers.replaceOrAdd(name: "Content-Length", value: String(range.count))
        if !range.isEmpty { part = FilePart(hash: file.content.hash, range: range) }
    }

    private init(
        _ status: HTTPResponseStatus, _ body: [UInt8], _ headers: [(String, String)], policy: String = PageHeaders.policy
    ) {
        (self.status, self.body) = (status, body)
        var all = HTTPHeaders(PageHeaders.all(policy: policy) + headers)
        if status != .notModified && status != .noContent { all.add(name: "Content-Length", value: String(body.count)) }
        self.headers = all
    }
}
