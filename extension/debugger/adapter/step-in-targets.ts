import type { DebugProtocol } from '@vscode/debugprotocol';
import type { RecordedCall } from '../../../server/api/recording';
import type { RecordedTransaction } from './recorded-transaction';
import { NO_CONDITIONS, stepOrContinue } from './step-and-continue';

const MOST = 50;

/**
 * The calls that the rest of the line makes, in order of execution, such as `b()`, `c()` and `a()` of `a(b(), c())`. Their ids are the numbers of the
 * calls.
 */
export async function stepInTargets(
  recorded: RecordedTransaction,
  from: number,
  signal: AbortSignal,
): Promise<DebugProtocol.StepInTarget[]> {
  const { call } = await recorded.step(from);
  const movement = { direction: 'forwards', mode: 'step', depth: 'over' } as const;
  const next = await stepOrContinue(recorded, from, movement, NO_CONDITIONS, { signal });
  const end = next.reason === 'step' ? next.step : recorded.recording.steps;
  const made: RecordedCall[] = [];
  for await (const one of recorded.callsFrom(from)) {
    if (one.firstStep >= end || made.length >= MOST) break;
    // Calls without steps execute no code.
    const isOwn = one.parent === call && one.firstStep > from && one.endStep > one.firstStep;
    if (isOwn) made.push(one);
  }
  return made.map((one) => ({ id: one.call, label: labelOf(recorded, one) }));
}

function labelOf(
  { recording, names }: RecordedTransaction,
  { contract, function: name, declaringContract, kind, arguments: given }: RecordedCall,
): string {
  const code = contract === null ? '' : (recording.contracts[contract]?.name ?? '');
  const owner = kind === 'internal' ? (declaringContract ?? '') : code;
  const called = [owner, name].filter((text) => text !== '').join('.');
  const values = given?.map((one) => (one.unavailable === undefined ? names.inCall(one) : '?'));
  return `${called === '' ? '?' : called}(${values?.join(', ') ?? ''})`;
}
