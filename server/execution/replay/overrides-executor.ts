import type { StateOverride } from '../../analysis/execution-state';
import type { Address, Hash, Hex } from '../../api/primitives';
import {
  requestEach,
  RpcError,
  type RpcCall,
  type RpcCallOptions,
  type RpcClient,
} from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { AccessListEntry, RpcBlockHeader, RpcTransaction } from '../../evm/forms/types';
import { asCallWithNonce } from '../prefix/transaction-to-call';
import { completeDiff, NO_LIFECYCLE_EVENTS } from '../../evm/forms/complete-diff';
import { blockOverrides } from '../prefix/predict-effects';
import { OPCODES } from '../prefix/opcodes';
import { DIFF_TRACER, type StateDiff } from '../../evm/forms/prestate-diff';
import type { Access, ChainState } from './chain-state';

/** Number of blocks that BLOCKHASH can return. */
const ANCESTORS = 256;
/** Rounds of finding further state that a transaction touches. A chain of proxies takes a few. */
const MAX_ROUNDS = 40;

/** Transactions in one request to the engine: each includes the code of all contracts that it calls. */
const BATCH = 16;
/** Returns the accounts and slots that a transaction touches, without their code, which is already loaded. */
const ACCESS_TRACER = { tracer: 'prestateTracer', tracerConfig: { disableCode: true } } as const;

type Touched = Record<Address, { storage?: Record<Hash, Hash> }>;

/** A transaction, and the state to load before its first execution. */
export interface Guess {
  readonly transaction: RpcTransaction;
  readonly access: Access;
}

/** State that a transaction touches and changes. */
export interface DiscoveredState {
  readonly access: Access;
  /** Result of the tracer from which `access` was read. */
  readonly touched: unknown;
  readonly changes: StateDiff;
}

/** Each round shows further state, so that a fork of the chain, which reads state on demand, is the better way. */
export class TooManyRounds extends Error {
  override readonly name = 'TooManyRounds';
}

/** Executes the transactions of a block on an engine without a chain. Each call includes all the state that it touches, as overrides. */
export class OverridesExecutor {
  #hashes: Promise<Record<string, Hash>> | undefined;

  constructor(
    private readonly engine: RpcClient,
    private readonly upstream: RpcClient,
    readonly state: ChainState,
    private readonly block: RpcBlockHeader,
    /** In place of the chain's. */
    private readonly codes: ReadonlyMap<Address, Hex> = new Map(),
  ) {}

  /**
   * Executes transactions, each separately on the current state, and repeats this with the state that they turned out to touch, until
   * nothing is missing. All run concurrently: a round sends one batch to the chain, however many transactions there are.
   * @returns results by hash, without transactions that the engine refuses, for example for lack of balance
   * @throws TooManyRounds
   */
  async discoverState(
    guesses: readonly Guess[],
    signal: AbortSignal,
  ): Promise<Map<Hash, DiscoveredState>> {
    const discovered = new Map<Hash, DiscoveredState>();
    let open = guesses;
    for (let round = 0; open.length > 0; round++) {
      if (round === MAX_ROUNDS) throw new TooManyRounds();
      await this.state.load(union(...open.map(({ access }) => access)), signal);
      const answers = await this.#traceAll(open, signal);
      open = open.flatMap(({ transaction, access }, index) => {
        const answer = answers[index];
        if (!answer) return [];
        const wider = union(access, accessOf(answer.touched));
        if (sizeOf(wider) > sizeOf(access)) return [{ transaction, access: wider }];
        discovered.set(transaction.hash, { access, ...answer });
        return [];
      });
    }
    return discovered;
  }

  /** Traces a transaction as a call in the context of the block, on the given state. */
  async trace(guess: Guess, tracer: object, options: RpcCallOptions): Promise<unknown> {
    const { method, params } = await this.#call(guess, tracer, options.signal);
    return this.engine.request(method, params, options);
  }

