// SHA-256 (FIPS 180-4), with the x86 SHA instructions if the processor has them, otherwise in
// portable C.
//
// The libraries that offer SHA-256 cost more than these lines. swift-crypto compiles 300 C++ files,
// most of the time of a first build. OpenSSL is another package to install, and another library to
// load each time `notesctl` starts. SHA256Tests compares both paths with NIST's vectors.

#include "CSHA256.h"

#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

enum { block_bytes = 64, hash_words = 8 };

// The fractional parts of the cube roots of the first 64 primes.
static const uint32_t round_constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t load_big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void store_big_endian(uint32_t word, uint8_t *bytes) {
    bytes[0] = (uint8_t)(word >> 24);
    bytes[1] = (uint8_t)(word >> 16);
    bytes[2] = (uint8_t)(word >> 8);
    bytes[3] = (uint8_t)word;
}

static uint32_t rotate_right(uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

static void compress_portable(uint32_t state[hash_words], const uint8_t *blocks, size_t count) {
    for (; count > 0; count--, blocks += block_bytes) {
        uint32_t w[64];
        for (int i = 0; i < 16; i++) w[i] = load_big_endian(blocks + 4 * i);
        for (int i = 16; i < 64; i++) {
            uint32_t near = w[i - 2], far = w[i - 15];
            uint32_t near_sigma = rotate_right(near, 17) ^ rotate_right(near, 19) ^ near >> 10;
            uint32_t far_sigma = rotate_right(far, 7) ^ rotate_right(far, 18) ^ far >> 3;
            w[i] = w[i - 16] + far_sigma + w[i - 7] + near_sigma;
        }
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
        for (int i = 0; i < 64; i++) {
            uint32_t e_sigma = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
            uint32_t a_sigma = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
            uint32_t first = h + e_sigma + ((e & f) ^ (~e & g)) + round_constants[i] + w[i];
            uint32_t second = a_sigma + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d;
        state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    }
}

#if defined(__x86_64__)
// The instructions keep the state in two vectors, ABEF and CDGH from the highest word down, and
// perform two rounds each. A ring of four vectors holds the newest 16 words of the message
// schedule.
__attribute__((target("sha,sse4.1"))) static void compress_x86(uint32_t state[hash_words], const uint8_t *blocks, size_t count) {
    const __m128i swap_bytes = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i abef = _mm_set_epi32((int)state[0], (int)state[1], (int)state[4], (int)state[5]);
    __m128i cdgh = _mm_set_epi32((int)state[2], (int)state[3], (int)state[6], (int)state[7]);
    for (; count > 0; count--, blocks += block_bytes) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[4];
#pragma clang loop unroll(full)
        for (int i = 0; i < 16; i++) {
            if (i < 4) {
                w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)blocks + i), swap_bytes);
            } else {
                __m128i sum = _mm_sha256msg1_epu32(w[i & 3], w[(i + 1) & 3]);
                sum = _mm_add_epi32(sum, _mm_alignr_epi8(w[(i + 3) & 3], w[(i + 2) & 3], 4));
                w[i & 3] = _mm_sha256msg2_epu32(sum, w[(i + 3) & 3]);
            }
            __m128i sum = _mm_add_epi32(w[i & 3], _mm_load_si128((const __m128i *)round_constants + i));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    state[0] = (uint32_t)_mm_extract_epi32(abef, 3), state[1] = (uint32_t)_mm_extract_epi32(abef, 2);
    state[2] = (uint32_t)_mm_extract_epi32(cdgh, 3), state[3] = (uint32_t)_mm_extract_epi32(cdgh, 2);
    state[4] = (uint32_t)_mm_extract_epi32(abef, 1), state[5] = (uint32_t)_mm_extract_epi32(abef, 0);
    state[6] = (uint32_t)_mm_extract_epi32(cdgh, 1), state[7] = (uint32_t)_mm_extract_epi32(cdgh, 0);
}

// Determined once at start, since CPUID traps in a virtual machine, which takes longer than a hash.
static bool has_instructions;

__attribute__((constructor)) static void find_instructions(void) {
    unsigned a, b, c, d;
    bool has_sse41 = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1) != 0;
    has_instructions = has_sse41 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA) != 0;
}
#endif

typedef void compression(uint32_t[hash_words], const uint8_t *, size_t);

// The fractional parts of the square roots of the first 8 primes.
static const uint32_t initial_state[hash_words] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

// Adds the last bytes of a message, fewer than a block, and its padding, then writes the hash.
static void finish_with(
    compression *compress, uint32_t state[hash_words], const uint8_t *rest, uint64_t count, uint8_t *hash) {
    // The remaining bytes, a 1 bit, zeros, and the length in bits. They fill one block or two.
    uint8_t tail[2 * block_bytes] = {0};
    size_t rest_bytes = count % block_bytes;
    if (rest_bytes > 0) memcpy(tail, rest, rest_bytes);
    tail[rest_bytes] = 0x80;
    size_t tail_blocks = rest_bytes < block_bytes - 8 ? 1 : 2;
    uint8_t *length = tail + tail_blocks * block_bytes - 8;
    store_big_endian((uint32_t)(count >> 29), length);
    store_big_endian((uint32_t)(count << 3), length + 4);
    compress(state, tail, tail_blocks);

    for (int i = 0; i < hash_words; i++) store_big_endian(state[i], hash + 4 * i);
}

static void hash_with(compression *compress, const uint8_t *bytes, size_t count, uint8_t *hash) {
    uint32_t state[hash_words];
    memcpy(state, initial_state, sizeof state);
    size_t whole = count / block_bytes;
    if (whole > 0) compress(state, bytes, whole);
    finish_with(compress, state, count % block_bytes > 0 ? bytes + whole * block_bytes : NULL, count, hash);
}

static compression *best_compression(void) {
#if defined(__x86_64__)
    if (has_instructions) return compress_x86;
#endif
    return compress_portable;
}

void csha256(const uint8_t *bytes, size_t count, uint8_t *hash) { hash_with(best_compression(), bytes, count, hash); }

void csha256_portable(const uint8_t *bytes, size_t count, uint8_t *hash) { hash_with(compress_portable, bytes, count, hash); }

void csha256_begin(struct csha256_stream *stream) {
    memcpy(stream->state, initial_state, sizeof stream->state);
    stream->count = 0;
    memset(stream->rest, 0, sizeof stream->rest);
}

void csha256_add(struct csha256_stream *stream, const uint8_t *bytes, size_t count) {
    if (count == 0) return;
    compression *compress = best_compression();
    size_t rest = stream->count % block_bytes;
    stream->count += count;
    if (rest > 0) {
        size_t taken = count < block_bytes - rest ? count : block_bytes - rest;
        memcpy(stream->rest + rest, bytes, taken);
        if (rest + taken < block_bytes) return;
        compress(stream->state, stream->rest, 1);
        bytes += taken;
        count -= taken;
    }
    size_t whole = count / block_bytes;
    if (whole > 0) compress(stream->state, bytes, whole);
    if (count % block_bytes > 0) memcpy(stream->rest, bytes + whole * block_bytes, count % block_bytes);
}

void csha256_end(const struct csha256_stream *stream, uint8_t *hash) {
    uint32_t state[hash_words];
    memcpy(state, stream->state, sizeof state);
    finish_with(best_compression(), state, stream->rest, stream->count, hash);
}
