import type { LocatedExecution } from '../../analysis/executed-transaction';
import { neverAborted } from '../../kernel/async/never-aborted';
import { invalidField } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type {
  Bytes,
  Disassembly,
  ExecutedLines,
  RecordedBlock,
  RecordedCalls,
  RecordedFile,
  RecordedStep,
  Recording,
  Variable,
  Variables,
} from '../../api/recording';
import type { Hash } from '../../api/primitives';
import type { RecordTestBody } from '../../api/recorded-test';
import type { RecordingNames } from '../../api/recording-names';
import type { FailedConditions } from '../../api/recording-conditions';
import type { ConsoleLines } from '../../api/recording-console';
import type { FindRequest, Found } from '../../api/recording-search';
import type { Writers } from '../../api/recording-writers';
import type { SimulateBody } from '../../api/simulate';
import type { WaitOptions } from '../../kernel/async/shared-cache';
import { withDeadline } from '../../kernel/async/with-deadline';
import { sourceFilesOf } from '../session/executed-codes';
import { bytesAnswer, type BytesQuery } from './bytes';
import { callsAnswer } from './calls';
import { requireExpressions } from './check-conditions';
import { requireKnownNames } from './check-names';
import { conditionsAnswer } from './conditions';
import { consoleAnswer } from './console';
import { disassemblyAnswer, requireContract } from './disassembly';
import { linesAnswer } from './lines';
import { requireStep } from './positions';
import { recordingAnswer } from './recording';
import { stepAnswer } from './step';
import { evaluateAnswer, evaluator, variablesAnswer, type VariablesQuery } from './variables';
import { writersAnswer } from './writers';
import type { WritersQuery } from './writers-query';
import type { RecordedBlocks } from '../session/recorded-blocks';
import type { SimulatedTransaction } from '../session/ports';
import type { Build, RecordingKey, Recordings } from '../session/recordings';
import { findStop } from '../session/find-stop';

/** Takes tests to record. */
interface TestRegister {
  /** @returns chain and id of its recording @throws ApiError `invalidField`, `recordingTooLarge` */
  add(
    body: RecordTestBody,
    signal: AbortSignal,
  ): Promise<Pick<RecordingKey, 'chain' | 'transaction'>>;
}

/** Knows what addresses are called. */
export interface NameSource {
  /** Names of the addresses of an execution, as its analysis has them. */
  namesOf(located: LocatedExecution, signal: AbortSignal): Promise<RecordingNames>;
}

type Page = Parameters<typeof callsAnswer>[1];

/** The operations on recordings. Each makes the recording if it is not there, and throws what `Recordings.open` does. */
export class RecordingService {
  constructor(
    private readonly recordings: Recordings,
    private readonly blocks: RecordedBlocks,
    private readonly hasText: (path: string, text: string) => Promise<boolean>,
    private readonly tests: TestRegister,
    private readonly nameSource: NameSource,
  ) {}

  async recording(key: RecordingKey, options: WaitOptions): Promise<Recording> {
    const debugged = await this.recordings.open(key, options);
    return recordingAnswer(debugged, key.chain, key.transaction);
  }

  /** @throws ApiError as `Recordings.simulate` */
  async simulation(
    chain: string,
    body: SimulateBody,
    { user, build }: { readonly user: string; readonly build?: Build | undefined },
    options: WaitOptions,
  ): Promise<Recording> {
    const simulated = await this.recordings.simulate(chain, body, user, options);
    const { id } = simulated;
    const debugged =
      build === 'unoptimized'
        ? await this.recordings.unoptimized(simulated.debugged, options)
        : simulated.debugged;
    return recordingAnswer(debugged, chain, id);
  }

  /**
   * Records a test of a file that forge wrote.
   * @throws ApiError `invalidField` for a file or test that is not there, and as `Recordings.open`
   */
  async test(body: RecordTestBody, user: string, options: WaitOptions): Promise<Recording> {
    const key = { ...(await this.tests.add(body, signalOf(options))), user };
    return this.recording(key, options);
  }

  /** @throws ApiError as `RecordedBlocks.check` */
  async block(
    key: RecordingKey & { readonly block: Hash },
    { signal }: WaitOptions,
  ): Promise<RecordedBlock> {
    const found = await this.blocks.check(key, signal);
    if (found.reason !== undefined) await this.recordings.leave(key, found.reason);
    return found;
  }

  /** As `Recordings.simulated`. */
  simulated(id: Hash): Promise<SimulatedTransaction | undefined> {
    return this.recordings.simulated(id);
  }

