import type { TokenFacts } from '../../analysis/ports';
import { netChanges } from '../../analysis/balances/net-changes';
import type { Transfer } from '../../analysis/transfers/transfer';
import { NATIVE_ASSET } from '../../api/explorer';
import type { Address } from '../../api/primitives';
import type { OtherGain } from '../../api/reorder';
import type { StateDiff } from '../../evm/forms/prestate-diff';

/** Net gain of an account in an asset. */
interface Net {
  readonly asset: Address;
  readonly tokenId?: bigint | undefined;
  amount: bigint;
}

/** Net gains by account and asset: native ones by the state, with fees; tokens by their events. */
export class Gains {
  readonly #nets = new Map<Address, Map<string, Net>>();

  add({ changes, transfers }: { changes: StateDiff; transfers: readonly Transfer[] }): this {
    const { pre, post } = changes;
    for (const address of new Set([...keysOf(pre), ...keysOf(post)])) {
      const before = BigInt(pre[address]?.balance ?? '0x0');
      const left = post[address];
      // An account that is gone has none; a field that is left out did not change.
      const after = left === undefined ? 0n : BigInt(left.balance ?? pre[address]?.balance ?? 0);
      this.#add(address, { asset: NATIVE_ASSET, amount: after - before });
    }
    for (const { account, asset, standard, tokenId, amount } of netChanges(transfers)) {
      if (standard !== 'native') this.#add(account, { asset, tokenId, amount });
    }
    return this;
  }

  /** Tokens that anyone gained or lost. */
  tokens(): Address[] {
    const assets = [...this.#nets.values()].flatMap((nets) =>
      Array.from(nets.values(), ({ asset }) => asset),
    );
    return [...new Set(assets)].filter((asset) => asset !== NATIVE_ASSET);
  }

  /**
   * Where the gains of another execution differ: the native asset first.
   * @param first accounts at the top of the list
   */
  differencesTo(other: Gains, first: readonly Address[], facts: Facts): OtherGain[] {
    const rank = new Map(first.map((address, index) => [address, index]));
    const place = (address: Address): number => rank.get(address) ?? first.length;
    return [...new Set([...this.#nets.keys(), ...other.#nets.keys()])]
      .sort((one, two) => place(one) - place(two) || compare(one, two))
      .flatMap((address) => {
        const amounts = this.#amounts(address, other, facts);
        return amounts.length === 0 ? [] : [{ address, amounts }];
      });
  }

  #amounts(address: Address, other: Gains, facts: Facts): OtherGain['amounts'] {
    const [was, is] = [this.#nets.get(address), other.#nets.get(address)];
    const keys = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])];
    return keys
      .sort((one, two) => Number(two === NATIVE_ASSET) - Number(one === NATIVE_ASSET))
      .flatMap((key) => {
        const [before, after] = [was?.get(key)?.amount ?? 0n, is?.get(key)?.amount ?? 0n];
        const net = was?.get(key) ?? is?.get(key);
        if (!net || before === after) return [];
        const { asset, tokenId } = net;
        const { symbol, decimals } =
          asset === NATIVE_ASSET
            ? { symbol: facts.nativeSymbol, decimals: 18 }
            : (facts.tokens.get(asset) ?? {});
        return [
          {
            asset,
            ...(symbol === undefined ? {} : { symbol }),
            ...(decimals === undefined || tokenId !== undefined ? {} : { decimals }),
            ...(tokenId === undefined ? {} : { tokenId: tokenId.toString() }),
            before: before.toString(),
            after: after.toString(),
          },
        ];
      });
  }

  #add(account: Address, { asset, tokenId, amount }: Net): void {
    if (amount === 0n) return;
    const nets = this.#nets.get(account) ?? new Map<string, Net>();
    this.#nets.set(account, nets);
    const key = tokenId === undefined ? asset : `${asset} ${tokenId}`;
    const known = nets.get(key);
    if (known) known.amount += amount;
    else nets.set(key, { asset, tokenId, amount });
  }
}

/** What is known of the assets. */
export interface Facts {
  readonly nativeSymbol: string;
  readonly tokens: ReadonlyMap<Address, TokenFacts>;
}

const keysOf = (record: Readonly<Record<Address, unknown>>): Address[] =>
  Object.keys(record) as Address[];

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
