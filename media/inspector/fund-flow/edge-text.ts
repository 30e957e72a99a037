import * as l10n from '@vscode/l10n';
import { usdText } from '../../../server/presentation/usd';
import { fold, grouped } from '../../../server/presentation/text';
import { inUnits } from '../../../server/api/whole-units';
import { type AssetNames } from '../../../server/presentation/quantity-segments';
import { isContradicted, markedTransfer } from '../../../server/presentation/transfer-evidence';
import { numberRanges, type FlowEdge } from './edges';

const NUMBERS_LIMIT = 18;
/** Fraction digits on an arrow; the table shows all of them. */
const FRACTION_LIMIT = 6;

/** Plain decimal in whole units, or in the smallest unit if the decimals are unknown. */
export function plainAmount({ transfer, rawAmount }: FlowEdge): string {
  const { decimals, amount } = transfer;
  if (amount !== '' && decimals !== undefined) return inUnits(String(rawAmount), decimals);
  // The native asset has 18 decimals, even if the transfer does not contain them.
  if (transfer.standard === 'native') return inUnits(String(rawAmount), 18);
  return String(rawAmount);
}

/** Label of an arrow: `1–3 · 2,000 hUSD`, `1 · claims 5,000 USDC`. */
export function edgeText(edge: FlowEdge, nameOf: AssetNames): string {
  const { asset, symbol, tokenId, decimals, standard } = edge.transfer;
  const [integer = '', fraction] = grouped(plainAmount(edge)).split('.');
  const short =
    fraction === undefined ? integer : `${integer}.${fraction.slice(0, FRACTION_LIMIT)}`;
  const cut = fraction !== undefined && fraction.length > FRACTION_LIMIT ? '…' : '';
  const amount =
    decimals === undefined && standard === 'erc20'
      ? l10n.t('{0} raw', `${short}${cut}`)
      : `${short}${cut}`;
  const id = tokenId === undefined ? '' : ` #${fold(tokenId, 10)}`;
  const numbers = fold(numberRanges(edge.numbers), NUMBERS_LIMIT);
  const text = `${amount} ${nameOf({ address: asset, symbol })}${id}`;
  return `${numbers} · ${markedTransfer(edge.transfer, text)}`;
}

/** `$1,234.50`; empty if the USD value is unknown, or nothing like it moved. */
export function edgeUsdText({ usdCents, transfer }: FlowEdge): string {
  return usdCents === undefined || isContradicted(transfer) ? '' : usdText(usdCents);
}
