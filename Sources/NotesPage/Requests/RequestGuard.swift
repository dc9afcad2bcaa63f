import NIOHTTP1
import NoteText
import NotesModel
import PageDevices

/// Decides what a request gets, from its head alone.
struct RequestGuard {
    let hosts: PageHosts

    enum Verdict: Hashable {
        /// One of the page's files.
        case file(PageFile)
        /// To sign in with the key in the body.
        case signIn
        case signOut([UInt8])
        /// To get the Markdown in the body as a tree, with this cookie.
        case read([UInt8])
        /// To read the rights of the device that has this cookie.
        case session([UInt8])
        /// To list the pictures that a guest sees, with this cookie.
        case pictures([UInt8])
        /// To get a content of a note that is a file, with this cookie.
        case get([UInt8], NoteID, FileHash)
        /// To attach to the daemon, with this cookie.
        case attach([UInt8])
        case refused(Refusal)
    }

    /// A refusal. Its text is fixed: no part of a request is in a response.
    enum Refusal: Hashable {
        case unknownHost, otherSite, notSignedIn, notFound, wrongMethod, tooManyAttempts, tooManyPages, wrongKey, badRequest,
            noUpgrade, cannotWrite, tooLong, tooHard, isReading, noFile, notForGuests, noDaemon

        var status: HTTPResponseStatus {
            switch self {
            case .unknownHost: .misdirectedRequest
            case .otherSite, .notForGuests: .forbidden
            case .notSignedIn, .wrongKey: .unauthorized
            case .notFound, .noFile: .notFound
            case .noDaemon: .serviceUnavailable
            case .wrongMethod: .methodNotAllowed
            case .tooManyAttempts, .tooManyPages, .isReading: .tooManyRequests
            case .tooLong: .payloadTooLarge
            case .tooHard: .unprocessableEntity
            case .cannotWrite: .internalServerError
            case .badRequest: .badRequest
            case .noUpgrade: .upgradeRequired
            }
        }

        var text: String {
            switch self {
            case .unknownHost: "This page has another name. Start `notesctl web` with --host NAME."
            case .otherSite: "This request is not from the page."
            case .notSignedIn: "This browser is not signed in."
            case .notFound: "There is no such page."
            case .wrongMethod: "This method is not for this page."
            case .tooManyAttempts: "Too many attempts. Wait a minute."
            case .tooManyPages: "Too many pages are open. Close some."
            case .cannotWrite: "The server cannot write its file of devices, so nothing was changed. Its log says why."
            case .wrongKey: "This link was used, or is too old. Ask for another one: `notesctl web link`."
            case .badRequest: "This request is not valid."
            case .tooLong: "This note is too long to be shown this way."
            case .tooHard: "This note takes too long to be shown this way."
            case .isReading: "The server still formats another note."
            case .noUpgrade: "This address is for a WebSocket."
            case .noFile: "There is no such file, or its bytes are not on this machine."
            case .notForGuests: "A guest gets no files."
            case .noDaemon: "The daemon does not answer."
            }
        }
    }

    /// The verdict. The order of the checks is that of docs/web.md.
    func verdict(on request: PageRequest) -> Verdict {
        guard let host = request.only("Host"), hosts.contains(host) else { return .refused(.unknownHost) }
        let file = PageFile(path: request.target)
        let isPost = ["/login", "/logout", "/read"].contains(request.target)
        let isQuestion = ["/session", "/pictures"].contains(request.target)
        let content = content(request.target)
        guard file != nil || isPost || isQuestion || content != nil || request.target == "/attach" else {
            return .refused(.notFound)
        }
        guard request.method == (isPost ? .POST : .GET) || request.method == .HEAD && (file != nil || content != nil)
        else {
            return .refused(.wrongMethod)
        }
        // A browser sends no origin with a request that only reads.
        if file == nil && !isQuestion && content == nil {
            guard let origin = request.only("Origin"), hosts.isOrigin(origin) else { return .refused(.otherSite) }
        }
        if request.target != "/", !request.headers["Sec-Fetch-Site"].allSatisfy(["same-origin", "none"].contains) {
            return .refused(.otherSite)
        }
        if let file { return .file(file) }
        if request.target == "/login" { return .signIn }
        guard let cookie = cookie(of: request) else { return .refused(.notSignedIn) }
        if isQuestion { return request.target == "/session" ? .session(cookie) : .pictures(cookie) }
        if let (note, hash) = content { return .get(cookie, note, hash) }
        return switch request.target {
        case "/logout": .signOut(cookie)
        case "/read": .read(cookie)
        default: .attach(cookie)
        }
    }

    /// The note and the content that a path names: `/file/NOTE/HASH`.
    private func content(_ path: String) -> (NoteID, FileHash)? {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].isEmpty, parts[1].elementsEqual("file".utf8), let note = NoteID(parsing: parts[2]),
            let hash = FileHash(parsing: parts[3])
        else { return nil }
        return (note, hash)
    }

    private func cookie(of request: PageRequest) -> [UInt8]? {
        let cookies = request.cookies(hosts.cookieName)
        return cookies.count == 1 ? Secret.bytes(hexadecimal: cookies[0]) : nil
    }
}
