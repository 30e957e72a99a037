import type { Hex } from '../../api/primitives';
import { setBalance, setSlot, type EngineState } from '../../evm/forms/engine-state';
import { requestEach, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlockHeader } from '../../evm/forms/types';
import { SYSTEM_CONTRACTS } from '../../evm/rules/system-contracts';
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
 * than those that it has of the forked chain. Not before London: under rules before EIP-161 an account that does not exist differs from
 * the empty one that this makes of it.
 */
export async function keepAtHand(
  engine: RpcClient,
  block: RpcBlockHeader,
  touched: EngineState,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (block.baseFeePerGas === undefined) return;
  const reads: RpcCall[] = [];
  const writes: ((value: Hex) => RpcCall)[] = [];
  for (const [address, { storage }] of touched) {
    reads.push({ method: 'eth_getBalance', params: [address, 'latest'] });
    writes.push((value) => setBalance(address, BigInt(value)));
    // The block's context, which is entered next, writes the slots of system contracts.
    if (SYSTEM_CONTRACTS.includes(address)) continue;
    for (const slot of storage.keys()) {
      reads.push({ method: 'eth_getStorageAt', params: [address, slot, 'latest'] });
      writes.push((value) => setSlot(address, slot, value));
    }
  }
  const values = (await requestEach(engine, reads, { signal })) as Hex[];
  const changes = writes.map((write, index) => write(values[index] ?? '0x0'));
  await requestEach(engine, changes, { signal });
}
