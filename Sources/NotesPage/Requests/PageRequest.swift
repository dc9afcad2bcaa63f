import NIOHTTP1

/// The head of a request, and where it came from.
struct PageRequest: Sendable {
    let method: HTTPMethod
    /// The path, with everything that follows it.
    let target: String
    let headers: HTTPHeaders
    /// The address of the other end; empty for a Unix socket.
    let address: String

    init(_ head: HTTPRequestHead, from address: String) {
        (method, target, headers, self.address) = (head.method, head.uri, head.headers, address)
    }

    /// The only value of a header; nil if there is none, or several.
    func only(_ name: String) -> String? {
        let values = headers[name]
        return values.count == 1 ? values[0] : nil
    }

    /// The cookies of a name.
    func cookies(_ name: String) -> [Substring] {
        headers["Cookie"].flatMap { $0.split(separator: ";") }.compactMap { pair in
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix(name), pair.dropFirst(name.count).first == "=" else { return nil }
            return pair.dropFirst(name.count + 1)
        }
    }
}
