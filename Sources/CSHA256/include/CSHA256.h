#ifndef CSHA256_H
#define CSHA256_H

#include <stddef.h>
#include <stdint.h>

/// Computes the SHA-256 (FIPS 180-4) of `count` bytes. `hash` must have room for 32 bytes.
void csha256(const uint8_t *_Nullable bytes, size_t count, uint8_t *_Nonnull hash);

/// A message that is hashed in pieces.
struct csha256_stream {
    uint32_t state[8];
    /// Number of bytes so far.
    uint64_t count;
    /// The last bytes, fewer than 64, that do not fill a block yet.
    uint8_t rest[64];
};

/// Begins an empty message.
void csha256_begin(struct csha256_stream *_Nonnull stream);

/// Adds `count` bytes to the message.
void csha256_add(struct csha256_stream *_Nonnull stream, const uint8_t *_Nullable bytes, size_t count);

/// Computes the hash of the message so far, which can then continue. `hash` must have room for 32 bytes.
void csha256_end(const struct csha256_stream *_Nonnull stream, uint8_t *_Nonnull hash);

/// Computes the same without special instructions: the only path on other processors. Exported so
/// that tests can compare both paths.
void csha256_portable(const uint8_t *_Nullable bytes, size_t count, uint8_t *_Nonnull hash);

#endif
