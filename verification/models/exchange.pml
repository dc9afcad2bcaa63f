/*
 * Stores that exchange revisions: in any order, any number of times, with crashes, and with copies
 * of stores that are restored or started elsewhere. A run of a daemon is a replica; replica and
 * counter are a revision's dot.
 *
 * README.md maps each part to its file and function. A macro FAULT_x plants a fault;
 * `scripts/models` checks that each is found.
 *
 * A set of revisions is a number with a bit for each. Each write makes a revision with distinct
 * content.
 */

#ifndef STORES
#define STORES 2
#endif
#ifndef WRITES
#define WRITES 3
#endif
#ifndef CRASHES
#define CRASHES 1
#endif
#ifndef COPIES
#define COPIES 1      /* copies taken */
#endif
#ifndef RESTORES
#define RESTORES 1    /* copies put in the place of a store, be it another one's */
#endif
#define bit(x) (1 << (x))
#define ALL (bit(WRITES) - 1)
#define NOBODY 255

/* Revisions. */
byte made;
byte replicaOf[WRITES];  /* its dot */
byte counterOf[WRITES];
byte pastOf[WRITES];     /* the revisions that its writer had seen */

/* Stores: the content of their disks. */
byte committed[STORES];
byte waiting[STORES];
byte writing[STORES];    /* written and not synced */
/* The memory of their daemons. */
byte replica[STORES];
byte counter[STORES];
byte releases[STORES];   /* Releasing.dots */
bool looksAtAll[STORES]; /* Releasing.lookedAt */
byte replicas;           /* the number of replica ids used */
#ifdef FAULT_GOES_ON_AFTER_A_BAD_SYNC
byte unsynced[STORES];   /* left in the file by failed syncs */
#endif

/* For each pair: the revisions that the other store announced, and those sent since; and the
 * messages in transit. */
typedef Peers { bool met[STORES]; byte has[STORES]; };
Peers peers[STORES];
byte wire[STORES];

/* A copy of a store's files. */
byte copied, copiedWaiting, copiedReplica, copiedCounter;
byte crashes, copies, restores;
byte acked[STORES];      /* the writes acknowledged there since its files were last replaced */

/* The revisions that were ever durable. Nobody knows the dots of the others. */
byte durable;

/* Each is true while its guarantee holds. */
bool G1_answered_is_there = true;
bool G2_past_is_whole = true;
bool G9_dots_are_unique = true;
bool G9_own_dots_come_from_here = true;

hidden byte i, j, k, r, known;

inline begin(s) {
#ifdef FAULT_REPLICA_IS_KEPT
    if
    :: replica[s] == 0 -> replicas++; replica[s] = replicas; counter[s] = 0
    :: else -> skip
    fi;
#else
    replicas++; replica[s] = replicas; counter[s] = 0;
#endif
    releases[s] = 0;
#ifndef FAULT_WAITING_IS_NOT_LOOKED_AT
    looksAtAll[s] = (waiting[s] != 0)
#endif
}

/* Its connections end, and messages in transit are lost. */
inline hangUp(s) {
    i = 0;
    do
    :: i < STORES ->
#ifndef FAULT_WHAT_A_PEER_HAD_IS_KEPT
        peers[i].met[s] = false; peers[i].has[s] = 0;
#endif
        peers[s].met[i] = false; peers[s].has[i] = 0;
        i++
    :: else -> break
    od;
    i = 0; wire[s] = 0
}

inline judge(s) {
    i = 0;
    do
    :: i < made ->
        G2_past_is_whole = !((committed[s] & bit(i)) && (pastOf[i] & ~committed[s])); assert(G2_past_is_whole);
        i++
    :: else -> break
    od;
    i = 0;
    G1_answered_is_there = ((acked[s] & ~committed[s]) == 0); assert(G1_answered_is_there)
}

