import type { Address, Hash } from '../../api/primitives';
import type { AccountChange } from '../../api/views';
import { toDecimal } from '../../evm/forms/quantity';
import type { TokenFacts } from '../ports';
import type { FoundPlace } from './found-slots';

type SlotChange = AccountChange['storage'][number];
type TokenChange = NonNullable<NonNullable<SlotChange['found']>['amount']>;

/** A token whose storage changed. */
export interface ChangedToken {
  readonly address: Address;
  readonly facts: TokenFacts;
  /** Net transfers of the token by account, in its smallest unit. */
  readonly nets: ReadonlyMap<Address, bigint>;
}

/** Names that sources of tokens give to what they count. */
const COUNTED = /^_*(balances?|balanceOf|allowances?|allowed|totalSupply)(\[|$)/i;
const MAX_DECIMALS = 36;

/** Balances, allowances and the supply in units of the token, by the names of its variables. */
export function withVariableAmounts(
  storage: readonly SlotChange[],
  token: ChangedToken,
): SlotChange[] {
  return storage.map((change) => {
    if (!change.variables) return change;
    return {
      ...change,
      variables: change.variables.map((variable) => {
        const { name, type, before, after } = variable;
        if (!COUNTED.test(name) || !/^uint\d+$/.test(type)) return variable;
        const amount = amountOf(before, after, token);
        return amount ? { ...variable, amount } : variable;
      }),
    };
  });
}

/**
 * Balances in units of the token. A mapping holds balances if the entry of one account at least changed by exactly what the account
 * received or paid.
 * @param places where the slots were found
 */
export function withFoundAmounts(
  storage: readonly SlotChange[],
  places: ReadonlyMap<Hash, FoundPlace>,
  token: ChangedToken,
): SlotChange[] {
  const balances = new Set<number>();
  for (const { slot, before, after } of storage) {
    const { entry } = places.get(slot as Hash) ?? {};
    const net = entry && token.nets.get(`0x${entry.key.slice(26)}`);
    if (entry && net && BigInt(after) - BigInt(before) === net) balances.add(entry.base);
  }
  return storage.map((change) => {
    const { slot, found } = change;
    const { entry } = places.get(slot as Hash) ?? {};
    if (!found?.before || !found.after || !entry || !balances.has(entry.base)) return change;
    if (found.type !== 'uint256') return change;
    const amount = amountOf(found.before, found.after, token);
    return amount ? { ...change, found: { ...found, amount } } : change;
  });
}

function amountOf(
  before: string,
  after: string,
  { address, facts: { decimals, symbol } }: ChangedToken,
): TokenChange | undefined {
  if (decimals === undefined || decimals > MAX_DECIMALS) return undefined;
  const text = (value: bigint): string => toDecimal(value, decimals);
  return {
    asset: address,
    ...(symbol !== undefined && { symbol }),
    before: text(BigInt(before)),
    after: text(BigInt(after)),
    change: text(BigInt(after) - BigInt(before)),
  };
}
