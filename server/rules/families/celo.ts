/** Celo and its test networks Celo Sepolia, Alfajores and Baklava. */
const CHAINS: ReadonlySet<number> = new Set([42_220, 11_142_220, 44_787, 62_320]);

/** Whether the chain has Celo's precompiled contract at 0xfd, which moves CELO for its ERC-20 interface. */
export const isCelo = (chainId: number): boolean => CHAINS.has(chainId);
