import type { Address, Hash, Hex } from '../../api/primitives';
import type { RpcCall } from './json-rpc';
import { toWord } from './quantity';
import { setBalance, setCode, setNonce, setSlot } from './engine-state';

export interface DiffAccount {
  balance?: Hex;
  nonce?: number;
  code?: Hex;
  storage?: Record<Hash, Hash>;
}

/** Result of geth's prestateTracer in diff mode. */
export interface StateDiff {
  pre: Record<Address, DiffAccount>;
  post: Record<Address, DiffAccount>;
}

export const DIFF_TRACER = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } } as const;

/** Nodes that lack the tracer may answer with the result of another one. */
export const isStateDiff = (answer: unknown): answer is StateDiff =>
  typeof answer === 'object' && answer !== null && 'pre' in answer && 'post' in answer;

/** The calls that apply a difference to a state. */
export function changesOf({ pre, post }: StateDiff): RpcCall[] {
  const calls: RpcCall[] = [];
  // Entries in `pre` only are gone: a slot that became zero, or an account that was destroyed.
  for (const [address, before] of Object.entries(pre) as [Address, DiffAccount][]) {
    const after = post[address];
    for (const slot of Object.keys(before.storage ?? {}) as Hash[]) {
      if (after?.storage?.[slot] === undefined) calls.push(setSlot(address, slot, toWord(0)));
    }
    if (after !== undefined) continue;
    calls.push(setBalance(address, 0n), setNonce(address, 0n), setCode(address, '0x'));
  }
  for (const [address, after] of Object.entries(post) as [Address, DiffAccount][]) {
    if (after.balance !== undefined) calls.push(setBalance(address, BigInt(after.balance)));
    if (after.nonce !== undefined) calls.push(setNonce(address, BigInt(after.nonce)));
    if (after.code !== undefined) calls.push(setCode(address, after.code));
    for (const [slot, value] of Object.entries(after.storage ?? {}) as [Hash, Hash][]) {
      calls.push(setSlot(address, slot, value));
    }
  }
  return calls;
}
