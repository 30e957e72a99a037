/** The largest value of an EVM word, 2^256 - 1. */
export const MAX_WORD = 2n ** 256n - 1n;
