import { ApiError } from '../../api/errors';
import { RpcError, type RpcCall } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { headOf } from './block-numbers';
import type { RunningFork } from './running-fork';

interface Resource {
  disabled: boolean;
  oldestBlock?: string;
}

const NOBODY = `0x${'00'.repeat(20)}`;

/**
 * `eth_capabilities`. Block 1 of the forked chain is requested once for each resource, to find whether the node has old data. A resource
 * that it lacks there starts at the fork point. Proofs are available only while the fork has no block of its own.
 */
export async function readCapabilities(fork: RunningFork): Promise<unknown> {
  const { engine, forkBlock } = fork;
  const early = toQuantity(Math.min(1, forkBlock));
  const [head, state, logs, receipts, blocks, proofs] = await Promise.all([
    engine.request('eth_getBlockByNumber', [toQuantity(headOf(fork)), false]),
    resource(fork, { method: 'eth_getBalance', params: [NOBODY, early] }),
    resource(fork, { method: 'eth_getLogs', params: [{ fromBlock: early, toBlock: early }] }),
    resource(fork, { method: 'eth_getBlockReceipts', params: [early] }),
    resource(fork, { method: 'eth_getBlockByNumber', params: [early, true] }),
    resource(fork, { method: 'eth_getProof', params: [NOBODY, [], early] }),
  ]);
  const { number, hash } = head as { number: string; hash: string };
  const stateproofs = headOf(fork) > forkBlock ? { disabled: true } : proofs;
  return { head: { number, hash }, state, tx: blocks, logs, receipts, blocks, stateproofs };
}

async function resource({ upstream, forkBlock }: RunningFork, call: RpcCall): Promise<Resource> {
  const oldest = (await has(upstream, call)) ? 0 : forkBlock;
  return { disabled: false, oldestBlock: toQuantity(oldest) };
}

async function has(node: RunningFork['upstream'], { method, params }: RpcCall): Promise<boolean> {
  try {
    return (await node.request(method, params)) !== null;
  } catch (error) {
    if (error instanceof RpcError) return false;
    if (error instanceof ApiError && error.kind === 'upstreamLacksData') return false;
    throw error;
  }
}
