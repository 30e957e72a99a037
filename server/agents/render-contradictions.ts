import type { NetAmount, SummaryContradiction } from '../api/summary';
import { quantityText, unitText } from './summary-amounts';

type NameOf = (address: string) => string;

/** What events claim beside what was measured. */
export function contradictionText(one: SummaryContradiction, nameOf: NameOf): string {
  const { account, spender = '', claimed, measured, nodeIds } = one;
  const nodes = nodeIds.length === 0 ? '' : ` (${nodeIds.map((id) => `#${id}`).join(' ')})`;
  if (one.kind === 'allowance') {
    return `Not so: an event claims that ${nameOf(account)} lets ${nameOf(spender)} spend ${rightText(one, claimed, nameOf)}; measured: ${rightText(one, measured, nameOf)}${nodes}`;
  }
  const change = isZero(measured)
    ? 'the balance did not change'
    : `the balance changed by ${netText(one, measured, nameOf)}`;
  const witness = one.standard === 'native' ? 'call' : 'event';
  return isZero(claimed)
    ? `${nameOf(account)}: ${change}, and no ${witness} says so${nodes}`
    : `${nameOf(account)}: the ${witness}s claim ${netText(one, claimed, nameOf)}; ${change}${nodes}`;
}

const isZero = ({ rawAmount }: NetAmount): boolean => rawAmount === '0';

/** `+90 TAX`, `−PASS #7`. */
const netText = (one: SummaryContradiction, net: NetAmount, nameOf: NameOf): string =>
  `${net.sign ? '+' : '−'}${quantityText({ ...one, ...net }, nameOf)}`;

function rightText(one: SummaryContradiction, right: NetAmount, nameOf: NameOf): string {
  const unit = unitText({ ...one, ...right }, nameOf);
  if (one.standard === 'erc20') return quantityText({ ...one, ...right }, nameOf);
  if (isZero(right)) return 'nothing';
  return one.tokenId === undefined ? `every token of ${unit}` : `${unit} #${one.tokenId}`;
}
