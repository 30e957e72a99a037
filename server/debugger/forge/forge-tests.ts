import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { SimulationNetworks } from '../../analysis/simulation/simulation';
import { ApiError, invalidField } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { Hash } from '../../api/primitives';
import { TEST_CHAIN, type RecordTestBody } from '../../api/recorded-test';
import type { ExecutionSource, RecordTest, TestSource } from '../session/ports';
import { forkPoint } from './forked-state';
import { readTests, type NamedTest } from './forge-output';
import { asApiError, recordTest } from './record-test';
import { titleOf } from './runner-code';
import { outputTooLarge, scanOutput } from './scan-output';
import { StepLists } from './step-lists';

const CHUNK = 1024 ** 2;

interface TestFile {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly written: number;
  readonly test: string | undefined;
  readonly fork: RecordTestBody['fork'];
}

/** Tests that forge executed, from the files that it wrote. */
export class ForgeTests implements TestSource {
  readonly #known = new LRUCache<Hash, TestFile>({ max: LIMITS.recordedTests });

  constructor(
    private readonly executions: Pick<ExecutionSource, 'identified'>,
    private readonly networks: Pick<SimulationNetworks, 'at'>,
  ) {}

  /**
   * Takes a file. It is read when the recording is made.
   * @returns chain and id of the recording
   * @throws ApiError `invalidField`, `recordingTooLarge`; of the fork's chain `chainNotFound`, `upstreamLacksData`, `upstreamUnreachable`
   */
  async add(
    { file, test, fork }: RecordTestBody,
    signal: AbortSignal,
  ): Promise<{ chain: string; transaction: Hash }> {
    const found = await stat(file).catch(() => undefined);
    signal.throwIfAborted();
    if (found?.isFile() !== true) throw invalidField('file', file, 'a file that exists');
    if (found.size > LIMITS.forgeOutput) throw outputTooLarge();
    const id: Hash = `0x${createHash('sha256').update(randomUUID()).digest('hex')}`;
    // A name that is none is refused before the file is read.
    if (fork) await forkPoint(this.networks, fork, signal);
    this.#known.set(id, { path: file, written: found.mtimeMs, test, fork });
    return { chain: TEST_CHAIN, transaction: id };
  }

  find(chain: string, id: Hash): RecordTest | undefined {
    if (chain !== TEST_CHAIN) return undefined;
    const file = this.#known.get(id);
    return async (user, signal, onProgress) => {
      if (!file) throw gone(id);
      const { lists, test } = await readFile(id, file, signal);
      const fork = file.fork && (await forkPoint(this.networks, file.fork, signal));
      const wanted = { id, chain: TEST_CHAIN, named: test, lists, fork, user };
      return recordTest(wanted, this.executions, signal, onProgress);
    };
  }
}

const gone = (id: Hash): ApiError =>
  new ApiError(
    'transactionNotFound',
    `the recording of test ${id} is no longer kept: debug the test again`,
  );

/** @throws ApiError; the signal's reason */
async function readFile(
  id: Hash,
  { path, written, test }: TestFile,
  signal: AbortSignal,
): Promise<{ lists: StepLists; test: NamedTest }> {
  const now = await stat(path).catch(() => undefined);
  if (now?.mtimeMs !== written) throw gone(id);
  const lists = new StepLists();
  try {
    const chunks = createReadStream(path, { highWaterMark: CHUNK, signal });
    const text = await scanOutput(chunks, lists, signal);
    return { lists, test: choose(readTests(text), test) };
  } catch (error) {
    signal.throwIfAborted();
    throw asApiError(error);
  }
}

/** @throws ApiError `invalidField` */
function choose(tests: readonly NamedTest[], wanted: string | undefined): NamedTest {
  const executed = tests.filter(({ test }) => test.traces.length > 0);
  const found =
    wanted === undefined
      ? (executed.find(({ test }) => test.status === 'Failure') ?? executed[0])
      : executed.find((one) => titleOf(one) === wanted);
  if (found) return found;
  const names = executed.map(titleOf);
  throw invalidField(
    'test',
    wanted,
    names.length === 0 ? 'none: forge executed no test' : names.join(', '),
  );
}
