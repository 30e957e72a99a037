import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { RecordedStep, Variable } from '../../../server/api/recording';
import type { SourcePlace } from '../../../server/api/source-locations';
import { shortName, type AddressNames } from './address-names';
import { instructionLine } from './instruction-text';
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
  const hasLine = callStack.some(({ place }) => place !== undefined);
  const stackFrames = await Promise.all(
    callStack.slice(startFrame, end).map(async (entry) => {
      const place = shownPlace(recorded, entry);
      const name = await nameOf(recorded, entry);
      const isText = place !== undefined && entry.place === undefined;
      const source = await sourceOf(sources, entry, place);
      return {
        id: frameId(entry.call),
        name: isText ? l10n.t('{0} (its lines are not known)', name) : name,
        instructionPointerReference: addressOf(entry),
        canRestart: true,
        // At most stops, a client shows the innermost frame that has no such hint; it shows no variables without one.
        ...(hasLine && entry.place === undefined && { presentationHint: 'subtle' as const }),
        ...(place === undefined
          ? { source, ...lines.start(await instructionLine(recorded, entry)) }
          : { source, ...lines.place(place) }),
      };
    }),
  );
  return { stackFrames, totalFrames: callStack.length };
}

/** Where a frame is; of code without lines, where its source begins. */
function shownPlace(
  { recording }: RecordedTransaction,
  { contract, place }: Entry,
): SourcePlace | undefined {
  const code = recording.contracts[contract];
  return place ?? (code?.hasLines === false ? code.declaration : undefined);
}

/** Whether the innermost frame has no source: each of its instructions is a line. */
export function isWithoutSource(
  recorded: RecordedTransaction,
  { callStack: [entry] }: RecordedStep,
): boolean {
  const hasLines = entry && recorded.recording.contracts[entry.contract]?.hasLines;
  return entry !== undefined && hasLines !== true && shownPlace(recorded, entry) === undefined;
}

/** The frame that a client shows at a stop; without fields where there is none. */
export interface ShownFrame {
  frameId?: number;
  source?: DebugProtocol.Source;
}

/** The frame that a client shows at a stop: the innermost one with a line, else the innermost one. */
export async function shownFrame(
  recorded: RecordedTransaction,
  sources: Sources,
  { callStack }: RecordedStep,
): Promise<ShownFrame> {
  const entry = callStack.find(({ place }) => place !== undefined) ?? callStack[0];
  if (entry === undefined) return {};
  const source = await sourceOf(sources, entry, shownPlace(recorded, entry));
  return { frameId: frameId(entry.call), source };
}

/** A client shows variables at a stop only where a frame has a source, so code without one has its instructions. */
const sourceOf = async (
  sources: Sources,
  { contract }: Entry,
  place: SourcePlace | undefined,
): Promise<DebugProtocol.Source> =>
  place ? sources.of(contract, place.file) : sources.ofInstructions(contract);

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
  const { names } = recorded;
  const account = code?.address ?? entry.address;
  const given = names.given(account);
  const own = given ?? code?.name ?? '';
  const contract = own === '' ? names.short(account) : shortName(own);
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
  const parameters = known?.arguments?.map((one) => argumentText(one, names)).join(', ');
  const called = parameters === undefined ? name : `${name}(${parameters})`;
  if (declaring !== undefined) return l10n.t('{0} of {1}', called, contract);
  if (entry.operation === 'DELEGATECALL' || entry.operation === 'CALLCODE') {
    return l10n.t('{0} in the storage of {1}', called, names.short(entry.address));
  }
  return called;
}

function argumentText({ name, type, value, unavailable }: Variable, names: AddressNames): string {
  const text = unavailable === undefined ? names.inCall({ type, value }) : '?';
  const short = text.length > LONGEST_ARGUMENT ? `${text.slice(0, LONGEST_ARGUMENT)}…` : text;
  return name === '' ? short : `${name}: ${short}`;
}
