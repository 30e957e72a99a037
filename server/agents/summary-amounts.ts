import { NATIVE_ASSET } from '../api/native-asset';
import type { SummaryQuantity } from '../api/summary';
import { visibleText } from '../api/visible-text';
import { grouped } from '../client/format';

type NameOf = (address: string) => string;

const SYMBOL_CHARACTERS = 24;
const MAX_UINT256 = String(2n ** 256n - 1n);

/** Follows what only events say, because the state could not be read. */
export const CLAIMED = ' (claimed, not measured)';

/** Symbol of an asset, else its name or short address. The text is untrusted. */
export function unitText({ asset, symbol }: SummaryQuantity, nameOf: NameOf): string {
  const text = symbol ?? (asset === NATIVE_ASSET ? 'native' : nameOf(asset));
  return visibleText(
    text.length <= SYMBOL_CHARACTERS ? text : `${text.slice(0, SYMBOL_CHARACTERS - 1)}…`,
  );
}

/** `1,250.75 hUSD`, `500 (raw) LOYAL`, `PASS #7`, `3 × CRATE #2`. What only events say is marked. */
export const quantityText = (quantity: SummaryQuantity, nameOf: NameOf): string =>
  `${plainQuantity(quantity, nameOf)}${quantity.isClaimed ? CLAIMED : ''}`;

function plainQuantity(quantity: SummaryQuantity, nameOf: NameOf): string {
  const { standard, rawAmount, amount, tokenId } = quantity;
  const unit = unitText(quantity, nameOf);
  if (tokenId !== undefined) {
    return `${standard === 'erc1155' ? `${grouped(rawAmount)} × ` : ''}${unit} #${tokenId}`;
  }
  if (rawAmount === MAX_UINT256) return `any amount of ${unit}`;
  if (amount === '') return `${grouped(rawAmount)} (raw) ${unit}`;
  const [whole = '0', fraction] = amount.split('.');
  return `${grouped(whole)}${fraction === undefined ? '' : `.${fraction}`} ${unit}`;
}

/** `1 ETH, 2 DAI and 3 more`. */
export function quantitiesText(all: readonly SummaryQuantity[], nameOf: NameOf, more = 0): string {
  const texts = all.map((one) => quantityText(one, nameOf));
  return joined(more === 0 ? texts : [...texts, `${more} more`]);
}

/** `a`, `a and b`, `a, b and c`. */
export function joined(texts: readonly string[]): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`;
}
