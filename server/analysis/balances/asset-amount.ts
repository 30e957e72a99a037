import type { AssetChange } from '../../api/explorer';
import type { NetAmount } from '../../api/net-amount';
import type { Address } from '../../api/primitives';
import { toDecimal } from '../../evm/forms/quantity';
import type { CheckedClaim } from './claims';
import type { NetChange } from './net-changes';
import type { Price, TokenFacts } from '../ports';

export interface AssetFacts {
  readonly tokens: ReadonlyMap<Address, TokenFacts>;
  readonly prices: ReadonlyMap<Address, Price>;
  readonly nativeSymbol: string;
  /** Net changes with the measured change of the state, by `claimKey`. */
  readonly checked?: ReadonlyMap<string, CheckedClaim>;
}

/** An amount of an asset. Only the magnitude of a negative amount counts. */
export type AssetAmount = Pick<NetChange, 'asset' | 'standard' | 'amount'>;

/** Magnitude, unit and value in USD, in the interface's form. Unknown amounts are empty, unknown facts are omitted. */
export function assetAmount(
  one: AssetAmount,
  facts: AssetFacts,
): Pick<AssetChange, 'rawAmount' | 'amount' | 'value'> & TokenFacts {
  const magnitude = one.amount < 0n ? -one.amount : one.amount;
  const unit = unitOf(one, facts);
  const { decimals } = unit;
  const price = decimals === undefined ? undefined : facts.prices.get(one.asset);
  return {
    rawAmount: magnitude.toString(),
    amount: decimals === undefined ? '' : toDecimal(magnitude, decimals),
    value:
      price === undefined || decimals === undefined
        ? ''
        : toDecimal(magnitude * price.value, decimals + price.decimals),
    ...unit,
  };
}

/** A net change of an asset in the interface's form. */
export function netAmount(
  one: Pick<AssetAmount, 'asset' | 'standard'>,
  net: bigint,
  facts: AssetFacts,
): NetAmount {
  const { rawAmount, amount } = assetAmount({ ...one, amount: net }, facts);
  return { rawAmount, amount, sign: net >= 0n };
}

/** ERC-721 and ERC-1155 tokens have no decimals, whatever their contract returns. */
function unitOf({ asset, standard }: AssetAmount, facts: AssetFacts): TokenFacts {
  if (standard === 'native') return { symbol: facts.nativeSymbol, decimals: 18 };
  const { symbol, decimals } = facts.tokens.get(asset) ?? {};
  return {
    ...(symbol === undefined ? {} : { symbol }),
    ...(decimals === undefined || standard !== 'erc20' ? {} : { decimals }),
  };
}
