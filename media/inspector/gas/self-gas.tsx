import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { grouped } from '../../../server/presentation/text';

/** `12,345 gas, 678 by itself`; leaves out unknown amounts. */
export function gasText(gasUsed: number | null, selfGas: number | null): string {
  if (gasUsed === null) return l10n.t('Gas is not known');
  const gas = grouped(String(gasUsed));
  return selfGas === null
    ? l10n.t('{0} gas', gas)
    : l10n.t('{0} gas, {1} by itself', gas, grouped(String(selfGas)));
}

/** An amount of gas in a table; empty if unknown. */
export function Gas({ gas }: { gas: number | null }): VNode {
  return gas === null ? (
    <span title={l10n.t('Unknown: neither the node nor a replay reports it')} />
  ) : (
    <span class="number">{grouped(String(gas))}</span>
  );
}
