import type { Address, Hash, Hex } from '../../api/primitives';
import { toWord } from '../../ethereum/quantity';
import { ZERO_ADDRESS, type BalanceClaim, type CheckedClaim } from './claims';
import { executionSteps, type CallFrame } from '../call-frame';
import type { ExecutionState } from '../execution-state';
import { explainSlots, type ChangedSlot, type ExplainedSlots } from '../state/keyed-slots';
import type { Contract, MinedTransaction } from '../ports';
import { keyCandidates } from '../state/name-slots';

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
export function readTokenStorage(
  claims: readonly BalanceClaim[],
  execution: TokenExecution,
): TokenStorage[] {
  const named = namedAccounts(execution);
  return [...new Set(claims.map(({ asset }) => asset))].map((asset) => {
    const own = claims.filter((one) => one.asset === asset);
    const standard = own[0]?.standard ?? 'erc20';
    const checked = [...new Set(own.map(({ account }) => account))];
    const ids = [...new Set(own.flatMap(({ tokenId }) => tokenId ?? []))];
    const pairs = keyPairs(execution.root, asset, own);
    const slots = changedSlots(execution.state, asset);
    const explained = explainSlots(slots, { checked, named, pairs, ids });
    const isCounted = standard === 'erc20';
    const unreported = [...explained.accounts]
      .filter((account) => isCounted && account !== ZERO_ADDRESS && !checked.includes(account))
      .map((account): BalanceClaim => ({ account, asset, standard, amount: 0n }));
    const needsSupply =
      isCounted && explained.variables > 0 && !explained.accounts.has(ZERO_ADDRESS);
    return { ...explained, asset, standard, unreported, needsSupply };
  });
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
function namedAccounts({ root, state, contracts, mined }: TokenExecution): Address[] {
  const named = new Set<Address>([ZERO_ADDRESS, mined.block.miner.toLowerCase() as Address]);
  for (const word of keyCandidates(root)) if (word.startsWith(PADDING)) named.add(last20(word));
  for (const { stateDiff } of [...Object.values(state.before), ...Object.values(state.after)]) {
    for (const value of Object.values(stateDiff ?? {})) {
      for (const account of addressesIn(value)) named.add(account);
    }
  }
  for (const { code } of contracts.values()) {
    for (const [, account] of (code ?? '').matchAll(PUSH20)) named.add(`0x${account ?? ''}`);
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

/** Keys of nested mappings: owner and spender, id and holder, and accounts with the arguments of calls to the token. */
function keyPairs(
  root: CallFrame,
  asset: Address,
  claims: readonly BalanceClaim[],
): (readonly [Hash, Hash])[] {
  const pairs = new Map<string, readonly [Hash, Hash]>();
  const add = (outer: Hash, inner: Hash): void => {
    pairs.set(`${outer} ${inner}`, [outer, inner]);
  };
  for (const { tokenId, account } of claims) {
    if (tokenId === undefined) continue;
    add(toWord(tokenId), wordOf(account));
    add(wordOf(account), toWord(tokenId));
  }
  const holders = claims.map(({ account }) => wordOf(account));
  for (const { frame, log, reverted } of executionSteps(root)) {
    if (reverted || pairs.size > MAX_PAIRS) continue;
    if (log) {
      const [signature, owner, spender] = log.topics;
      if (log.address === asset && signature === APPROVAL && owner && spender) add(owner, spender);
    } else if (frame.to === asset) {
      const words = wordsOf(frame.input);
      for (const word of words.slice(0, 2)) {
        add(word, wordOf(frame.from));
        add(wordOf(frame.from), word);
      }
      for (const word of words.slice(2)) for (const holder of holders) add(holder, word);
    }
  }
  return [...pairs.values()].slice(0, MAX_PAIRS);
}

const wordOf = (account: Address): Hash => toWord(BigInt(account));
const wordsOf = (input: Hex): Hash[] =>
  Array.from(input.slice(10).match(/.{64}/g) ?? [], (digits): Hash => `0x${digits}`);
