#ifndef CSHA256_H
#define CSHA256_H

#include <stddef.h>
#include <stdint.h>

/// Computes the SHA-256 (FIPS 180-4) of `count` bytes. `hash` must have room for 32 bytes.
void csha256(const uint8_t *_Nullable bytes, size_t count, uint8_t *_Nonnull hash);


/// Computes the same without special instructions: the only path on other processors. Exported so
/// that tests can compare both paths.
void csha256_portable(const uint8_t *_Nullable bytes, size_t count, uint8_t *_Nonnull hash);

#endif
