import type { AbiSource, Network, NetworkResolver, TokenFactsSource } from '../../analysis/ports';
import type { SimulationNetworks } from '../../analysis/simulation/simulation';
import { fetchIncludedTransaction } from '../../analysis/transactions/load';
import { ApiError, invalidField } from '../../api/errors';
import type { Hash } from '../../api/primitives';
import type { OnProgress } from '../../api/progress';
import type { OtherBlock, ReorderBody } from '../../api/reorder';
import type { RpcBlock, RpcTransaction } from '../../evm/forms/types';
import {
  exactExecution,
  type EngineAtPositionPorts,
} from '../../execution/engines/engine-at-position';
import type { Executions } from '../../execution/engines/executions';
import { reasonOf, type ExactExecution } from '../../execution/prefix/apply-executed';
import { fetchBlock } from '../../execution/prefix/upstream-block';
import { executedAsItWas, type AsItWas } from './as-it-was';
import { answerOf } from './other-block';
import { planBlock, type Plan } from './plan';
import { runBlock, type Ran, type Refused } from './run-block';

/** Of an inserted transaction that names no gas; EIP-7825 permits no more. */
const MOST_GAS = 16_777_216n;

export interface ReorderPorts {
  readonly networks: SimulationNetworks & NetworkResolver;
  readonly engines: Pick<EngineAtPositionPorts, 'executor' | 'rulesOf'>;
  readonly executions: Executions;
  readonly abis: AbiSource;
  readonly tokens: TokenFactsSource;
}

interface Options {
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress | undefined;
}

/** Executes a past block with other transactions, or in another order. */
export class OtherBlocks {
  constructor(private readonly ports: ReorderPorts) {}

  /**
   * @param chain slug of a chain, or id of a fork
   * @param user the caller, whose ABIs apply
   * @throws ApiError `invalidField`, `rulesUnsupported`, `transactionNotFound`, `transactionPending`; errors of the chain's node
   */
  async run(chain: string, body: ReorderBody, user: string, options: Options): Promise<OtherBlock> {
    const { signal } = options;
    const place = { height: body.block, position: 0, field: 'block' };
    const { network, block: found } = await this.ports.networks.at(chain, place, signal);
    const number = Number(found.number);
    if (number === 0) throw invalidField('block', 0, 'a block after the first one');
    const block = await fetchBlock(network.rpc, number, { signal, chainId: network.chainId });
    if (!block) {
      throw new ApiError('upstreamLacksData', `the node of ${network.key} has no block ${number}`);
    }
    const limit = BigInt(block.gasLimit);
    const plan = planBlock(block, body.changes, {
      mined: await this.#mined(chain, body.changes, signal),
      chainId: network.chainId,
      mostGas: limit < MOST_GAS ? limit : MOST_GAS,
    });
    const exact = await exactExecution(this.ports.engines, network, block);
    if (!exact) throw new ApiError('rulesUnsupported', 'nothing here executes whole blocks');
    const executed = await this.ports.executions.add(
      () => executeBoth(exact, { network, block, plan }, options),
      signal,
    );
    return answerOf(
      { network: { ...network, user }, block, plan, ...executed, withState: body.state },
      this.ports,
      signal,
    );
  }

  /** The transactions of other blocks that are inserted. */
  async #mined(
    chain: string,
    changes: ReorderBody['changes'],
    signal: AbortSignal,
  ): Promise<Map<Hash, RpcTransaction>> {
    const found = new Map<Hash, RpcTransaction>();
    for (const change of changes) {
      if (change.kind !== 'insertMined') continue;
      const network = await this.ports.networks.resolve(chain, change.hash, signal);
      found.set(change.hash, await fetchIncludedTransaction(network, change.hash, signal));
    }
    return found;
  }
}

/** @throws ApiError `rulesUnsupported` where the executor cannot execute the block; errors of the chain's node */
async function executeBoth(
  { executor, place }: ExactExecution,
  { network, block, plan }: { network: Network; block: RpcBlock; plan: Plan },
  { signal, onProgress }: Options,
): Promise<{ was: AsItWas; results: (Ran | Refused)[] }> {
  const count = block.transactions.length;
  const total = count + plan.transactions.length;
  const run = { network, block, signal };
  try {
    const was = await executedAsItWas({ executor, place }, run, (done) =>
      onProgress?.({ stage: 'executing the block as it was', done, total }),
    );
    const open = await executor.open(place, signal);
    try {
      const onRan = (done: number): void =>
        onProgress?.({ stage: 'executing the other block', done: count + done, total });
      return { was, results: await runBlock(open, plan.transactions, { ...run, onRan }) };
    } finally {
      open.close();
    }
  } catch (error) {
    throw new ApiError('rulesUnsupported', reasonOf(error, signal), { cause: error });
  }
}