/* Some revisions are durable now. */
inline keep(revisions) {
    i = 0;
    do
    :: i < made ->
        if
        :: revisions & bit(i) ->
            j = 0;
            do
            :: j < made ->
                G9_dots_are_unique = !(i != j && (durable & bit(j)) && replicaOf[i] == replicaOf[j] && counterOf[i] == counterOf[j]);
                assert(G9_dots_are_unique);
                j++
            :: else -> break
            od;
            durable = durable | bit(i)
        :: else -> skip
        fi;
        i++
    :: else -> break
    od;
    i = 0; j = 0
}

/* The base of a write is everything visible, or nothing, or the version that some revision made. */
inline mint(s, base) {
    r = made; made++;
    replicaOf[r] = replica[s]; counterOf[r] = counter[s] + 1; pastOf[r] = base;
    writing[s] = bit(r); r = 0
}

proctype Daemon(byte s)
{
    byte x;
endIdle:
    do
    /* A write: it is appended, synced, and only then acknowledged. */
    :: atomic { made < WRITES && writing[s] == 0 ->
        if
        :: d_step { mint(s, committed[s]); skip }
        :: committed[s] != 0 -> d_step { mint(s, 0); skip }
        :: (committed[s] & 1) && made > 1 -> d_step { mint(s, (pastOf[0] | 1)); skip }
        :: (committed[s] & 2) && made > 2 -> d_step { mint(s, (pastOf[1] | 2)); skip }
        fi }
    :: d_step { writing[s] != 0 ->
        keep(writing[s]);
        committed[s] = committed[s] | writing[s]; acked[s] = acked[s] | writing[s]; counter[s]++; writing[s] = 0;
        judge(s); skip }
#ifdef FAULT_GOES_ON_AFTER_A_BAD_SYNC
    /* The next start may find its data, and the store continues as if it were not there. */
    :: d_step { writing[s] != 0 -> unsynced[s] = unsynced[s] | writing[s]; writing[s] = 0; skip }
#endif
    /* `Adoption`: received, unknown revisions. */
    :: atomic { (wire[s] & ~(committed[s] | waiting[s] | writing[s])) ->
        d_step {
            x = 0;
            do
            :: x < WRITES && !(wire[s] & bit(x) & ~(committed[s] | waiting[s] | writing[s])) -> x++
            :: else -> break
            od
        };
        /* Any of them. */
        do
        :: break
        :: x + 1 < WRITES && (wire[s] & ~(committed[s] | waiting[s] | writing[s]) & ~(bit(x + 1) - 1)) ->
            x++;
            do
            :: !(wire[s] & bit(x) & ~(committed[s] | waiting[s] | writing[s])) -> x++
            :: else -> break
            od
        od;
        d_step {
            G9_own_dots_come_from_here = (replicaOf[x] != replica[s]); assert(G9_own_dots_come_from_here);
            if
#ifndef FAULT_PARENTS_ARE_NOT_ASKED_FOR
            :: pastOf[x] & ~committed[s] ->
#ifdef FAULT_WAITING_IS_DROPPED
                skip
#else
                waiting[s] = waiting[s] | bit(x)
#endif
#endif
            :: else ->
                committed[s] = committed[s] | bit(x); waiting[s] = waiting[s] & ~bit(x);
                releases[s] = (waiting[s] != 0 -> releases[s] | bit(x) : 0)
            fi;
            wire[s] = wire[s] & ~bit(x);
            judge(s); x = 0
        } }
    /* Revisions that may not have to wait any more: after a commit of a parent, or after a start. */
    :: d_step { releases[s] != 0 || looksAtAll[s] ->
        k = releases[s]; releases[s] = 0;
        j = 0;
        do
        :: j < WRITES ->
            if
            :: (waiting[s] & bit(j)) && (pastOf[j] & ~committed[s]) == 0 && (looksAtAll[s] || (pastOf[j] & k)) ->
                committed[s] = committed[s] | bit(j); waiting[s] = waiting[s] & ~bit(j); releases[s] = releases[s] | bit(j)
            :: else -> skip
            fi;
            j++
        :: else -> break
        od;
        releases[s] = (waiting[s] != 0 -> releases[s] : 0);
        looksAtAll[s] = false; j = 0; k = 0;
        judge(s); skip }
    od
}

