/** The chain id of Hardhat's and anvil's own chains. */
export const CHAIN_ID = 31337;
/** 2025-01-01T00:00:00Z, Unix seconds. */
export const GENESIS_TIME = 1_735_689_600;
const BLOCK_SECONDS = 12;
/** Timestamp of a block, Unix seconds. */
export const blockTime = (number: number): number => GENESIS_TIME + number * BLOCK_SECONDS;
/** 2100-01-01T00:00:00Z, so that a fork running in real time can repeat the story's calls. Unix seconds. */
export const DEADLINE = 4_102_444_800n;
