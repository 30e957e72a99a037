import { ApiError } from '../../api/errors';
import type { Address } from '../../api/primitives';
import type { StateOverrides } from '../../api/simulate';
import { requestEach, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { RpcBlock } from '../../evm/forms/types';
import { completeDiff, NO_LIFECYCLE_EVENTS } from '../../evm/forms/complete-diff';
import { DIFF_TRACER, isStateDiff, type StateDiff } from '../../evm/forms/prestate-diff';

/**
 * The state after the first `position` transactions of a block, as overrides of the state after its parent. The changes are those that the
 * node's tracer reports for each transaction.
 * @throws ApiError `upstreamLacksData` if the node does not report them; the errors of its client
 */
export async function changesOfPrefix(
  rpc: RpcClient,
  block: RpcBlock,
  position: number,
  signal: AbortSignal,
): Promise<StateOverrides> {
  const calls = block.transactions
    .slice(0, position)
    .map(({ hash }) => ({ method: 'debug_traceTransaction', params: [hash, DIFF_TRACER] }));
  let state: StateOverrides = {};
  for (const [index, diff] of (await requestEach(rpc, calls, { signal })).entries()) {
    const transaction = block.transactions[index];
    if (!isStateDiff(diff) || !transaction) {
      throw new ApiError(
        'upstreamLacksData',
        `the node does not return the changes of the first ${position} transactions of block ${Number(block.number)}`,
      );
    }
    state = mergeOverrides(
      state,
      overridesOf(completeDiff(diff, { transaction, ...NO_LIFECYCLE_EVENTS })),
    );
  }
  return state;
}

/** Entries in `pre` only are gone: a slot that became zero, or an account that was destroyed with all its storage. */
function overridesOf({ pre, post }: StateDiff): StateOverrides {
  const state: StateOverrides = {};
  for (const address of Object.keys({ ...pre, ...post }) as Address[]) {
    const before = pre[address];
    if (post[address] === undefined) {
      state[address] = { balance: '0x0', nonce: '0x0', code: '0x', state: {} };
      continue;
    }
    const { balance, nonce, code, storage } = post[address];
    const cleared = Object.keys(before?.storage ?? {}).map((slot) => [slot, toWord(0)] as const);
    state[address] = {
      ...(balance === undefined ? {} : { balance }),
      ...(nonce === undefined ? {} : { nonce: toQuantity(BigInt(nonce)) }),
      ...(code === undefined ? {} : { code }),
      stateDiff: { ...Object.fromEntries(cleared), ...storage },
    };
  }
  return state;
}

/** Merges by field and slot; `over` takes precedence. If it replaces a whole storage, no slot of `under` remains. */
export function mergeOverrides(under: StateOverrides, over: StateOverrides): StateOverrides {
  const merged = { ...under };
  for (const [address, { state, stateDiff, ...fields }] of entries(over)) {
    const { stateDiff: slots, ...below } = merged[address] ?? {};
    const storage = state ? { state } : { stateDiff: { ...slots, ...stateDiff } };
    merged[address] = { ...below, ...fields, ...storage };
  }
  return merged;
}

const entries = (overrides: StateOverrides): [Address, StateOverrides[Address]][] =>
  Object.entries(overrides) as [Address, StateOverrides[Address]][];
