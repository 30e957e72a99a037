import type { OpenBlock, PlacedBlock } from '../prefix/block-executor';
import { isExactOpStack, opUpgradeOf } from '../../rules/op-stack/upgrades';
import { BlockExecution } from './block-execution';

/** Begins the execution of a block in this process. */
export const beginBlock = (block: PlacedBlock, signal: AbortSignal): Promise<OpenBlock> => {
  const { rpc, header, isOver = false, ...blobRules } = block;
  const { chainId } = blobRules;
  const upgrade = isExactOpStack(chainId, header) ? opUpgradeOf(chainId, header) : undefined;
  const rules = { ...blobRules, upgrade };
  return BlockExecution.begin(rpc, rules, { header, isOver }, signal);
};
