import type { OpenBlock, PlacedBlock } from '../prefix/block-executor';
import { opUpgradeOf } from '../../rules/op-stack/upgrades';
import { BlockExecution } from './block-execution';

/** Begins the execution of a block of the OP Stack in this process. */
export const beginBlock = (block: PlacedBlock, signal: AbortSignal): Promise<OpenBlock> => {
  const { rpc, chainId, hardfork, header } = block;
  const rules = { chainId, hardfork, upgrade: opUpgradeOf(chainId, header) };
  return BlockExecution.begin(rpc, rules, header, signal);
};
