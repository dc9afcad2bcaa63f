import StrictJSON

/// Writes messages to the editor, each with its header.
enum LanguageLines {
    /// - Parameter json: the value of `result`.
    static func result(_ id: LanguageRequestID, _ json: [UInt8]) -> [UInt8] {
        message { message in
            message.member("id", json: id.json)
            message.member("result", json: json)
        }
    }

    /// - Parameter body: writes the value of `result`.
    static func result(_ id: LanguageRequestID, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        body(&writer)
        return result(id, writer.bytes)
    }

    /// - Parameter id: nil if the request has no valid id; the response then has null.
    static func failure(_ id: LanguageRequestID?, _ fault: LanguageFault) -> [UInt8] {
        message { message in
            message.member("id", json: id?.json ?? Array("null".utf8))
            message.name("error")
            message.object { error in
                error.member("code", fault.code.rawValue)
                error.member("message", fault.message)
            }
        }
    }

    /// - Parameter body: writes the members of `params`.
    static func notification(_ method: String, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        message { message in
            message.member("method", method)
            message.name("params")
            message.object(body)
        }
    }

    /// - Parameter body: writes the members of `params`.
    static func request(_ number: Int, _ method: String, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        message { message in
            message.member("id", number)
            message.member("method", method)
            message.name("params")
            message.object(body)
        }
    }

    /// A notification that the editor shows to the user.
    static func show(_ type: LanguageProtocol.MessageType, _ text: String) -> [UInt8] {
        notification("window/showMessage") { params in
            params.member("type", type.rawValue)
            params.member("message", "notesd: \(text)")
        }
    }

    private static func message(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { message in
            message.member("jsonrpc", "2.0")
            body(&message)
        }
        return Array("Content-Length: \(writer.bytes.count)\r\n\r\n".utf8) + writer.bytes
    }
}
