import type { BisectWrite } from '../../api/bisect';
import type { Hash } from '../../api/primitives';
import type { RecordedCalls, RecordedStep, Recording } from '../../api/recording';
import { findBody, type FindRequest, type Found } from '../../api/recording-search';

/** Writes that are listed. */
const MAX_WRITES = 20;
/** Slots that are watched. */
const MAX_SLOTS = 200;

export interface RecordingKey {
  readonly chain: string;
  readonly transaction: Hash;
  readonly user: string;
}

interface Options {
  readonly signal: AbortSignal;
}

/** Recordings of transactions, for the calls and lines that wrote. */
export interface WriteRecordings {
  recording(key: RecordingKey, options: Options): Promise<Recording>;
  find(key: RecordingKey, request: FindRequest, options: Options): Promise<Found>;
  step(key: RecordingKey, step: number, options: Options): Promise<RecordedStep>;
  calls(
    key: RecordingKey,
    page: { start: number; count: number },
    options: Options,
  ): Promise<RecordedCalls>;
}

export interface WrittenSlot {
  readonly address: string;
  readonly slot: string;
}

/** The first writes of a transaction to slots, in order, with the call and the line that made each. */
export async function findWrites(
  recordings: WriteRecordings,
  key: RecordingKey,
  changed: readonly WrittenSlot[],
  signal: AbortSignal,
): Promise<BisectWrite[]> {
  const slots = changed.slice(0, MAX_SLOTS);
  if (slots.length === 0) return [];
  const recording = await recordings.recording(key, { signal });
  const writes: BisectWrite[] = [];
  for (let from = 0; writes.length < MAX_WRITES;) {
    const found = await recordings.find(key, requestOf(slots, from), { signal });
    if (found.reason !== 'data') break;
    const step = await recordings.step(key, found.step, { signal });
    const written = found.ids.flatMap((id) => slots[id] ?? []);
    const nodeId = await nodeOf(recordings, key, step, signal);
    const made = written.map((one) => writeAt(step, one, recording, found.text));
    writes.push(...(nodeId === undefined ? made : made.map((one) => ({ ...one, nodeId }))));
    from = found.step;
  }
  return writes;
}

/** Node of the external call of a step: internal calls are not of the invocation flow. */
async function nodeOf(
  recordings: WriteRecordings,
  key: RecordingKey,
  { callStack }: RecordedStep,
  signal: AbortSignal,
): Promise<number | undefined> {
  const external = callStack.find(({ kind }) => kind === 'external');
  if (!external) return undefined;
  const page = { start: external.call, count: 1 };
  const { calls } = await recordings.calls(key, page, { signal });
  return calls[0]?.nodeId;
}

const requestOf = (slots: readonly WrittenSlot[], from: number): FindRequest =>
  findBody.parse({
    from,
    direction: 'forwards',
    mode: 'continue',
    slots: slots.map(({ address, slot }, id) => ({ id, address, slot })),
  });

function writeAt(
  { step, callStack, place }: RecordedStep,
  { address, slot }: WrittenSlot,
  { contracts }: Recording,
  text: string,
): BisectWrite {
  const [call] = callStack;
  return {
    address,
    slot,
    step,
    contract: (call && contracts[call.contract]?.name) ?? '',
    function: call?.function ?? '',
    ...(place && { file: place.file, line: place.startLine }),
    text,
  };
}
