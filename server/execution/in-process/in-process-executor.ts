import type { PlacedBlock } from '../prefix/block-executor';
import { isExactOpStack, opUpgradeOf } from '../../evm/families/op-stack/upgrades';
import { BlockExecution } from './block-execution';

/** Begins the execution of a block on this thread, which it blocks. */
export const beginBlock = (block: PlacedBlock): Promise<BlockExecution> => {
  const { rpc, header, isOver = false, ...blobRules } = block;
  const { chainId } = blobRules;
  const upgrade = isExactOpStack(chainId, header) ? opUpgradeOf(chainId, header) : undefined;
  const rules = { ...blobRules, upgrade };
  return BlockExecution.begin(rpc, rules, { header, isOver });
};
