#ifndef CSHA256_H
#define CSHA256_H

#include <stddef.h>
#include <stdint.h>

/// The SHA-256 of `count` bytes (FIPS 180-4). `hash` has room for 32 bytes.
void csha256(const uint8_t *_Nullable bytes, size_t count, uint8_t *_Nonnull hash);


/// The same without special instructions: the only path on other processors, and apart so that the tests can compare the two.
void csha256_portable(const uint8_t *_Nullable bytes, size_t count, uint8_t *_Nonnull hash);

#endif
