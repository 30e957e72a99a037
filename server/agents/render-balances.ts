import type { Colors } from 'picocolors/types';
import type { AssetChange } from '../api/explorer';
import { shownChanges, type ComparedBalances, type ShownChange } from '../api/shown-change';
import type { NetAmount } from '../api/net-amount';
import { evidenceText, isRaw } from '../presentation/change-evidence';
import { assetSegments, type Naming } from '../presentation/quantity-segments';
import { grouped, shownText } from '../presentation/text';
import { addressSegment } from '../presentation/values';
import { writtenText, type Writing } from '../presentation/written-text';

export interface RenderBalancesOptions {
  colors: Colors;
  naming: Naming;
  writing: Writing;
  /** Maximum number of changes. A last row states the number of omitted ones. */
  maxRows?: number | undefined;
}

/** Number of leading columns that are aligned left. */
const TEXT_COLUMNS = 2;
const NOTE = 4;

/** Balance changes as a table: account, asset, signed amount, USD value, and a note where the amount is not simply measured. */
export function renderBalances(changes: ComparedBalances, options: RenderBalancesOptions): string {
  const all = shownChanges(changes);
  const shown = all.slice(0, options.maxRows);
  if (all.length === 0) return 'No balance changed.';
  const rows = shown.map((change, index) => [
    change.account === shown[index - 1]?.account ? '' : accountName(change.account, options),
    assetName(change.asset, options),
    amountText(change, change.asset),
    change.value === '' ? '' : `${signOf(change)}$${toCents(change.value)}`,
    noteOf(change),
  ]);
  const table = [['Account', 'Asset', 'Change', 'USD', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) =>
    table.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0),
  );
  const omitted = all.length - shown.length;
  const lines = table.map((row, index) => {
    const cells = row.map((cell, column) => {
      if (column === NOTE) return cell;
      const width = widths[column] ?? 0;
      return column < TEXT_COLUMNS ? cell.padEnd(width) : cell.padStart(width);
    });
    const line = cells.join('  ').trimEnd();
    const change = shown[index - 1];
    return change === undefined ? options.colors.dim(line) : colored(line, change, options.colors);
  });
  if (omitted > 0) lines.push(options.colors.dim(`… and ${omitted} more balance changes`));
  return lines.join('\n');
}

const accountName = (account: string, { naming, writing }: RenderBalancesOptions): string =>
  writtenText([addressSegment(account, naming.names)], writing);

const ID_CHARACTERS = 24;

function assetName(asset: AssetChange, { naming, writing }: RenderBalancesOptions): string {
  const { address, symbol, tokenId } = asset;
  const named = { asset: address, standard: 'erc20' as const, ...(symbol && { symbol }) };
  const name = writtenText(assetSegments(named, naming), writing);
  return tokenId === undefined ? name : `${name} #${shownText(tokenId, ID_CHARACTERS)}`;
}

const signOf = ({ rawAmount, sign }: NetAmount): string =>
  rawAmount === '0' ? '' : sign ? '+' : '−';

/** Shows the raw amount, marked as such, if the token's decimals are unknown. */
const amountText = (net: NetAmount, asset: AssetChange): string =>
  `${signOf(net)}${grouped(net.amount || net.rawAmount)}${isRaw(net, asset) ? ' (raw)' : ''}`;

const noteOf = ({ evidence, claimed, asset }: ShownChange): string =>
  evidenceText(evidence, claimed === undefined ? '' : amountText(claimed, asset));

/** Dollars rounded to cents, half away from zero. */
function toCents(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const thousandths = BigInt(whole + fraction.padEnd(3, '0').slice(0, 3));
  const cents = String((thousandths + 5n) / 10n).padStart(3, '0');
  return `${grouped(cents.slice(0, -2))}.${cents.slice(-2)}`;
}

function colored(line: string, { rawAmount, sign, evidence }: ShownChange, colors: Colors): string {
  if (evidence !== 'measured' || rawAmount === '0') return colors.yellow(line);
  return sign ? colors.green(line) : colors.red(line);
}
