/* Differences of chains from Ethereum that the engine does not implement. Forks of these chains work, except in these respects. */

const L1_FEE = 'the L1 data fee is not charged';
const OP_STACK = 'transactions sent to a fork pay neither the L1 data fee nor the operator fee';
/** For forks that charge the fees of the OP Stack. */
export const OP_STACK_FEES =
  'the L1 data fee and the operator fee are taken at the end of each block, so a contract that reads the balance of a sender or of a fee vault in the same block sees it without them';
/** Chains on the OP Stack whose fees differ from its specifications. */
const OTHER_OP_STACK = `${L1_FEE}; deposits are executed without a fee`;
const ARBITRUM =
  "ArbOS and its precompiles are not executed, the L1 part of the gas is not charged, and block.number is the chain's own instead of that of L1";
const CELO = `${OTHER_OP_STACK}; fees are paid in CELO only`;
const BLAST = `${OTHER_OP_STACK}; balances do not earn yield`;
const ZK_STACK =
  'its contracts are EraVM bytecode, which the engine cannot execute: calls to them fail, while balances, nonces and storage are right';

const OWN_RULES: ReadonlyMap<number, string> = new Map([
  [10, OP_STACK],
  [130, OP_STACK],
  [204, OTHER_OP_STACK],
  [480, OP_STACK],
  [919, OP_STACK],
  [1_301, OP_STACK],
  [1_868, OP_STACK],
  [1_946, OP_STACK],
  [4_801, OP_STACK],
  [5_000, OTHER_OP_STACK],
  [5_003, OTHER_OP_STACK],
  [5_611, OTHER_OP_STACK],
  [8_453, OP_STACK],
  [34_443, OP_STACK],
  [57_073, OP_STACK],
  [84_532, OP_STACK],
  [763_373, OP_STACK],
  [7_777_777, OP_STACK],
  [11_155_420, OP_STACK],
  [999_999_999, OP_STACK],
  [42_161, ARBITRUM],
  [42_170, ARBITRUM],
  [421_614, ARBITRUM],
  [42_220, CELO],
  [11_142_220, CELO],
  [44_787, CELO],
  [62_320, CELO],
  [81_457, BLAST],
  [168_587_773, BLAST],
  [324, ZK_STACK],
  [534_352, L1_FEE],
]);

/** Description of the differences; undefined if the chain follows Ethereum or is unknown. */
export const ownRulesOf = (chainId: number): string | undefined => OWN_RULES.get(chainId);

/** Whether the chain counts gas differently from Ethereum: with a part for the parent chain, or for another virtual machine. */
export function hasOwnGas(chainId: number): boolean {
  const rules = OWN_RULES.get(chainId);
  return rules === ARBITRUM || rules === ZK_STACK;
}
