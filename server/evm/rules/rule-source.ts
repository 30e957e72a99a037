import type { RpcClient } from '../forms/json-rpc';
import type { RpcBlockHeader } from '../forms/types';
import { knownChain } from '../families/known-chains';
import { blockRules, type BlockRules, type RuledChain } from './block-rules';
import { NodeSchedules } from './node-schedule';

/** A chain and the client of its node. */
export interface AskedChain extends RuledChain {
  readonly rpc: RpcClient;
}

/** The rules of blocks, with what the chains' nodes answer about them. */
export class RuleSource {
  readonly #schedules: NodeSchedules;

  constructor(now?: () => number) {
    this.#schedules = new NodeSchedules(now);
  }

  /** Asks the node of a chain for its schedule, where that decides, so that a later call of `of` need not wait. */
  prepare({ chainId, hardfork, rpc }: AskedChain): void {
    if (isAsked(chainId, hardfork)) void this.#schedules.of(rpc, chainId);
  }

  async of(chain: AskedChain, block: RpcBlockHeader): Promise<BlockRules> {
    const { chainId, hardfork, rpc } = chain;
    const schedule = isAsked(chainId, hardfork)
      ? await this.#schedules.of(rpc, chainId)
      : undefined;
    return blockRules(chain, block, schedule);
  }
}

/** `eth_config` describes Ethereum's hardforks: it does not decide for chains with hardforks of their own, nor over a configured one. */
const isAsked = (chainId: number, hardfork: RuledChain['hardfork']): boolean =>
  hardfork === undefined && knownChain(chainId).rules?.isOwn !== true;
