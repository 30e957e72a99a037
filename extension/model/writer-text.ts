import * as l10n from '@vscode/l10n';
import type { Writer } from '../../server/api/recording-writers';
import { inUnits } from '../../server/api/whole-units';
import { grouped, groupedDecimal } from '../../server/client/format';
import { writtenValue, type SlotPart } from '../../server/client/written-value';

const ETHER_DECIMALS = 18;

/** A value in a slot. */
export interface WrittenType extends SlotPart {
  /** As the compiler or the debugger names it; empty: words are no values of it. */
  readonly type: string;
}

/** A write or a read in one line, such as `step 120 · Vault.withdraw, line 88 · 5 → 0`, or `→ 5` for what a variable begins with. Balances are in whole units of the native asset. */
export function writerText(writer: Writer, value: WrittenType): string {
  const { kind, access, before, after, slot } = writer;
  const text = (word: string): string => {
    if (kind === 'local') return word;
    if (slot !== undefined) return writtenValue(value.type, word, value);
    return kind === 'balance' ? groupedDecimal(inUnits(word, ETHER_DECIMALS)) : grouped(word);
  };
  const first = before === undefined ? '' : `${text(before)} `;
  const values = after === undefined ? l10n.t('written') : `${first}→ ${text(after)}`;
  const read = value.length === undefined ? l10n.t('read') : l10n.t('its slot is read');
  return `${placeText(writer)} · ${access === 'read' ? read : values}`;
}

/** Such as `step 120 · Vault.withdraw, line 88`. */
function placeText({ step, contractName, function: name, place }: Writer): string {
  if (step === null) return l10n.t('start of the transaction');
  const code = [contractName, name].filter((text) => text !== '').join('.');
  const line = place === undefined ? '' : l10n.t('line {0}', place.startLine);
  const where = [code, line].filter((text) => text !== '').join(', ');
  const number = l10n.t('step {0}', grouped(step));
  return where === '' ? number : `${number} · ${where}`;
}
