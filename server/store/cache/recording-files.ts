import type { MinedTransaction } from '../../analysis/ports';
import { LIMITS } from '../../api/limits';
import type { InputStore, KeptInputs, KeptSimulation } from '../../debugger/session/kept-inputs';
import { readTraceLines, traceLines } from '../../execution/tracing/trace-lines';
import { LineFiles, type LineCacheOptions } from './line-files';

/** Version of the first line: increment it with every change. The lines after it have a version of their own. */
const VERSION = 1;

interface Header {
  version: number;
  name: string;
  mined: MinedTransaction;
  hasEmpty: boolean;
  /** Number and hash of blocks. */
  hashes: [string, string][];
  simulation?: KeptSimulation | undefined;
}

/** Compressed inputs of recordings, one file each: a line with the transaction, then the lines of its trace. */
export class RecordingFiles implements InputStore {
  readonly #files: LineFiles;

  constructor(options: LineCacheOptions) {
    const warning = 'a recording cannot be stored on disk';
    this.#files = new LineFiles({ maxBytes: LIMITS.recordingFiles, warning, ...options });
  }

  read(name: string): Promise<KeptInputs | undefined> {
    return this.#files.read(name, (lines) => readInputs(name, lines));
  }

  write(name: string, inputs: KeptInputs): void {
    void this.#files.write(name, inputLines(name, inputs));
  }

  settled(): Promise<void> {
    return this.#files.settled();
  }
}

function* inputLines(
  name: string,
  { mined, trace, hasEmpty, hashes, simulation }: KeptInputs,
): Generator<string, void, undefined> {
  const texts = Array.from(hashes, ([number, hash]): [string, string] => [`${number}`, `${hash}`]);
  const header: Header = { version: VERSION, name, mined, hasEmpty, hashes: texts, simulation };
  yield JSON.stringify(header);
  yield* traceLines(name, trace);
}

/** @throws Error if lines are missing, or of another version or name */
async function readInputs(name: string, lines: AsyncIterableIterator<string>): Promise<KeptInputs> {
  const first = await lines.next();
  if (first.done === true) throw new Error('the recording is empty');
  const header = JSON.parse(first.value) as Header;
  if (header.version !== VERSION || header.name !== name) {
    throw new Error('the recording has another version or name');
  }
  const trace = await readTraceLines(name, lines);
  const { mined, hasEmpty, hashes, simulation } = header;
  return {
    mined,
    trace,
    hasEmpty,
    simulation,
    hashes: new Map(hashes.map(([number, hash]) => [BigInt(number), BigInt(hash)])),
  };
}
