/** As Hardhat's and anvil's own chains. */
export const CHAIN_ID = 31337;
/** 2025-01-01T00:00:00Z, unix seconds. */
export const GENESIS_TIME = 1_735_689_600;
const BLOCK_SECONDS = 12;
/** Timestamp of a block, unix seconds. */
export const blockTime = (number: number): number => GENESIS_TIME + number * BLOCK_SECONDS;
/** 2100-01-01T00:00:00Z: also a fork that runs in real time can reuse the story's calls. */
export const DEADLINE = 4_102_444_800n;
