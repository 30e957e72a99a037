import { TOUCHED_TRACER } from '../analysis/execution-state';
import type { Address, Hash, Hex } from '../api/primitives';
import { requestEach, type RpcCallOptions, type RpcClient } from '../ethereum/json-rpc';
import { toQuantity } from '../ethereum/quantity';
import type { AccessListEntry, RpcBlockHeader, RpcTransaction } from '../ethereum/types';
import { asCallInPlace } from '../replay/as-call';
import { blockOverrides } from '../replay/execute-as-call';
import { OPCODES } from '../replay/opcodes';
import type { Access, ChainState } from './chain-state';

/** Blocks that BLOCKHASH reaches back. */
const ANCESTORS = 256;
/** Rounds of finding out what more a transaction touches; a chain of proxies takes a few. */
const MAX_ROUNDS = 40;

type Touched = Record<Address, { storage?: Record<Hash, Hash> }>;

/** What a transaction touches, and the tracer's answer that tells it. */
export interface Foreseen {
  readonly access: Access;
  readonly answer: unknown;
}

/** Executes the transactions of a block on an engine without a chain: each call brings along all the state that it touches. */
export class BroughtState {
  private hashes: Promise<Record<string, Hash>> | undefined;

  constructor(
    private readonly engine: RpcClient,
    private readonly upstream: RpcClient,
    readonly state: ChainState,
    private readonly block: RpcBlockHeader,
  ) {}

  /**
   * Executes a transaction again and again, each time with what more it turned out to touch, until nothing is missing.
   * @param guess loaded in front of the first time
   * @throws RpcError where the engine refuses it, such as for want of balance
   */
  async foresee(
    transaction: RpcTransaction,
    guess: Access,
    signal: AbortSignal,
  ): Promise<Foreseen> {
    let access = guess;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      await this.state.load(access, signal);
      const answer = await this.trace(transaction, access, TOUCHED_TRACER, { signal });
      const wider = union(access, accessOf(answer as Touched));
      if (sizeOf(wider) === sizeOf(access)) return { access, answer };
      access = wider;
    }
    throw new Error(`transaction ${transaction.hash} touches more each time`);
  }

  /** Traces a transaction as a call that sees the block, and the state as far as given. */
  async trace(
    transaction: RpcTransaction,
    access: Access,
    tracer: object,
    options: RpcCallOptions,
  ): Promise<unknown> {
    const needsHashes = this.state.hold(access, OPCODES.BLOCKHASH) || transaction.to === null;
    const context = {
      ...blockOverrides(this.block),
      ...(needsHashes ? { blockHash: await this.ancestors(options.signal) } : {}),
    };
    const overrides = { stateOverrides: this.state.overrides(access), blockOverrides: context };
    const params = [asCallInPlace(transaction), 'latest', { ...tracer, ...overrides }];
    return this.engine.request('debug_traceCall', params, options);
  }

  /** Hashes of the blocks that BLOCKHASH tells, by decimal number. */
  private ancestors(signal: AbortSignal | undefined): Promise<Record<string, Hash>> {
    return (this.hashes ??= this.loadAncestors(signal));
  }

  private async loadAncestors(signal: AbortSignal | undefined): Promise<Record<string, Hash>> {
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

/** What a transaction touches whatever it does. */
export function outerAccess(transaction: RpcTransaction, block: RpcBlockHeader): Access {
  const { from, to, accessList = [] } = transaction;
  const accounts = [from, to, block.miner].flatMap((address) =>
    address === null ? [] : { address, storageKeys: [] },
  );
  return accessOfList([...accounts, ...accessList]);
}

/** Entries of the same account count together. */
export function accessOfList(entries: readonly AccessListEntry[]): Access {
  const access = new Map<Address, Set<Hash>>();
  for (const { address, storageKeys } of entries) {
    const key = lower(address);
    access.set(key, new Set([...(access.get(key) ?? []), ...storageKeys]));
  }
  return access;
}

export function union(one: Access, other: Access): Access {
  const both = new Map<Address, ReadonlySet<Hash>>(one);
  for (const [address, slots] of other) {
    both.set(address, new Set([...(both.get(address) ?? []), ...slots]));
  }
  return both;
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
