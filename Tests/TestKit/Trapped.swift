/// Whether the error output of a process that trapped contains the message. A release build prints
/// none, so there the trap itself is sufficient.
package func hasMessage(_ sentence: String, _ errorOutput: [UInt8]?) -> Bool {
    #if DEBUG
        errorOutput.map { String(decoding: $0, as: UTF8.self).contains(": " + sentence) } ?? false
    #else
        errorOutput != nil
    #endif
}
