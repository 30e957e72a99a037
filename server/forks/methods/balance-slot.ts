import { MAX_WORD } from '../../api/word';
import { RpcError, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import { RPC_CODES } from '../../api/rpc-codes';

/** A view of a contract that returns one number about one account, such as `balanceOf`. */
export interface BalanceView {
  contract: string;
  /** Call data for an account, given as 64 hex digits. */
  dataFor: (account: string) => string;
}

/** A word of storage to write. */
export interface StorageWord {
  address: string;
  slot: string;
  word: string;
}

interface Slot {
  address: string;
  slot: string;
  /** Its present value. */
  word: bigint;
}

/** EIP-1474: resource unavailable. */
const refuse = (reason: string): RpcError => new RpcError(RPC_CODES.unavailable, reason);

/** A test value in which no sequence of bits occurs twice. */
const PATTERN = 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251f86c6a11d0c18e95n;
/** An unused account: slots that are read for it as well are no account's balance. */
const NOBODY = '5f3e8b1d0c9a7264e5d1b3f8a6c4029e7d1b5f30';
const MAX_SLOTS = 64;

/**
 * Finds the storage word that holds an account's balance, for any language, proxy or layout, and the value with which the view returns
 * `amount`. Nothing is written. Slots that the view reads for this account and for no other are tried one by one with state overrides;
 * other values in the same word are kept.
 * @param amount `max`: the largest value that the field can hold
 * @throws RpcError with the reason if there is no such word
 */
export async function findBalanceWord(
  engine: RpcClient,
  view: BalanceView,
  account: string,
  amount: bigint | 'max',
): Promise<StorageWord> {
  const balance = new TrialBalance(engine, view, account);
  if ((await balance.now()) === undefined) {
    throw refuse(
      `${view.contract} returns no balance of ${account}: it is not a token of this standard`,
    );
  }
  const slots = await balance.slots();
  if (slots.length === 0) {
    throw refuse(
      `${view.contract} does not store a balance of ${account}: it computes the balance, or returns the same for every account`,
    );
  }
  for (const slot of slots) {
    const word = (await inField(balance, slot, amount)) ?? (await inShares(balance, slot, amount));
    if (word !== undefined) {
      return { address: slot.address, slot: slot.slot, word: toWord(word) };
    }
  }
  throw refuse(
    `none of the ${slots.length} storage slots that ${view.contract} reads for ${account} can set its balance to ` +
      `${amount === 'max' ? 'the maximum' : amount}: the contract computes the balance from several slots, or rounds it`,
  );
}

/** Tries the balance as a field of the word, alone or next to other values. */
async function inField(
  balance: TrialBalance,
  slot: Slot,
  amount: bigint | 'max',
): Promise<bigint | undefined> {
  const inverse = MAX_WORD ^ PATTERN;
  const [seen, seenOfInverse] = [await balance.if(slot, PATTERN), await balance.if(slot, inverse)];
  if (seen === undefined || seenOfInverse === undefined) return undefined;
  const width = Math.max(bitLength(seen), bitLength(seenOfInverse));
  // An address or a flag is not an amount.
  if (width < 64) return undefined;
  const mask = (1n << BigInt(width)) - 1n;
  for (let shift = 0n; shift <= 256n - BigInt(width); shift++) {
    if (((PATTERN >> shift) & mask) !== seen || ((inverse >> shift) & mask) !== seenOfInverse) {
      continue;
    }
    const wanted = amount === 'max' ? mask : amount;
    if (wanted > mask) {
      throw refuse(`the amount is ${wanted}; accepted: up to ${mask}, which the token can store`);
    }
    const word = (slot.word & ~(mask << shift)) | (wanted << shift);
    return (await balance.if(slot, word)) === wanted ? word : undefined;
  }
  return undefined;
}

/** Tries a balance that is proportional to the stored value, as for shares of a pool and rebasing tokens. */
async function inShares(
  balance: TrialBalance,
  slot: Slot,
  amount: bigint | 'max',
): Promise<bigint | undefined> {
  if (amount === 'max') return undefined;
  for (const width of [256n, 128n]) {
    const mask = (1n << width) - 1n;
    const withShares = (shares: bigint): bigint => (slot.word & ~mask) | shares;
    const unit = 10n ** 24n;
    const worth = await balance.if(slot, withShares(unit));
    if (worth === undefined || worth === 0n || worth === (await balance.now())) continue;
    const near = (amount * unit) / worth;
    for (const shares of [near, near + 1n, near - 1n, near + 2n, near - 2n]) {
      if (shares < 0n || shares > mask) continue;
      if ((await balance.if(slot, withShares(shares))) === amount) return withShares(shares);
    }
  }
  return undefined;
}

const bitLength = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

/** The view's result for an account, with and without changed storage. */
class TrialBalance {
  constructor(
    private readonly engine: RpcClient,
    private readonly view: BalanceView,
    private readonly account: string,
  ) {}

  now(): Promise<bigint | undefined> {
    return this.#ask([]);
  }

  if({ address, slot }: Slot, word: bigint): Promise<bigint | undefined> {
    return this.#ask([{ [address]: { stateDiff: { [slot]: toWord(word) } } }]);
  }

  /** Slots that are read for the account, but not for another one. */
  async slots(): Promise<Slot[]> {
    const everyones = new Set((await this.#read(NOBODY)).map(({ key }) => key));
    const own = (await this.#read(this.account)).filter(({ key }) => !everyones.has(key));
    // The slot that is read last is most likely the balance: flags and versions are read before it.
    const tried = own.slice(-MAX_SLOTS).reverse();
    return Promise.all(
      tried.map(async ({ address, slot }) => {
        const params = [address, slot, 'latest'];
        const word = (await this.engine.request('eth_getStorageAt', params)) as string;
        return { address, slot, word: BigInt(word) };
      }),
    );
  }

  async #read(account: string): Promise<{ address: string; slot: string; key: string }[]> {
    const { accessList } = (await this.engine.request('eth_createAccessList', [
      this.#call(account),
      'latest',
    ])) as { accessList: { address: string; storageKeys: string[] }[] };
    return accessList.flatMap(({ address, storageKeys }) =>
      storageKeys.map((slot) => ({ address, slot, key: `${address}${slot}`.toLowerCase() })),
    );
  }

  /** @returns undefined if the call reverts, or does not return a number */
  async #ask(overrides: readonly unknown[]): Promise<bigint | undefined> {
    const params = [this.#call(this.account), 'latest', ...overrides];
    try {
      const answer = (await this.engine.request('eth_call', params)) as string;
      return answer.length === 66 ? BigInt(answer) : undefined;
    } catch (error) {
      if (error instanceof RpcError) return undefined;
      throw error;
    }
  }

  #call(account: string): object {
    const data = this.view.dataFor(account.replace(/^0x/, '').toLowerCase().padStart(64, '0'));
    return { to: this.view.contract, data, gas: toQuantity(10_000_000) };
  }
}
