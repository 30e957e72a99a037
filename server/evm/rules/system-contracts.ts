/** EIP-4788: ring buffer of beacon block roots. */
export const BEACON_ROOTS = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02';
/** EIP-2935: ring buffer of block hashes. */
export const HISTORY_STORAGE = '0x0000f90827f1c53a10cb7a02335b175320002935';
/** Contracts whose storage a block changes before its first transaction. */
export const SYSTEM_CONTRACTS: readonly string[] = [BEACON_ROOTS, HISTORY_STORAGE];
