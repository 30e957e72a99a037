import type { Address, Hash, Hex } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import { toWord } from '../../evm/forms/quantity';
import { ZERO_ADDRESS, type BalanceClaim, type CheckedClaim } from './claims';
import { executionSteps, type CallFrame } from '../call-frame';
import type { ExecutionState } from '../execution-state';
import { explainSlotsWork, type ChangedSlot, type ExplainedSlots } from '../state/keyed-slots';
import type { Contract, MinedTransaction } from '../ports';
import { keyCandidatesWork } from '../state/name-slots';

/** Conclusions from a token's changed slots about its balances. */
export interface TokenStorage extends ExplainedSlots {
  readonly asset: Address;
  readonly standard: BalanceClaim['standard'];
  /** Accounts that own changed slots but occur in no event or call. */
  readonly unreported: readonly BalanceClaim[];
  /** Variables of the token itself changed: only the supply shows whether they hold balances. */
  readonly needsSupply: boolean;
}

interface TokenExecution {
  readonly root: CallFrame;
  readonly state: ExecutionState;
  readonly contracts: ReadonlyMap<Address, Contract>;
  readonly mined: MinedTransaction;
}

/** Limit of the accounts that are tried as keys, the likeliest first. */
const MAX_NAMED = 250;

/** Reads the storage of each token with claims. */
export function* tokenStorageWork(
  claims: readonly BalanceClaim[],
  execution: TokenExecution,
): Work<TokenStorage[]> {
  const byAsset = new Map<Address, BalanceClaim[]>();
  for (const claim of claims) {
    const own = byAsset.get(claim.asset);
    if (own) own.push(claim);
    else byAsset.set(claim.asset, [claim]);
  }
  const changed = new Map(
    [...byAsset.keys()].map((asset) => [asset, changedSlots(execution.state, asset)]),
  );
  const isChanged = [...changed.values()].some((slots) => slots.length > 0);
  const named = isChanged ? yield* namedAccountsWork(execution) : [];
  const pairs = isChanged ? yield* keyPairsWork(execution.root, byAsset) : new Map<never, never>();
  const found: TokenStorage[] = [];
  for (const [asset, own] of byAsset) {
    const standard = own[0]?.standard ?? 'erc20';
    const checked = new Set(own.map(({ account }) => account));
    const ids = [...new Set(own.flatMap(({ tokenId }) => tokenId ?? []))];
    const slots = changed.get(asset) ?? [];
    const keys = { checked: [...checked], named, pairs: pairs.get(asset) ?? [], ids };
    const explained = yield* explainSlotsWork(slots, keys);
    const isCounted = standard === 'erc20';
    const unreported = [...explained.accounts]
      .filter((account) => isCounted && account !== ZERO_ADDRESS && !checked.has(account))
      .map((account): BalanceClaim => ({ account, asset, standard, amount: 0n }));
    const needsSupply =
      isCounted && explained.variables > 0 && !explained.accounts.has(ZERO_ADDRESS);
    found.push({ ...explained, asset, standard, unreported, needsSupply });
    yield 1;
  }
  return found;
}

/**
 * Whether no other balance of the token can have changed. Each changed slot has to belong to a checked account, or to be a variable while
 * the balances add up to the supply. The changed balances have to be in these slots.
 */
export function isExplained(
  { asset, standard, accounts, unexplained, needsSupply }: TokenStorage,
  checked: readonly CheckedClaim[],
  supplies: ReadonlyMap<Address, bigint>,
): boolean {
  if (unexplained > 0) return false;
  if (standard !== 'erc20') return true;
  const own = checked.filter((one) => one.asset === asset);
  const isElsewhere = own.some(
    ({ account, measured }) => measured !== 0n && account !== asset && !accounts.has(account),
  );
  const sum = own.reduce((total, { measured }) => total + measured, 0n);
  return !isElsewhere && (!needsSupply || supplies.get(asset) === sum);
}

function changedSlots({ before, after }: ExecutionState, asset: Address): ChangedSlot[] {
  const was = before[asset]?.stateDiff ?? {};
  const is = after[asset]?.stateDiff ?? {};
  return (Object.keys({ ...was, ...is }) as Hash[]).flatMap((slot) => {
    const [one, other] = [was[slot] ?? toWord(0), is[slot] ?? toWord(0)];
    return one === other ? [] : [{ slot, before: one, after: other }];
  });
}