  /** @throws ApiError `invalidField` */
  async calls(key: RecordingKey, page: Page, options: WaitOptions): Promise<RecordedCalls> {
    return callsAnswer(await this.recordings.open(key, options), page, signalOf(options));
  }

  /** @throws ApiError `invalidField` */
  async step(key: RecordingKey, step: number, options: WaitOptions): Promise<RecordedStep> {
    return stepAnswer(await this.recordings.open(key, options), step, signalOf(options));
  }

  /** @throws ApiError `invalidField` */
  async bytes(
    key: RecordingKey,
    step: number,
    query: BytesQuery,
    options: WaitOptions,
  ): Promise<Bytes> {
    return bytesAnswer(await this.recordings.open(key, options), step, query, signalOf(options));
  }

  /** @throws ApiError `invalidField` */
  async variables(
    key: RecordingKey,
    step: number,
    query: VariablesQuery,
    options: WaitOptions,
  ): Promise<Variables> {
    const debugged = await this.recordings.open(key, options);
    return variablesAnswer(debugged, step, query, signalOf(options));
  }

  /** @throws ApiError `invalidField` */
  async evaluate(
    key: RecordingKey,
    step: number,
    body: { expression: string; call?: number | undefined },
    options: WaitOptions,
  ): Promise<Variable> {
    const debugged = await this.recordings.open(key, options);
    return evaluateAnswer(debugged, step, body, signalOf(options));
  }

  /** @throws ApiError `invalidField`, `timedOut` */
  async find(key: RecordingKey, request: FindRequest, options: WaitOptions): Promise<Found> {
    const debugged = await this.recordings.open(key, options);
    if (debugged.recording.steps > 0) requireStep(debugged, request.from, 'from');
    const limits = {
      signal: signalOf(options),
      timeoutMs: LIMITS.findTime,
      what: 'the search',
      advice: 'set fewer breakpoints with conditions, or start it nearer to the place',
    };
    return withDeadline(limits, async (signal) => {
      await requireExpressions(request, signal);
      await requireKnownNames(debugged, request, signal);
      return findStop(debugged, request, evaluator(debugged, signal), signal);
    });
  }

  /** @throws ApiError `invalidField` */
  async writers(key: RecordingKey, query: WritersQuery, options: WaitOptions): Promise<Writers> {
    return writersAnswer(await this.recordings.open(key, options), query, signalOf(options));
  }

  async names(key: RecordingKey, options: WaitOptions): Promise<RecordingNames> {
    const { recorded } = await this.recordings.open(key, options);
    return this.nameSource.namesOf(recorded.located, signalOf(options));
  }

  async console(key: RecordingKey, options: WaitOptions): Promise<ConsoleLines> {
    return consoleAnswer(await this.recordings.open(key, options), signalOf(options));
  }

  async conditions(key: RecordingKey, options: WaitOptions): Promise<FailedConditions> {
    return conditionsAnswer(await this.recordings.open(key, options), signalOf(options));
  }

  async lines(
    key: RecordingKey,
    query: Parameters<typeof linesAnswer>[1],
    options: WaitOptions,
  ): Promise<ExecutedLines> {
    return linesAnswer(await this.recordings.open(key, options), query, signalOf(options));
  }

  /** @throws ApiError `invalidField` */
  async instructions(
    key: RecordingKey,
    contract: number,
    query: Parameters<typeof disassemblyAnswer>[2],
    options: WaitOptions,
  ): Promise<Disassembly> {
    return disassemblyAnswer(await this.recordings.open(key, options), contract, query);
  }

  /**
   * @param wanted.hasPath whether the caller may know files of this machine
   * @throws ApiError `invalidField`
   */
  async file(
    key: RecordingKey,
    contract: number,
    { name, hasPath }: { name: string; hasPath: boolean },
    options: WaitOptions,
  ): Promise<RecordedFile> {
    const files = sourceFilesOf(
      requireContract(await this.recordings.open(key, options), contract),
    );
    const found = files.find(({ file }) => file === name);
    if (found) {
      const { content, path } = found;
      const isOpen = hasPath && path !== undefined && (await this.hasText(path, content));
      return { file: name, content, ...(isOpen && { path }) };
    }
    const names = files.map(({ file }) => file);
    throw invalidField('file', name, names.length === 0 ? 'none' : names.join(', '));
  }
}

const signalOf = ({ signal }: WaitOptions): AbortSignal => signal ?? neverAborted();
