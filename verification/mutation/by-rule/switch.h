// The active change: the number in NOTESD_MUTANT, or none without it. If NOTESD_MUTANT_REACHED
// names a file, each executed point sets its byte there.
#ifndef MUTANT_SWITCH_H
#define MUTANT_SWITCH_H

extern int mutant_active;
extern volatile unsigned char *mutant_reached;

/// The active change of a point, from 0; negative or beyond the last if none is active.
static inline unsigned mutant_choice(int first) {
    mutant_reached[first] = 1;
    return (unsigned)(mutant_active - first);
}

#endif
