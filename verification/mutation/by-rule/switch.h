// Which change is on: the number in NOTESD_MUTANT, none without it. Where NOTESD_MUTANT_REACHED names a file, each point that is come to
// sets its byte there.
#ifndef MUTANT_SWITCH_H
#define MUTANT_SWITCH_H

extern int mutant_active;
extern volatile unsigned char *mutant_reached;

/// Which of a point's changes is on, from 0; less than 0 or more than there are where none is.
static inline unsigned mutant_choice(int first) {
    mutant_reached[first] = 1;
    return (unsigned)(mutant_active - first);
}

#endif
