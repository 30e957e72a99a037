import type { Hex } from '../../api/primitives';
import type { OnProgress } from '../../api/progress';
import { RpcError, type RpcClient } from '../../evm/forms/json-rpc';
import type { RpcBlock } from '../../evm/forms/types';
import {
  withEngineAt,
  type EngineAtPositionPorts,
} from '../../execution/engines/engine-at-position';
import { isSameOutcome, type Outcome } from '../expressions/chain-expression';
import type { StateAnswer, StateRead, StateReader } from '../../debugger/languages/port/state-read';
import type { BlockToSearch, FoundPosition } from './find-position';

/**
 * Finds a change in a block by binary search over its positions, each on an engine that executes the transactions before it: for blocks
 * that the executor cannot execute.
 * @throws ApiError as `withEngineAt`
 */
export async function searchOnEngine(
  { network, block, expression, before }: BlockToSearch,
  ports: EngineAtPositionPorts,
  after: Outcome,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: OnProgress | undefined },
): Promise<FoundPosition> {
  const at = (position: number): Promise<Outcome> =>
    withEngineAt(ports, { network, block, position }, { signal, onProgress }, ({ rpc }) =>
      expression.at(new EngineReader(rpc, block), signal),
    );
  let [low, lowOutcome] = [0, await at(0)];
  let [high, highOutcome] = [block.transactions.length, after];
  const found = { state: [], executor: 'anvil' } as const;
  if (!isSameOutcome(lowOutcome, before)) {
    return { transaction: undefined, before, after: lowOutcome, ...found };
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const outcome = await at(middle);
    if (isSameOutcome(outcome, before)) [low, lowOutcome] = [middle, outcome];
    else [high, highOutcome] = [middle, outcome];
  }
  const transaction = block.transactions[low];
  return { transaction, before: lowOutcome, after: highOutcome, ...found };
}

/** The newest state of an engine, in the context of a block. */
class EngineReader implements StateReader {
  constructor(
    private readonly rpc: RpcClient,
    private readonly block: RpcBlock,
  ) {}

  async read(reads: readonly StateRead[], signal: AbortSignal): Promise<readonly StateAnswer[]> {
    const { number, timestamp, baseFeePerGas } = this.block;
    const context = { number, time: timestamp, ...(baseFeePerGas && { baseFee: baseFeePerGas }) };
    const answers: StateAnswer[] = [];
    for (const read of reads) {
      const params =
        read.kind === 'call'
          ? [{ to: read.address, data: read.data }, 'latest', {}, context]
          : read.kind === 'slot'
            ? [read.address, read.slot, 'latest']
            : [read.address, 'latest'];
      answers.push(await this.#ask(METHODS[read.kind], params, signal));
    }
    return answers;
  }

  async #ask(
    method: string,
    params: readonly unknown[],
    signal: AbortSignal,
  ): Promise<StateAnswer> {
    try {
      return (await this.rpc.request(method, params, { signal })) as Hex;
    } catch (error) {
      if (method === 'eth_call' && error instanceof RpcError) return undefined;
      throw error;
    }
  }
}

const METHODS: Readonly<Record<StateRead['kind'], string>> = {
  call: 'eth_call',
  slot: 'eth_getStorageAt',
  balance: 'eth_getBalance',
  code: 'eth_getCode',
  nonce: 'eth_getTransactionCount',
};
