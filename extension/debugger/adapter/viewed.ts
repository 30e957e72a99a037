import * as l10n from '@vscode/l10n';
import { invalidField } from '../../../server/api/errors';
import { shortHex } from '../../../server/client/format';
import type { Breakpoints } from './breakpoints';
import type { Launch } from './launch';
import type { Lines } from './lines';
import type { RecordedTransaction } from './recorded-transaction';
import type { Sources } from './sources';
import type { Returned } from './returned';
import { callOf } from './stack-frames';
import { VariablesAt } from './variables';

/** A stop of the debugger. */
export interface Stop {
  step: number;
  /** What happened, in words. */
  text: string;
  /** By the call that has just ended. */
  returned: Returned | undefined;
  variables: VariablesAt;
}

/** What the views show of a session. */
export interface Viewed {
  launch: Launch;
  recorded: RecordedTransaction;
  sources: Sources;
  breakpoints: Breakpoints;
  lines: Lines;
  stop: Stop;
}

/** @param text what happened, in words @param returned by the call that has just ended */
export const stopOf = async (
  recorded: RecordedTransaction,
  step: number,
  text = '',
  returned?: Returned,
): Promise<Stop> => ({
  step,
  text,
  returned,
  variables: new VariablesAt(recorded, await recorded.step(step), returned),
});

/** What is debugged, as the list of threads names it. */
export const executionName = ({
  recording: { transaction, isSimulation },
}: RecordedTransaction): string =>
  isSimulation ? l10n.t('simulation') : l10n.t('transaction {0}', shortHex(transaction));

/** Resolves when the recording is there. */
export type Ready = () => Promise<Viewed>;

/** The call of a frame; the innermost without one. @throws ApiError `invalidField` for a frame of another stop */
export async function callAt(ready: Ready, frameId: number | undefined): Promise<number> {
  const { recorded, stop } = await ready();
  const { call, callStack } = await recorded.step(stop.step);
  if (frameId === undefined) return call;
  const wanted = callOf(frameId);
  if (callStack.some((entry) => entry.call === wanted)) return wanted;
  throw invalidField('frameId', frameId, l10n.t('a frame of the call stack'));
}