/* From one store to the other: receives its version, and sends the missing revisions. */
proctype Link(byte s; byte t)
{
    byte x;
endIdle:
    do
    :: d_step { !peers[s].met[t] ->
        known = committed[t] | waiting[t];
#ifdef FAULT_KNOWN_IS_A_MAXIMUM
        i = 0;
        do
        :: i < made ->
            j = 0;
            do
            :: j < made ->
                if
                :: ((committed[t] | waiting[t]) & bit(j)) && replicaOf[i] == replicaOf[j] && counterOf[i] < counterOf[j] ->
                    known = known | bit(i)
                :: else -> skip
                fi;
                j++
            :: else -> break
            od;
            i++
        :: else -> break
        od;
        i = 0; j = 0;
#endif
        peers[s].met[t] = true; peers[s].has[t] = known; known = 0; skip }
    :: atomic { peers[s].met[t] && (committed[s] & ~peers[s].has[t]) ->
        d_step {
            x = 0;
            do
            :: !(committed[s] & bit(x) & ~peers[s].has[t]) -> x++
            :: else -> break
            od
        };
        do
        :: break
        :: x + 1 < WRITES && (committed[s] & ~peers[s].has[t] & ~(bit(x + 1) - 1)) ->
            x++;
            do
            :: !(committed[s] & bit(x) & ~peers[s].has[t]) -> x++
            :: else -> break
            od
        od;
        peers[s].has[t] = peers[s].has[t] | bit(x); wire[t] = wire[t] | bit(x); x = 0 }
    od
}

/* Unsynced writes may survive or not. */
inline end(s) {
#ifdef FAULT_GOES_ON_AFTER_A_BAD_SYNC
    writing[s] = writing[s] | unsynced[s]; unsynced[s] = 0;
#endif
    if
    :: d_step { keep(writing[s]); committed[s] = committed[s] | writing[s] }
    :: skip
    fi;
    writing[s] = 0;
    d_step { hangUp(s); begin(s); skip }
}

/* It may stop doing so at any time. */
active proctype Fate()
{
    byte s;
    do
    :: atomic { crashes < CRASHES -> crashes++; select (s : 0 .. STORES - 1); end(s); s = 0 }
    :: atomic { copies < COPIES -> copies++; select (s : 0 .. STORES - 1);
        copied = committed[s]; copiedWaiting = waiting[s]; copiedReplica = replica[s]; copiedCounter = counter[s]; s = 0 }
    :: atomic { restores < RESTORES && copies > 0 -> restores++; select (s : 0 .. STORES - 1);
        d_step {
#ifdef FAULT_GOES_ON_AFTER_A_BAD_SYNC
            unsynced[s] = 0;
#endif
            writing[s] = 0; committed[s] = copied; waiting[s] = copiedWaiting; acked[s] = acked[s] & copied;
            replica[s] = copiedReplica; counter[s] = copiedCounter;
            hangUp(s); begin(s); s = 0
        } }
    :: break
    od
}

#ifdef LIVE
/* Time passes when nothing else happens, so a quiescent state is a cycle, too. */
hidden byte tick;
active proctype Clock()
{
    do
    :: tick = 0
    od
}
#endif

init {
    byte s, t;
    atomic {
        do
        :: s < STORES ->
            d_step { begin(s); skip };
            run Daemon(s);
            t = 0;
            do
            :: t < STORES ->
                if
                :: t != s -> run Link(s, t)
                :: else -> skip
                fi;
                t++
            :: else -> break
            od;
            s++
        :: else -> break
        od;
        s = 0; t = 0
    }
}

/* In the end all stores hold the same revisions, and no revision waits needlessly. */
#define isReleased(s, x) (!(waiting[s] & bit(x)) || (pastOf[x] & ~committed[s]))
#define isCalm(s) (writing[s] == 0 && isReleased(s, 0) && isReleased(s, 1) && isReleased(s, WRITES - 1))
#if STORES == 2
#define allSame (committed[0] == committed[1] && isCalm(0) && isCalm(1))
#else
#define allSame (committed[0] == committed[1] && committed[1] == committed[2] && isCalm(0) && isCalm(1) && isCalm(2))
#endif
ltl G8 { <>[] allSame }
