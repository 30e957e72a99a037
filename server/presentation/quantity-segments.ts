import * as l10n from '@vscode/l10n';
import { NATIVE_ASSET } from '../api/native-asset';
import type { SummaryQuantity } from '../api/summary';
import { MAX_WORD } from '../api/word';
import { fillSentence } from './fill-sentence';
import { quiet, words, type Names, type Segment } from './segment';
import { grouped, shortHex, shownText } from './text';

const SYMBOL_LIMIT = 24;
const ID_LIMIT = 12;
const MAX_UINT256 = String(MAX_WORD);

/** What names in sentences are taken from. */
export interface Naming {
  readonly names: Names;
  /** Symbol of the native asset. Empty: it is called "native". */
  readonly nativeSymbol: string;
}

/** Returns the shown name of an asset. */
export type AssetNames = (asset: { address: string; symbol?: string | undefined }) => string;

/**
 * Names assets by their symbols, the native asset by the chain's symbol. A contract without a symbol has its label, otherwise its short
 * address.
 * @param limit in UTF-16 units
 */
export function assetNames(names: Names, nativeSymbol: string, limit: number): AssetNames {
  return ({ address, symbol }) => {
    if (symbol) return shownText(symbol, limit);
    const name = address === NATIVE_ASSET ? nativeSymbol : names(address);
    return name ? shownText(name, limit) : shortHex(address);
  };
}

/** Follows what only events say: the state after the transaction could not be read. */
export const claimedMark = (): Segment => ({
  kind: 'mark',
  text: l10n.t('claimed'),
  plain: l10n.t('claimed, not measured'),
  title: l10n.t('Only an event says so: the state after the transaction could not be read'),
});

/** Follows a name that was only matched by a selector. */
export const guessMark = (): Segment => ({
  kind: 'mark',
  text: l10n.t('a guess'),
  title: l10n.t('Only the selector of the method is known: another method may have the same one'),
});

type Unit = Pick<SummaryQuantity, 'asset' | 'symbol' | 'standard'>;

function unit({ asset, symbol }: Unit, { names, nativeSymbol }: Naming): Segment {
  const isNative = asset === NATIVE_ASSET;
  const known = symbol ?? (isNative ? nativeSymbol || l10n.t('native') : names(asset));
  if (known === undefined || known === '') {
    return { kind: 'unit', text: shortHex(asset), whole: asset, title: asset };
  }
  const shown: Segment = { kind: 'unit', text: shownText(known, SYMBOL_LIMIT), title: asset };
  return isNative ? shown : { ...shown, foreign: known };
}

const marked = (segments: Segment[], { isClaimed }: { isClaimed?: true | undefined }): Segment[] =>
  isClaimed ? [...segments, quiet(' '), claimedMark()] : segments;

/** `1,250.75 hUSD`, `500 LOYAL raw units`, `PASS #7`, `3 × CRATE #2`. What only events say is marked. */
export const quantitySegments = (quantity: SummaryQuantity, naming: Naming): Segment[] =>
  marked(plainQuantity(quantity, naming), quantity);

function plainQuantity(quantity: SummaryQuantity, naming: Naming): Segment[] {
  const { standard, rawAmount, amount, tokenId } = quantity;
  const named = unit(quantity, naming);
  const whole = `${amount === '' ? rawAmount : amount} ${named.text}`;
  const number = (digits: string): Segment => ({
    kind: 'amount',
    text: grouped(digits),
    title: whole,
  });
  if (tokenId !== undefined) {
    const id: Segment = { kind: 'value', text: shownText(tokenId, ID_LIMIT), whole: tokenId };
    const token = [named, words(' #'), id];
    return standard === 'erc1155' ? [number(rawAmount), words(' × '), ...token] : token;
  }
  if (rawAmount === MAX_UINT256) return anyAmount(quantity, naming);
  return amount === ''
    ? [
        number(rawAmount),
        quiet(' '),
        named,
        {
          ...quiet(` ${l10n.t('raw units')}`),
          title: l10n.t('In the smallest unit: the decimals are not known'),
        },
      ]
    : [number(amount), quiet(' '), named];
}

/** Everything of an asset. */
export function anyAmount(quantity: Unit, naming: Naming): Segment[] {
  const text =
    quantity.standard === 'erc20' ? l10n.t('any amount of {0}') : l10n.t('every token of {0}');
  return fillSentence(text, [unit(quantity, naming)]);
}

/** The asset alone. */
export const assetSegments = (of: Unit, naming: Naming): Segment[] => [unit(of, naming)];

/** The unit of a right, with the mark of the amount. */
export const unitSegments = (quantity: SummaryQuantity, naming: Naming): Segment[] =>
  marked([unit(quantity, naming)], quantity);

/** Whether an allowance is not limited by an amount. */
export const isOfAnyAmount = ({ rawAmount }: Pick<SummaryQuantity, 'rawAmount'>): boolean =>
  rawAmount === MAX_UINT256;

/** Amounts, separated by plus signs, which no language has to translate. */
export function quantitiesSegments(
  all: readonly SummaryQuantity[],
  naming: Naming,
  omitted = 0,
): Segment[] {
  const shown = all.flatMap((one, index) => {
    const segments = quantitySegments(one, naming);
    return index === 0 ? segments : [words(' + '), ...segments];
  });
  return omitted === 0
    ? shown
    : [...shown, quiet(` ${l10n.t('and {0} more', grouped(String(omitted)))}`)];
}
