import { NATIVE_ASSET } from '../../../server/api/native-asset';
import { multiplied } from '../../../server/api/whole-units';
import type { PartSignals } from '../protocol/parts';

export interface Token {
  /** Untrusted text. */
  symbol?: string;
  decimals?: number;
  /** USD for one whole unit at the block's time, plain decimal. */
  price?: string;
}

/** Facts about tokens from the loaded parts, by address. Includes the native asset. */
export function knownTokens({ balanceChange, fundFlow }: PartSignals): Map<string, Token> {
  const tokens = new Map<string, Token>();
  const add = (
    address: string,
    { symbol, decimals, price }: { [K in keyof Token]: Token[K] | undefined },
  ): void => {
    tokens.set(address, {
      ...tokens.get(address),
      ...(symbol !== undefined && { symbol }),
      ...(decimals !== undefined && { decimals }),
      ...(price !== undefined && { price }),
    });
  };
  if (fundFlow.value.state === 'ready') {
    for (const { asset, symbol, decimals } of fundFlow.value.value.fundFlow) {
      add(asset, { symbol, decimals, price: undefined });
    }
  }
  if (balanceChange.value.state === 'ready') {
    for (const { assets } of balanceChange.value.value.balanceChange) {
      for (const { address, symbol, decimals, price } of assets) {
        add(address, { symbol, decimals, price: price?.value });
      }
    }
  }
  return tokens;
}

/** Price of the native asset from the balance changes, found without reading those after it. */
function nativePrice({ value: part }: PartSignals['balanceChange']): string | undefined {
  if (part.state !== 'ready') return undefined;
  for (const { assets } of part.value.balanceChange) {
    for (const { address, price } of assets) {
      if (address === NATIVE_ASSET && price) return price.value;
    }
  }
  return undefined;
}

/** USD value of an amount of the native asset, both plain decimals; empty if its price is unknown. */
export function nativeWorth({ balanceChange }: PartSignals, amount: string): string {
  if (amount === '' || amount === '0') return '';
  const price = nativePrice(balanceChange);
  return price === undefined ? '' : multiplied(amount, price);
}
