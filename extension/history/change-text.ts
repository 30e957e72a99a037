import * as l10n from '@vscode/l10n';
import type { BisectChange } from '../../server/api/bisect';
import { grouped } from '../../server/client/format';

/** A change in a sentence: the values, the block, and the code that wrote. */
export function changeText(expression: string, change: BisectChange): string {
  const { before, after, blockNumber, transaction, writes, payments } = change;
  const values = [expression, valueText(before), valueText(after), grouped(blockNumber)] as const;
  if (transaction === null) {
    return l10n.t(
      '{0} changed from {1} to {2} with block {3}, by no transaction of it.',
      ...values,
    );
  }
  const changed = l10n.t(
    '{0} changed from {1} to {2} in block {3}, by transaction {4} of it.',
    ...values,
    transaction.position,
  );
  const [write] = writes;
  const [payment] = payments;
  if (write) return l10n.t('{0} It is written at {1}.', changed, writeText(write));
  if (payment?.file === undefined) return changed;
  return l10n.t('{0} It is paid at {1}.', changed, fileText(payment));
}

/** `5 → 6` */
export const valuesText = ({ before, after }: BisectChange): string =>
  `${valueText(before)} → ${valueText(after)}`;

const valueText = ({ value, unavailable }: BisectChange['before']): string =>
  unavailable === undefined ? value : l10n.t('no value');

function writeText(write: BisectChange['writes'][number]): string {
  const code = [write.contract, write.function].filter((one) => one !== '').join('.');
  const place = write.file === undefined ? '' : fileText(write);
  if (place === '') return code;
  return code === '' ? place : l10n.t('{0} in {1}', place, code);
}

const fileText = ({ file = '', line }: { file?: string | undefined; line?: number | undefined }) =>
  line === undefined ? file : `${file}:${line}`;
