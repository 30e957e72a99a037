import type { Colors } from 'picocolors/types';
import { NATIVE_ASSET, type AssetChange, type BalanceChange } from '../api/explorer';
import { groupedDecimal } from '../client/format';

export interface RenderBalancesOptions {
  colors: Colors;
  /** Name of an account or token, or its shortened address. */
  nameOf: (address: string) => string;
  nativeSymbol: string;
}

/** Balance changes as a table: account, asset, signed amount, USD value. */
export function renderBalances(changes: BalanceChange, options: RenderBalancesOptions): string {
  if (changes.balanceChange.length === 0) return 'No balance changed.';
  const rows = changes.balanceChange.flatMap(({ account, assets }) =>
    assets.map((asset, index) => [
      index === 0 ? options.nameOf(account) : '',
      assetName(asset, options),
      amountOf(asset),
      asset.value === '' ? '' : `${asset.sign ? '+' : '−'}$${toCents(asset.value)}`,
    ]),
  );
  const table = [['Account', 'Asset', 'Change', 'USD'], ...rows];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table
    .map((row, index) => {
      const cells = row.map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      );
      const line = cells.join('  ').trimEnd();
      return index === 0 ? options.colors.dim(line) : colored(line, row[2] ?? '', options.colors);
    })
    .join('\n');
}

function assetName(asset: AssetChange, { nameOf, nativeSymbol }: RenderBalancesOptions): string {
  const name =
    asset.address === NATIVE_ASSET ? nativeSymbol : (asset.symbol ?? nameOf(asset.address));
  return asset.tokenId === undefined ? name : `${name} #${asset.tokenId}`;
}

/** Shows the raw amount, marked as such, if the token's decimals are unknown. */
function amountOf(asset: AssetChange): string {
  const sign = asset.sign ? '+' : '−';
  if (asset.amount !== '') return `${sign}${groupedDecimal(asset.amount)}`;
  return `${sign}${groupedDecimal(asset.rawAmount)}${asset.isERC721 || asset.isERC1155 ? '' : ' (raw)'}`;
}

/** Dollars rounded to cents, half away from zero. */
function toCents(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const thousandths = BigInt(whole + fraction.padEnd(3, '0').slice(0, 3));
  const cents = String((thousandths + 5n) / 10n).padStart(3, '0');
  return `${groupedDecimal(cents.slice(0, -2))}.${cents.slice(-2)}`;
}

const colored = (line: string, amount: string, colors: Colors): string =>
  amount.startsWith('+') ? colors.green(line) : colors.red(line);