/** Accounts in the trace, in storage that was read (such as a fee recipient), and in code. */
function* namedAccountsWork({ root, state, contracts, mined }: TokenExecution): Work<Address[]> {
  const named = new Set<Address>([ZERO_ADDRESS, mined.block.miner.toLowerCase() as Address]);
  const isFull = (): boolean => named.size >= MAX_NAMED;
  for (const word of yield* keyCandidatesWork(root)) {
    if (word.startsWith(PADDING) && !isFull()) named.add(last20(word));
  }
  yield 1;
  for (const { stateDiff } of [...Object.values(state.before), ...Object.values(state.after)]) {
    if (isFull()) break;
    for (const value of Object.values(stateDiff ?? {})) {
      if (isFull()) break;
      for (const account of addressesIn(value)) named.add(account);
    }
    yield 1;
  }
  for (const { code } of contracts.values()) {
    if (isFull()) break;
    for (const [, account] of (code ?? '').matchAll(PUSH20)) {
      if (isFull()) break;
      named.add(`0x${account ?? ''}`);
    }
    yield 1;
  }
  return [...named].slice(0, MAX_NAMED);
}

const PADDING = `0x${'0'.repeat(24)}`;
const PUSH20 = /73([0-9a-f]{40})/g;
const last20 = (word: Hash): Address => `0x${word.slice(26)}`;

/** An address may share its slot with smaller variables: bytes to its right. */
const OFFSETS = [0, 1, 2, 4, 8, 12];
const addressesIn = (value: Hash): Address[] =>
  OFFSETS.map((bytes): Address => `0x${value.slice(26 - bytes * 2, 66 - bytes * 2)}`);

const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
const MAX_PAIRS = 24;
/** Arguments of a call that are read: a mapping with more keys is improbable. */
const MAX_WORDS = 64;

/** Pairs of one token, the likeliest first. */
class KeyPairs {
  readonly #pairs = new Map<string, readonly [Hash, Hash]>();

  get isFull(): boolean {
    return this.#pairs.size >= MAX_PAIRS;
  }

  get all(): (readonly [Hash, Hash])[] {
    return [...this.#pairs.values()];
  }

  add(outer: Hash, inner: Hash): void {
    if (!this.isFull) this.#pairs.set(`${outer} ${inner}`, [outer, inner]);
  }
}

/** Keys of nested mappings, by token: owner and spender, id and holder, and accounts with the arguments of calls to the token. */
function* keyPairsWork(
  root: CallFrame,
  byAsset: ReadonlyMap<Address, readonly BalanceClaim[]>,
): Work<ReadonlyMap<Address, (readonly [Hash, Hash])[]>> {
  const pairs = new Map<Address, KeyPairs>();
  for (const [asset, claims] of byAsset) {
    const own = new KeyPairs();
    pairs.set(asset, own);
    for (const { tokenId, account } of claims) {
      if (own.isFull) break;
      if (tokenId === undefined) continue;
      own.add(toWord(tokenId), wordOf(account));
      own.add(wordOf(account), toWord(tokenId));
    }
  }
  for (const { frame, log, reverted } of executionSteps(root)) {
    yield 1;
    const asset = log ? log.address : frame.to;
    const own = asset === null ? undefined : pairs.get(asset);
    if (reverted || asset === null || !own || own.isFull) continue;
    if (log) addApproval(own, log.topics);
    else addArguments(own, frame, byAsset.get(asset) ?? []);
  }
  return new Map([...pairs].map(([asset, own]) => [asset, own.all]));
}

function addApproval(pairs: KeyPairs, [signature, owner, spender]: readonly Hash[]): void {
  if (signature === APPROVAL && owner && spender) pairs.add(owner, spender);
}

function addArguments(
  pairs: KeyPairs,
  { from, input }: CallFrame,
  claims: readonly BalanceClaim[],
): void {
  const words = wordsOf(input);
  for (const word of words.slice(0, 2)) {
    pairs.add(word, wordOf(from));
    pairs.add(wordOf(from), word);
  }
  for (const word of words.slice(2)) {
    for (const { account } of claims) {
      if (pairs.isFull) return;
      pairs.add(wordOf(account), word);
    }
  }
}

const wordOf = (account: Address): Hash => toWord(BigInt(account));
const wordsOf = (input: Hex): Hash[] =>
  Array.from(
    input.slice(10, 10 + MAX_WORDS * 64).match(/.{64}/g) ?? [],
    (digits): Hash => `0x${digits}`,
  );
