import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Found } from '../../../server/api/recording-search';
import type { Variable } from '../../../server/api/recording';
import type { RecordedTransaction } from './recorded-transaction';
import type { Movement } from './step-and-continue';

/** What a call returned, at the stop after it. */
export interface Returned {
  /** Name of the function; empty where unknown. */
  function: string;
  results: readonly Variable[];
}

/** What the call returned that a movement has left, and at the end the transaction; undefined for none, and where it is not known. */
export async function returnedBy(
  recorded: RecordedTransaction,
  from: number,
  { direction, mode }: Pick<Movement, 'direction' | 'mode'>,
  { step, reason }: Pick<Found, 'step' | 'reason'>,
): Promise<Returned | undefined> {
  if (direction !== 'forwards') return undefined;
  const isEnd = reason === 'end';
  if (!isEnd && (mode !== 'step' || reason !== 'step')) return undefined;
  const index = isEnd ? 0 : (await recorded.step(from)).call;
  const call = await recorded.call(index);
  if (call === undefined || (!isEnd && step < call.endStep)) return undefined;
  const results = await recorded.resultsOf(index).catch(() => undefined);
  return results && results.length > 0 ? { function: call.function, results } : undefined;
}

/** As variables that nothing can change. @param textOf value of a variable */
export const returnedVariables = (
  { function: name, results }: Returned,
  textOf: (variable: Variable) => string,
): DebugProtocol.Variable[] =>
  results.map((one, index) => {
    const returned = name === '' ? l10n.t('returned') : l10n.t('{0} returned', name);
    const which = one.name === '' ? String(index) : one.name;
    return {
      name: results.length === 1 ? returned : `${returned}: ${which}`,
      type: one.type,
      value: textOf(one),
      variablesReference: 0,
      presentationHint: { kind: 'virtual', attributes: ['readOnly'] },
    };
  });