  /** @returns undefined for transactions that the engine refuses */
  async #traceAll(
    guesses: readonly Guess[],
    signal: AbortSignal,
  ): Promise<({ touched: Touched; changes: StateDiff } | undefined)[]> {
    const answers: (readonly unknown[] | undefined)[] = [];
    for (let start = 0; start < guesses.length; start += BATCH) {
      const batch = guesses.slice(start, start + BATCH);
      const calls = batch.flatMap((guess) =>
        [ACCESS_TRACER, DIFF_TRACER].map((tracer) => this.#call(guess, tracer, signal)),
      );
      const outcomes = await this.engine.requestAll(await Promise.all(calls), { signal });
      answers.push(
        ...batch.map((_, index) => unlessRefused(outcomes.slice(index * 2, index * 2 + 2))),
      );
    }
    return answers.map((answer, index) => {
      const transaction = guesses[index]?.transaction;
      if (!answer || !transaction) return undefined;
      const changes = completeDiff(answer[1] as StateDiff, { transaction, ...NO_LIFECYCLE_EVENTS });
      return { touched: answer[0] as Touched, changes };
    });
  }

  async #call(
    { transaction, access }: Guess,
    tracer: object,
    signal: AbortSignal | undefined,
  ): Promise<RpcCall> {
    const needsHashes =
      this.state.anyContains(access, OPCODES.BLOCKHASH) ||
      this.codes.size > 0 ||
      transaction.to === null;
    const context = {
      ...blockOverrides(this.block),
      ...(needsHashes ? { blockHash: await this.#ancestors(signal) } : {}),
    };
    const overrides = { stateOverrides: this.#stateOverrides(access), blockOverrides: context };
    return {
      method: 'debug_traceCall',
      params: [asCallWithNonce(transaction), 'latest', { ...tracer, ...overrides }],
    };
  }

  #stateOverrides(access: Access): StateOverride {
    const overrides = this.state.overrides(access);
    for (const [address, code] of this.codes) {
      overrides[address] = { ...overrides[address], code };
    }
    return overrides;
  }

  /** Hashes of the blocks that BLOCKHASH can return, by decimal number. */
  #ancestors(signal: AbortSignal | undefined): Promise<Record<string, Hash>> {
    return (this.#hashes ??= this.#loadAncestors(signal));
  }

  async #loadAncestors(signal: AbortSignal | undefined): Promise<Record<string, Hash>> {
    const parent = Number(this.block.number) - 1;
    const numbers = Array.from({ length: ANCESTORS - 1 }, (_, i) => parent - 1 - i);
    const headers = (await requestEach(
      this.upstream,
      numbers
        .filter((number) => number >= 0)
        .map((number) => ({ method: 'eth_getBlockByNumber', params: [toQuantity(number), false] })),
      { signal },
    )) as (RpcBlockHeader | null)[];
    const hashes: Record<string, Hash> = { [parent]: this.block.parentHash };
    for (const header of headers) if (header) hashes[Number(header.number)] = header.hash;
    return hashes;
  }
}

/** State that a transaction always touches. */
export function outerAccess(transaction: RpcTransaction, block: RpcBlockHeader): Access {
  const { from, to, accessList = [] } = transaction;
  const accounts = [from, to, block.miner].flatMap((address) =>
    address === null ? [] : { address, storageKeys: [] },
  );
  return accessOfList([...accounts, ...accessList]);
}

/** Entries of the same account are merged. */
export function accessOfList(entries: readonly AccessListEntry[]): Access {
  const access = new Map<Address, Set<Hash>>();
  for (const { address, storageKeys } of entries) {
    const key = lower(address);
    access.set(key, new Set([...(access.get(key) ?? []), ...storageKeys]));
  }
  return access;
}

export function union(...accesses: readonly Access[]): Access {
  const all = new Map<Address, Set<Hash>>();
  for (const access of accesses) {
    for (const [address, slots] of access) {
      const known = all.get(address);
      if (!known) all.set(address, new Set(slots));
      else for (const slot of slots) known.add(slot);
    }
  }
  return all;
}

/** @throws the reason of a failure, unless the engine refused the call */
function unlessRefused(
  outcomes: readonly PromiseSettledResult<unknown>[],
): readonly unknown[] | undefined {
  const values: unknown[] = [];
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') values.push(outcome.value);
    else if (outcome.reason instanceof RpcError) return undefined;
    else throw outcome.reason;
  }
  return values;
}

const accessOf = (touched: Touched): Access =>
  new Map(
    Object.entries(touched).map(([address, { storage = {} }]) => [
      lower(address as Hex),
      new Set(Object.keys(storage) as Hash[]),
    ]),
  );

function sizeOf(access: Access): number {
  let size = 0;
  for (const slots of access.values()) size += 1 + slots.size;
  return size;
}

const lower = (address: Address): Address => address.toLowerCase() as Address;
