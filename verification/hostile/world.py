"""What a hostile client knows of the store, and the values that it invents."""

import os
import uuid


class World:
    def __init__(self, limits, texts, folder):
        self.limits = limits
        self.texts = texts          # (note, version): text
        self.out = os.path.join(folder, "out")
        os.mkdir(self.out)
        with open(os.path.join(self.out, "there.db"), "wb"):
            pass
        self.ids = []
        self.versions = {}          # note: versions, as they were seen
        self.conflicts = []
        self.cursors = ["0.0000000000000000"]
        self.tokens = []
        self.backups = 0

    def learn(self, state, hello, conversations):
        _, notes, _ = state
        self.ids = list(notes)
        self.conflicts = [conflict["id"] for note in notes.values() for conflict in note["conflicts"]]
        for id, note in notes.items():
            versions = self.versions.setdefault(id, [])
            if note["version"] not in versions:
                versions.append(note["version"])
        self.cursors.append(hello["cursor"])
        for conversation in conversations:
            for expected, result in conversation.acknowledged:
                if expected.method in ("note.list", "note.search", "note.history", "revisions.list", "links.to", "links.missing") and result["next"]:
                    self.tokens.append(result["next"])
                if expected.method == "notes.watch":
                    self.cursors.append(result["cursor"])
        del self.tokens[:-20], self.cursors[1:-20]

    def new_id(self, random):
        known = self.note(random) if random.random() < 0.2 else None
        return known or str(uuid.UUID(int=random.getrandbits(128) & ~(0xF << 76) & ~(3 << 62) | 7 << 76 | 2 << 62))

    def note(self, random):
        if not self.ids or random.random() < 0.06:
            return random.choice([
                "01890a5d-ac96-774b-bcce-b302099a8058", "01890a5d-ac96-474b-bcce-b302099a8058",
                "01890A5D-AC96-774B-BCCE-B302099A8058",
                "", "x" * 36, "01890a5dac96774bbcceb302099a8058"])
        return random.choice(self.ids)

    def version(self, random, id):
        """Mostly a version of the note, mostly the newest; else an older one, a union, another
        note's, or none."""
        versions = self.versions.get(id) or [""]
        chance = random.random()
        if chance < 0.55:
            return versions[-1]
        if chance < 0.75:
            return random.choice(versions)
        dots = " ".join(random.choices(versions, k=2)).split()
        random.shuffle(dots)
        every = [version for one in self.versions.values() for version in one] or [""]
        replica, _, counter = versions[-1].partition(" ")[0].partition(":")
        return random.choice([
            " ".join(dots), " ".join(dots * 2), "", random.choice(every), "ffffffffffffffff:1", f"{replica}:9223372036854775807",
            f"{replica}:9223372036854775808", f"{replica}:0", f"{replica}:0{counter}", f"{replica}:{counter} ", f" {replica}:{counter}",
            f"{replica}:{counter}  {replica}:1", f"{replica.upper()}:1", "garbage", "0" * 200, f"{replica}:1 ffffffffffffffff:3",
            " ".join(f"{number:016x}:{number + 1}" for number in range(40))])

    def text(self, id, version):
        return self.texts.get((id, version))

    def cursor(self, random):
        known = random.choice(self.cursors)
        if random.random() < 0.6:
            return known
        number, _, replica = known.partition(".")
        return random.choice([
            f"{int(number) + 10**9}.{replica}", "1.ffffffffffffffff", f"9223372036854775807.{replica}", f"9223372036854775808.{replica}",
            f"0{number}.{replica}", f"-1.{replica}", f"{number}.{replica.upper()}", number, "", ".", "yesterday", f"{number}.{replica}0"])

    def token(self, random):
        if self.tokens and random.random() < 0.6:
            return random.choice(self.tokens)
        id = self.note(random)
        return random.choice([
            id, f"{id}/work", f"{id}/", f"{id}/../x", f"{id}x", "", "3fe5555555555555.0000000000000421",
            "7ff0000000000000.0000000000000001",
            "ffffffffffffffff.ffffffffffffffff", "0000000000000000.0000000000000000", "3FE5555555555555.0000000000000421", "x" * 33])

    def name(self, random):
        return random.choice([
            "work/inbox", "work/a", "b", "é", "e\u0301", "🙂",
            "x" * 255, "x" * 256, "/".join(["y" * 200] * 5), "/".join(["y" * 200] * 6), "",
            "/", "a/", "/a", "a//b", ".", "..", "a/../b", "a/./b", "...", "a\nb", "a\x7fb", "a\u0085b", "tag:x", " ", "\u202e",
            f"n{random.randrange(40)}", f"n{random.randrange(40)}"])

    def path(self, random):
        """Only paths in our folder, or where no file can be created."""
        self.backups += 1
        return random.choice([
            f"b{self.backups}.db", f"{self.out}/{self.backups}.db", self.out, f"{self.out}/there.db", f"{self.out}/there.db/x", "", "a/b",
            "./a", f"{self.out}/no/where.db", "/proc/notesd.db", "/dev/null", "é" * 200 + f"{self.backups}", ".", ".."])
