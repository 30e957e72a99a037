import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { RecordedStep, Variable } from '../../../server/api/recording';
import { shortHex } from '../../../server/client/format';
import { addressOf } from './instructions';
import type { Lines } from './lines';
import type { RecordedTransaction } from './recorded-transaction';
import type { Sources } from './sources';

type Entry = RecordedStep['callStack'][number];
/** Longest text of an argument in the name of a frame. */
const LONGEST_ARGUMENT = 24;

/** Frames are named by their calls, so that they keep their ids from one stop to the next. Ids start at 1. */
const frameId = (call: number): number => call + 1;
export const callOf = (frame: number): number => frame - 1;

/** A page of the call stack, innermost first. */
export async function stackFrames(
  recorded: RecordedTransaction,
  { sources, lines }: { sources: Sources; lines: Lines },
  { callStack }: RecordedStep,
  { startFrame = 0, levels = 0 }: Pick<DebugProtocol.StackTraceArguments, 'startFrame' | 'levels'>,
): Promise<{ stackFrames: DebugProtocol.StackFrame[]; totalFrames: number }> {
  const end = levels === 0 ? undefined : startFrame + levels;
  const stackFrames = await Promise.all(
    callStack.slice(startFrame, end).map(async (entry) => ({
      id: frameId(entry.call),
      name: await nameOf(recorded, entry),
      instructionPointerReference: addressOf(entry),
      canRestart: true,
      ...(entry.place === undefined
        ? { line: 0, column: 0, presentationHint: 'subtle' as const }
        : {
            source: await sources.of(entry.contract, entry.place.file),
            ...lines.place(entry.place),
          }),
    })),
  );
  return { stackFrames, totalFrames: callStack.length };
}

/**
 * The step whose stack belongs to a call of the call stack: for the code that runs, the step itself; for a caller, the step that made the
 * external call.
 */
export function stepOfFrame({ step, callStack }: RecordedStep, call: number): number {
  const index = callStack.findIndex((entry) => entry.call === call);
  const external = callStack.findLastIndex(({ kind }, at) => at < index && kind === 'external');
  return external === -1 ? step : (callStack[external + 1]?.step ?? step);
}

async function nameOf(recorded: RecordedTransaction, entry: Entry): Promise<string> {
  const code = recorded.recording.contracts[entry.contract];
  const contract = code === undefined || code.name === '' ? shortHex(entry.address) : code.name;
  const known = await recorded.call(entry.call).catch(() => undefined);
  // A call from outside is one of the deployed contract, which may inherit its function.
  const declaring = entry.kind === 'internal' ? entry.declaringContract : undefined;
  const owner = declaring ?? contract;
  const name =
    code?.isCreation === true && entry.kind === 'external'
      ? l10n.t('creation of {0}', contract)
      : entry.function === ''
        ? contract
        : owner === ''
          ? entry.function
          : `${owner}.${entry.function}`;
  const parameters = known?.arguments?.map(argumentText).join(', ');
  const called = parameters === undefined ? name : `${name}(${parameters})`;
  if (declaring !== undefined) return l10n.t('{0} of {1}', called, contract);
  if (entry.operation === 'DELEGATECALL' || entry.operation === 'CALLCODE') {
    return l10n.t('{0} in the storage of {1}', called, shortHex(entry.address));
  }
  return called;
}

function argumentText({ name, value, unavailable }: Variable): string {
  const text = unavailable === undefined ? value : '?';
  const short = text.length > LONGEST_ARGUMENT ? `${text.slice(0, LONGEST_ARGUMENT)}…` : text;
  return name === '' ? short : `${name}: ${short}`;
}
