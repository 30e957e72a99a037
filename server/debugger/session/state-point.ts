import type { Network } from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import type { Address } from '../../api/primitives';
import type { StateOverrides } from '../../api/simulate';
import { RpcError } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { RpcBlockHeader } from '../../evm/forms/types';
import { SYSTEM_CONTRACTS } from '../../evm/rules/system-contracts';
import type { Account } from '../../evm/interpreter/world';
import type { Assumed } from '../languages/port/other-state';

/** Where the state is that an execution finds. */
export interface StatePoint {
  readonly network: Network;
  readonly block: Pick<RpcBlockHeader, 'number'>;
  /** Transactions of the block before it. */
  readonly position: number;
  /** Whether all of the block's transactions are before it. */
  readonly isAfterBlock?: boolean;
  /** Of a simulation. */
  readonly overrides?: StateOverrides;
  /** Why no other state than that of the recording can be read. */
  readonly unavailable?: string;
}

/** A slot; an account without one. */
export interface Item {
  readonly address: string;
  readonly slot?: bigint;
}

interface Unread {
  kind: 'unread';
  reason: string;
  isLasting: boolean;
}
export type ItemRead =
  | { kind: 'slot'; value: bigint | Assumed }
  | { kind: 'account'; value: Account | Assumed<Account> }
  | Unread;

const TIMEOUT_MS = 10_000;
const SAME_AROUND = 'the same before and after the block';
const AFTER_FIRST = 'as after block 0';
const WORD = /^0x[0-9a-f]{1,64}$/i;
const BYTES = /^0x([0-9a-f]{2})*$/i;
/** What is read of an account, by method. */
const ACCOUNT_PARTS: readonly (readonly [method: string, form: RegExp])[] = [
  ['eth_getBalance', WORD],
  ['eth_getTransactionCount', WORD],
  ['eth_getCode', BYTES],
];

/** One part of an item, after one or several blocks. */
interface Part {
  readonly method: string;
  readonly params: readonly string[];
  readonly form: RegExp;
}

const partsOf = ({ address, slot }: Item): Part[] =>
  slot === undefined
    ? ACCOUNT_PARTS.map(([method, form]) => ({ method, form, params: [address] }))
    : [{ method: 'eth_getStorageAt', form: WORD, params: [address, toWord(slot)] }];

/** Reads parts of the state as an execution finds it. @throws the signal's reason */
export async function readItems(
  point: StatePoint,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<ItemRead[]> {
  const plans = items.map((item) => {
    const { blocks, assumption } = blocksOf(point, item);
    const parts = partsOf(item);
    const calls = parts.flatMap(({ method, params }) =>
      blocks.map((block) => ({ method, params: [...params, toQuantity(block)] })),
    );
    return { item, parts, calls, assumption };
  });
  const calls = plans.flatMap((plan) => plan.calls);
  const answers = await point.network.rpc
    .requestAll(calls, { signal, timeoutMs: TIMEOUT_MS })
    .catch((error: unknown) => {
      signal.throwIfAborted();
      return calls.map(() => ({ status: 'rejected' as const, reason: error }));
    });
  let first = 0;
  return plans.map(({ item, parts, calls: own, assumption }) => {
    const found = answers.slice(first, (first += own.length));
    const count = own.length / parts.length;
    const what = item.slot === undefined ? 'account' : 'slot';
    const texts: string[] = [];
    for (const [index, { form }] of parts.entries()) {
      const text = sameText(found.slice(index * count, (index + 1) * count), form, what);
      if (typeof text !== 'string') return text;
      texts.push(text);
    }
    const assumed = <T>(value: T): T | Assumed<T> =>
      assumption === undefined ? value : { value, assumption };
    if (what === 'slot') return { kind: what, value: assumed(BigInt(texts[0] ?? 0)) };
    return { kind: what, value: assumed(accountOf(point, item, texts)) };
  });
}

function accountOf(
  { overrides }: StatePoint,
  { address }: Item,
  texts: readonly string[],
): Account {
  const own = overrides?.[address as Address];
  const [balance = '0x0', nonce = '0x0', code = '0x'] = texts;
  return {
    balance: BigInt(own?.balance ?? balance),
    nonce: Number(own?.nonce ?? nonce),
    code: Buffer.from((own?.code ?? code).slice(2), 'hex'),
  };
}

/** Blocks after which a part of the state has to be the same, and the assumption if that does not prove it. */
function blocksOf(
  { network, position, block, isAfterBlock = false }: StatePoint,
  { address, slot }: Item,
): { blocks: readonly bigint[]; assumption?: string } {
  const number = BigInt(block.number);
  // The state of a fork may be changed between its blocks.
  const isSettled = network.replayable && network.standsForFork !== true;
  if (number === 0n) return { blocks: [0n], ...(!isSettled && { assumption: AFTER_FIRST }) };
  if (isSettled && isAfterBlock) return { blocks: [number] };
  const isChangedFirst = slot !== undefined && SYSTEM_CONTRACTS.includes(address);
  if (isSettled && position === 0 && !isChangedFirst) return { blocks: [number - 1n] };
  return { blocks: [number - 1n, number], assumption: SAME_AROUND };
}

function sameText(
  answers: readonly PromiseSettledResult<unknown>[],
  form: RegExp,
  what: 'slot' | 'account',
): string | Unread {
  const texts: string[] = [];
  for (const answer of answers) {
    const text = textOf(answer, form);
    if (typeof text !== 'string') {
      const reason = `the ${what} cannot be read from the node: ${text.failure}`;
      return { kind: 'unread', reason, isLasting: false };
    }
    texts.push(text);
  }
  const [first = '0x', ...others] = texts;
  const isSame = (other: string): boolean =>
    form === WORD ? BigInt(other) === BigInt(first) : other.toLowerCase() === first.toLowerCase();
  if (others.every(isSame)) return first;
  const value = what === 'slot' ? 'its value' : 'its state';
  return {
    kind: 'unread',
    reason: `the block changes the ${what} outside of this transaction, and ${value} between is not known`,
    isLasting: true,
  };
}

function textOf(answer: PromiseSettledResult<unknown>, form: RegExp): string | { failure: string } {
  if (answer.status === 'fulfilled') {
    const { value } = answer;
    if (typeof value === 'string' && form.test(value)) return value;
    return { failure: form === WORD ? 'the answer is not a word' : 'the answer is not code' };
  }
  const { reason } = answer as { reason: unknown };
  const isKnown = reason instanceof RpcError || reason instanceof ApiError;
  return { failure: isKnown ? reason.message : 'no answer' };
}
