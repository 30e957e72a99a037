import type { Address, Hash, Hex } from '../../api/primitives';
import { isDelegation } from './authorizations';
import { requestEach, type RpcCall, type RpcClient } from './json-rpc';
import { toQuantity } from './quantity';

/** The part of an account that the engine has loaded: untouched slots are missing. */
export interface EngineAccount {
  balance: bigint;
  nonce: bigint;
  code: Hex;
  storage: Map<Hash, Hash>;
}

/** The part of the state that the engine has read or written since it forked. */
export type EngineState = Map<Address, EngineAccount>;

/** The calls that change state `from` into `to`. Both must contain the same accounts and slots. */
export function stateChanges(from: EngineState, to: EngineState): RpcCall[] {
  const calls: RpcCall[] = [];
  for (const [address, account] of to) {
    const current = from.get(address);
    if (account.balance !== current?.balance) calls.push(setBalance(address, account.balance));
    if (account.nonce !== current?.nonce) calls.push(setNonce(address, account.nonce));
    if (account.code !== current?.code) calls.push(setCode(address, account.code));
    for (const [slot, value] of account.storage) {
      if (value !== current?.storage.get(slot)) calls.push(setSlot(address, slot, value));
    }
  }
  return calls;
}

/** The first account whose delegation (EIP-7702) differs between two executions of the same transactions, in words. */
export function delegationDifference(one: EngineState, other: EngineState): string | undefined {
  for (const [address, { code }] of other) {
    const twin = one.get(address)?.code ?? '0x';
    if (twin === code || !(isDelegation(twin) || isDelegation(code))) continue;
    return `the delegation of account ${address} is not certain: mined in one block, the transactions leave code ${twin}; executed one by one, they leave code ${code}`;
  }
  return undefined;
}

export const setBalance = (address: Address, balance: bigint): RpcCall => ({
  method: 'anvil_setBalance',
  params: [address, toQuantity(balance)],
});
export const setNonce = (address: Address, nonce: bigint): RpcCall => ({
  method: 'anvil_setNonce',
  params: [address, toQuantity(nonce)],
});
export const setCode = (address: Address, code: Hex): RpcCall => ({
  method: 'anvil_setCode',
  params: [address, code],
});
export const setSlot = (address: Address, slot: Hash, value: Hex): RpcCall => ({
  method: 'anvil_setStorageAt',
  params: [address, slot, value],
});

/**
 * Adds the accounts and slots of `like` that `state` lacks, read from the engine.
 * @param block block at which the engine's state matches `state`
 */
export async function complete(
  engine: RpcClient,
  state: EngineState,
  like: EngineState,
  block: string,
  signal?: AbortSignal,
): Promise<void> {
  const reads: RpcCall[] = [];
  const take: ((value: Hex) => void)[] = [];
  const read = (method: string, params: unknown[], use: (value: Hex) => void): void => {
    reads.push({ method, params: [...params, block] });
    take.push(use);
  };
  for (const [address, { storage }] of like) {
    let account = state.get(address);
    if (!account) {
      const added: EngineAccount = { balance: 0n, nonce: 0n, code: '0x', storage: new Map() };
      account = added;
      state.set(address, added);
      read('eth_getBalance', [address], (value) => (added.balance = BigInt(value)));
      read('eth_getTransactionCount', [address], (value) => (added.nonce = BigInt(value)));
      read('eth_getCode', [address], (value) => (added.code = value));
    }
    const slots = account.storage;
    for (const slot of storage.keys()) {
      if (slots.has(slot)) continue;
      read('eth_getStorageAt', [address, slot], (value) => slots.set(slot, value));
    }
  }
  const values = await requestEach(engine, reads, { signal });
  for (const [index, value] of values.entries()) take[index]?.(value as Hex);
}
