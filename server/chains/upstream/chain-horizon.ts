import { RpcError, type RpcCall } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlockHeader } from '../../evm/forms/types';
import type { Anchor, AnswerCache } from './answer-cache';

/** Depth below the head that is assumed to be final if the chain has no `safe` block. */
const ASSUMED_DEPTH = 256n;
const REFRESH_MS = 30_000;
/** Shorter interval for calls about a block above the horizon. */
const ADVANCE_MS = 5_000;

/**
 * Tracks the newest final block of a chain: its `safe` block. Kept answers are tied to the hash of such a block, and removed when the chain
 * no longer contains it. A restarted private chain is another chain, even with the same name, chain id and genesis.
 */
export class ChainHorizon {
  #anchor: Anchor | undefined;
  #checkedAt = -Infinity;
  /** How often the chain turned out to be another. */
  #cleared = 0;
  #checking: Promise<void> | undefined;

  constructor(
    private readonly chain: string,
    /** Calls the node, not the cache. */
    private readonly ask: (call: RpcCall) => Promise<unknown>,
    private readonly cache: AnswerCache,
    private readonly now: () => number,
  ) {}

  /**
   * @param height the block that the call asks about, if known
   * @returns the newest final block; undefined if it is unknown. Never rejects
   */
  async newest(height: bigint | undefined): Promise<bigint | undefined> {
    const age = this.now() - this.#checkedAt;
    const isAbove = this.#anchor === undefined || (height ?? 0n) > BigInt(this.#anchor.number);
    if (isAbove && age >= ADVANCE_MS) await this.#check();
    // Kept answers stay usable during the check, and if the chain does not answer.
    else if (age >= REFRESH_MS) void this.#check();
    return this.#anchor && BigInt(this.#anchor.number);
  }

  /**
   * @param height the block that the call asks about, if known
   * @returns whether an answer may be kept, because its block was final at some time. Never rejects
   */
  async isCacheable(height: bigint | undefined): Promise<boolean> {
    const anchor = this.#anchor ?? (await this.cache.anchor(this.chain).catch(() => undefined));
    return anchor !== undefined && (height ?? 0n) <= BigInt(anchor.number);
  }

  /** Whether the chain was checked before. */
  get isChecked(): boolean {
    return this.#checkedAt !== -Infinity;
  }

  /**
   * Checks at once whether the chain still contains the anchor, unless the last check is recent.
   * @returns whether it does not, so that the kept answers were removed. Never rejects
   */
  async recheck(maxAgeMs: number): Promise<boolean> {
    // The first check is part of the first call.
    if (!this.isChecked || this.now() - this.#checkedAt < maxAgeMs) return false;
    const before = this.#cleared;
    // A check that began earlier may have read the chain before it changed.
    await this.#checking;
    await this.#check();
    return this.#cleared !== before;
  }

  #check(): Promise<void> {
    return (this.#checking ??= this.#renew()
      .catch(() => undefined) // the caller's own request fails in the same way and reports it
      .finally(() => {
        this.#checkedAt = this.now();
        this.#checking = undefined;
      }));
  }

  async #renew(): Promise<void> {
    const anchor = this.#anchor ?? (await this.cache.anchor(this.chain));
    const [safe, again] = await Promise.all([
      this.#safe(),
      anchor && this.#header(toQuantity(BigInt(anchor.number))),
    ]);
    const isSame = anchor !== undefined && again?.hash === anchor.hash;
    if (!isSame) await this.cache.clear(this.chain);
    if (anchor && !isSame) this.#cleared++;
    // The endpoint may lag behind the one that returned the anchor.
    if (isSame && BigInt(safe.number) <= BigInt(anchor.number)) {
      this.#anchor = anchor;
      return;
    }
    this.#anchor = { number: safe.number, hash: safe.hash };
    this.cache.setAnchor(this.chain, this.#anchor);
  }

  async #safe(): Promise<RpcBlockHeader> {
    try {
      const safe = await this.#header('safe');
      if (safe) return safe;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
    }
    const head = BigInt((await this.ask({ method: 'eth_blockNumber', params: [] })) as string);
    const header = await this.#header(toQuantity(head > ASSUMED_DEPTH ? head - ASSUMED_DEPTH : 0n));
    if (!header) throw new Error(`the node of chain ${this.chain} does not return its own blocks`);
    return header;
  }

  async #header(block: string): Promise<RpcBlockHeader | null> {
    const call = { method: 'eth_getBlockByNumber', params: [block, false] };
    return (await this.ask(call)) as RpcBlockHeader | null;
  }
}
