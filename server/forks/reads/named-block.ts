import type { Fields } from '../../evm/forms/fields';
import { invalidParams, RpcError } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { blockNumberOf, headOf } from './block-numbers';
import type { RunningFork } from './running-fork';
import { RPC_CODES } from '../../api/rpc-codes';

const TAGS: ReadonlySet<unknown> = new Set(['latest', 'pending', 'safe', 'finalized', 'earliest']);

/** @throws RpcError -32602 for a value that is neither a block number in hex nor a tag */
export function checkBlockName(block: unknown): void {
  if (TAGS.has(block)) return;
  if (typeof block === 'string' && /^0x[0-9a-f]{1,16}$/i.test(block)) return;
  throw invalidParams('the block', block, 'a block number as hex, or one of the block tags');
}

/** @throws RpcError -32602 */
export function checkHash(name: string, hash: unknown): void {
  if (typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash)) return;
  throw invalidParams(name, hash, '0x and 64 hex digits');
}

/**
 * A block with its transactions: from the forked chain up to the fork point, from the engine above it.
 * @param block a number, a tag or a hash
 * @throws RpcError -32000 if the fork has no such block
 */
export async function readNamedBlock(fork: RunningFork, block: unknown): Promise<Fields> {
  const number = await blockNumberOf(fork, block);
  const found =
    number === undefined || number > headOf(fork)
      ? null
      : await sourceOf(fork, number).request('eth_getBlockByNumber', [toQuantity(number), true]);
  if (found === null)
    throw new RpcError(RPC_CODES.invalidInput, `block ${String(block)} not found`);
  return found as Fields;
}

/** The source of a block: the forked chain's node, or the engine. */
export const sourceOf = (
  { forkBlock, upstream, engine }: RunningFork,
  number: number,
): RunningFork['engine'] => (number <= forkBlock ? upstream : engine);
