/// Detection of duplicate member names while the tape is being written.
enum JSONNames {
    /// The token of the first name that repeats an earlier one; nil if all names differ.
    ///
    /// Names are compared after decoding their escapes.
    ///
    /// - Parameter index: tape index of the object's opening bracket, whose `extent` is set.
    /// - Complexity: O(m^2) up to `pairwiseMax` members, expected O(m log m) above. A hostile
    ///   client cannot make names collide, because the hash key of the process is random.
    static func firstDuplicate(in index: Int, tape: [JSONToken], bytes: [UInt8]) -> JSONToken? {
        let end = tape[index].extent
        // Each member has a name and a value, so two members need more than three tokens.
        guard end - index > 3 else { return nil }
        var names: [JSONToken] = []
        names.reserveCapacity(min((end - index) / 2, pairwiseMax))
        var position = index + 1
        while position < end {
            names.append(tape[position])
            let value = tape[position + 1]
            position = (value.kind == .openArray || value.kind == .openObject ? value.extent : position + 1) + 1
        }
        return names.count <= pairwiseMax ? pairwise(names, bytes) : byHash(names, bytes)
    }

    /// Largest number of members that are compared in pairs.
    static let pairwiseMax = 16

    private static func pairwise(_ names: [JSONToken], _ bytes: [UInt8]) -> JSONToken? {
        for later in names.indices {
            for earlier in 0..<later where areEqual(names[earlier], names[later], bytes) { return names[later] }
        }
        return nil
    }

    private static func byHash(_ names: [JSONToken], _ bytes: [UInt8]) -> JSONToken? {
        var hashed = names.indices.map { (hash: hash(names[$0], bytes), place: $0) }
        hashed.sort { ($0.hash, $0.place) < ($1.hash, $1.place) }
        var start = 0
        var found: Int?
        for index in hashed.indices {
            if hashed[index].hash != hashed[start].hash { start = index }
            for earlier in start..<index where areEqual(names[hashed[earlier].place], names[hashed[index].place], bytes) {
                found = min(found ?? .max, hashed[index].place)
                break
            }
        }
        return found.map { names[$0] }
    }

    private static func hash(_ name: JSONToken, _ bytes: [UInt8]) -> Int {
        var hasher = Hasher()
        if name.kind == .escapedString {
            JSONEscape.decode(name.range, of: bytes).withUnsafeBytes { hasher.combine(bytes: $0) }
        } else {
            bytes.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[name.range])) }
        }
        return hasher.finalize()
    }

    private static func areEqual(_ left: JSONToken, _ right: JSONToken, _ bytes: [UInt8]) -> Bool {
        if left.kind == .string && right.kind == .string {
            return left.extent == right.extent && bytes[left.range].elementsEqual(bytes[right.range])
        }
        return decoded(left, bytes).elementsEqual(decoded(right, bytes))
    }

    private static func decoded(_ name: JSONToken, _ bytes: [UInt8]) -> ArraySlice<UInt8> {
        name.kind == .escapedString ? JSONEscape.decode(name.range, of: bytes)[...] : bytes[name.range]
    }
}
