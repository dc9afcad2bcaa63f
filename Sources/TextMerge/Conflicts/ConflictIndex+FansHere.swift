extension ConflictIndex {
    /// The pairs of the fans that are unresolved in one version.
    struct FansHere {
        /// Those that are unresolved in the newest version, too, by fan.
        private var open: [SparseSet] = []
        /// The pairs that are in no group which the version has as a whole.
        private(set) var rest: [ConflictFan.Part] = []
        /// The groups that lose a pair in the version, or that another pair joins.
        private(set) var differing: Set<Int> = []

        /// - Complexity: O(roles), and O(words) for each fan, and for each group that another pair joins.
        init(_ index: ConflictIndex, isHere: (Int) -> Bool, isWithdrawn: (Int) -> Bool) {
            guard !index.fans.isEmpty else { return }
            let absent = SparseSet(
                index.roles.indices.filter { role in
                    let ordinal = index.roles[role].member.ordinal
                    return !isHere(ordinal) || isWithdrawn(ordinal)
                })
            let members = index.groups.mapValues { SparseSet($0.roles) }
            let grouped = SparseSet(index.groupOfRole.indices.filter { index.groupOfRole[$0] != nil })
            for (number, fan) in index.fans.enumerated() {
                let center = index.roles[fan.center].member.ordinal
                var here = SparseSet()
                if isHere(center), isWithdrawn(center) {
                    here = fan.unresolved(among: fan.others, absent: absent) { isHere($0) && !isWithdrawn($0) }
                }
                let more = here.subtracting(fan.open)
                open.append(here.subtracting(more))
                guard here != fan.open else { continue }
                if let group = index.groupOfRole[fan.center] { differing.insert(group) }
                guard !more.isEmpty else { continue }
                rest.append(ConflictFan.Part(fan: number, others: more))
                var met = more.intersection(grouped)
                while let role = met.first, let group = index.groupOfRole[role], let roles = members[group] {
                    differing.insert(group)
                    met.subtract(roles)
                }
            }
        }

        /// Adds the pairs of some fans that are unresolved in the newest version, too.
        mutating func addOpen(of fans: SparseSet) {
            rest += fans.map { ConflictFan.Part(fan: $0, others: open[$0]) }.filter { !$0.others.isEmpty }
        }
    }
}
