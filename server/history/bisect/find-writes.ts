import type { BisectWrite } from '../../api/bisect';
import type { Hash } from '../../api/primitives';
import type { RecordedStep, Recording } from '../../api/recording';
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
    writes.push(...written.map((one) => writeAt(step, one, recording, found.text)));
    from = found.step;
  }
  return writes;
}

const requestOf = (slots: readonly WrittenSlot[], from: number): FindRequest =>
  findBody.parse({
    from,
    direction: 'forwards',
    mode: 'continue',
    slots: slots.map(({ address, slot }, id) => ({ id, address, slot })),
  });

function writeAt(
  { step, callStack: [call], place }: RecordedStep,
  { address, slot }: WrittenSlot,
  { contracts }: Recording,
  text: string,
): BisectWrite {
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
