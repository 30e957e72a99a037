import type { Hex } from '../../api/primitives';
import { setBalance, setSlot, type EngineState } from '../../ethereum/engine-state';
import { requestEach, type RpcCall, type RpcClient } from '../../ethereum/json-rpc';
import { toQuantity } from '../../ethereum/quantity';
import type { RpcBlockHeader } from '../../ethereum/types';
import { blockOverrides } from './predict-effects';
import type { ReplayStep } from './replay-steps';
import { asCall } from './transaction-to-call';

/** Balance that is enough for any transaction, in wei: its sender may receive funds earlier in the block. */
const AMPLE_BALANCE = toQuantity(2n ** 128n);

/**
 * Loads the state that transactions will touch. Execution reads it one slot after the other; concurrent calls share the waiting time. Their
 * results are ignored. The senders get their future nonces, which determine the addresses of new contracts.
 */
export async function warm(
  engine: RpcClient,
  block: RpcBlockHeader,
  steps: readonly ReplayStep[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const calls = steps.map(({ transaction }) => {
    const { from, nonce } = transaction;
    const state = { [from]: { nonce, balance: AMPLE_BALANCE } };
    const params = [asCall(transaction), 'latest', state, blockOverrides(block)];
    return { method: 'eth_call', params };
  });
  await engine.requestAll(calls, { signal });
}

/**
 * Writes the engine's balances and slots of this state as its own. Calls read them, and the accounts of the balances, several times faster
 * than those that it has of the forked chain. Before EIP-161 an empty account differed from one that does not exist: accounts without a
 * balance are left out.
 */
export async function keepAtHand(
  engine: RpcClient,
  block: RpcBlockHeader,
  touched: EngineState,
  signal: AbortSignal | undefined,
): Promise<void> {
  const entries = [...touched].flatMap(([address, { storage }]) => [
    { address, slot: undefined },
    ...Array.from(storage.keys(), (slot) => ({ address, slot })),
  ]);
  const reads = entries.map(({ address, slot }): RpcCall =>
    slot === undefined
      ? { method: 'eth_getBalance', params: [address, 'latest'] }
      : { method: 'eth_getStorageAt', params: [address, slot, 'latest'] },
  );
  const values = (await requestEach(engine, reads, { signal })) as Hex[];
  const isSinceLondon = block.baseFeePerGas !== undefined;
  let isLeftOut = false;
  const writes: RpcCall[] = [];
  for (const [index, { address, slot }] of entries.entries()) {
    const value = values[index] ?? '0x0';
    if (slot === undefined) isLeftOut = !isSinceLondon && BigInt(value) === 0n;
    if (isLeftOut) continue;
    writes.push(
      slot === undefined ? setBalance(address, BigInt(value)) : setSlot(address, slot, value),
    );
  }
  await requestEach(engine, writes, { signal });
}
