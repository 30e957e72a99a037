import { neverAborted } from '../../kernel/async/never-aborted';
import { SharedCache } from '../../kernel/async/shared-cache';
import { inSlices, STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';
import type {
  AnalysisOptions,
  AnalysisRequest,
  ExecutionLocator,
} from '../../analysis/views/execution-locator';
import type { LocatedExecution } from '../../analysis/executed-transaction';
import { executionSteps, isCreation, type CallFrame } from '../../analysis/call-frame';
import type {
  Contract,
  CreationCode,
  FramePoints,
  FramePointSource,
  Identification,
  Network,
} from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import type { Address } from '../../api/primitives';
import type { OnProgress } from '../../api/progress';
import type { SimulateBody } from '../../api/simulate';
import type { SourceLocation, SourceLocations, SourcePlace } from '../../api/source-locations';
import { timeoutSignal } from '../../api/timeout-signal';
import { codeOf, executedIn, keyOf } from './called-code';
import { wantedFunction } from './called-function';
import type { KnownSource } from './code-sources';
import { DECLARATION_BYTES, DeclaredFunctions } from './function-ranges';
import type { ExecutedCode } from './program-source';
import { sourceFacts, type LookedUpCode } from './source-facts';
import { knownUpTo } from './known-range';
import type { SourceMap, SourceRange } from './source-map';

export interface SourceLocationPorts {
  /** Of transactions, and of recorded simulations by their ids. */
  executions: Pick<ExecutionLocator, 'locate'>;
  simulations: {
    locate(
      chain: string,
      body: SimulateBody,
      options: { signal: AbortSignal; user: string; onProgress?: OnProgress },
    ): Promise<{ readonly located: LocatedExecution }>;
  };
  succeeded(executed: LocatedExecution['executed']): boolean;
  points: FramePointSource;
  sources: {
    /** Rejects only if the signal is aborted. */
    sourceOf(
      network: Network,
      executed: ExecutedCode,
      signal: AbortSignal,
    ): Promise<KnownSource | undefined>;
  };
}

/** Time limit for all sources of a transaction together, in milliseconds. Those that arrived are cached, so the next request finds more. */
const SOURCES_TIMEOUT_MS = 15_000;

/** Bound of the cache of code positions, in calls over all transactions. */
const CACHED_CALLS = 200_000;

/** Where calls and failures happen in the code. */
interface Points {
  readonly points: readonly FramePoints[];
  /** Why they are missing. */
  readonly incomplete?: string;
}

/** A call with the contract whose code runs in it. */
interface LocatedFrame {
  readonly nodeId: number;
  readonly frame: CallFrame;
  readonly parent: LocatedFrame | undefined;
  readonly points: FramePoints | undefined;
  /** The contract or creation code that runs, and its source. */
  readonly code: Contract | CreationCode | undefined;
  readonly source: FrameSource | undefined;
}

interface FrameSource extends KnownSource {
  /** The account whose code it is. */
  readonly address: Address;
}

/** Finds the calls of a transaction in the sources of its contracts. */
export class SourceLocator {
  readonly #pointsOfCalls = new SharedCache<readonly FramePoints[]>(
    CACHED_CALLS,
    ({ length }) => length + 1,
  );

  constructor(private readonly ports: SourceLocationPorts) {}

  /** @throws ApiError as `SourceLocationPorts.executions` */
  async locations(
    request: AnalysisRequest,
    { signal = neverAborted(), onProgress }: AnalysisOptions = {},
  ): Promise<SourceLocations> {
    const located = await this.ports.executions.locate(request, { signal, onProgress });
    return this.#inSources(located, () => this.#points(located, signal, onProgress), signal);
  }

  /**
   * Functions of a simulation. The places of calls and failures come from every step, which a simulation has in its recording alone.
   * @param user id of the user
   * @throws ApiError as `Simulation.simulate`
   */
  async ofSimulation(
    chain: string,
    body: SimulateBody,
    user: string,
    { signal = neverAborted(), onProgress }: AnalysisOptions = {},
  ): Promise<SourceLocations> {
    const options = { signal, user, ...(onProgress && { onProgress }) };
    const { located } = await this.ports.simulations.locate(chain, body, options);
    const incomplete = `the places of calls and failures are those of its recording (POST /v1/explorer/${chain}/simulate/recording)`;
    return this.#inSources(located, () => Promise.resolve({ points: [], incomplete }), signal);
  }

  async #inSources(
    { network, executed, known }: LocatedExecution,
    pointsOf: () => Promise<Points>,
    signal: AbortSignal,
  ): Promise<SourceLocations> {
    const status = this.ports.succeeded(executed);
    const { root } = executed.trace;
    const codes = await this.#lookUp(network, root, known, signal);
    const facts = await sourceFacts(codes);
    const sources = new Map(
      codes.flatMap(({ executed: { address }, key, source }) =>
        source ? [[key, { ...source, address }] as const] : [],
      ),
    );
    const isMapped = [...sources.values()].some(
      ({ contract }) => contract.deployed ?? contract.creation,
    );
    if (!isMapped) return { status, locations: [], changed: [], ...facts };
    const { points, incomplete } = await pointsOf();
    const frames = await inSlices(framesWork(root, known, points, sources), signal);
    const { locations, changed } = await inSlices(locationsWork(frames), signal);
    return {
      status,
      locations,
      changed: [...changed].sort(),
      ...(incomplete === undefined ? {} : { incomplete }),
      ...facts,
    };
  }

  async #points(
    { network, executed }: LocatedExecution,
    signal: AbortSignal,
    onProgress: OnProgress | undefined,
  ): Promise<Points> {
    const { mined } = executed;
    try {
      const points = await this.#pointsOfCalls.get(
        [network.key, mined.transaction.hash, mined.block.hash].join(),
        (...shared) => this.ports.points.points(network, mined, ...shared),
        { signal, onProgress },
      );
      return { points };
    } catch (error) {
      if (!(error instanceof ApiError) || signal.aborted) throw error;
      return { points: [], incomplete: error.message };
    }
  }

  /** All codes that run, in order of their first use, with their sources. */
  async #lookUp(
    network: Network,
    root: CallFrame,
    known: Identification,
    signal: AbortSignal,
  ): Promise<(LookedUpCode & { key: string })[]> {
    const codes = new Map<string, { executed: ExecutedCode; calls: number[] }>();
    let nodeId = 0;
    for (const { frame, log } of executionSteps(root)) {
      const executed = log ? undefined : executedIn(frame, known);
      if (executed) {
        const key = keyOf(executed);
        const code = codes.get(key) ?? { executed, calls: [] };
        code.calls.push(nodeId);
        codes.set(key, code);
      }
      nodeId++;
    }
    const patience = AbortSignal.any([signal, timeoutSignal(SOURCES_TIMEOUT_MS)]);
    const found = await Promise.all(
      [...codes].map(async ([key, code]) => {
        const answer = await this.ports.sources.sourceOf(network, code.executed, patience).then(
          (source) => ({ source, isLate: false }),
          () => ({ source: undefined, isLate: true }),
        );
        return { key, ...code, ...answer };
      }),
    );
    signal.throwIfAborted();
    return found;
  }
}

function* framesWork(
  root: CallFrame,
  known: Identification,
  points: readonly FramePoints[],
  sources: ReadonlyMap<string, FrameSource>,
): Work<LocatedFrame[]> {
  const frames: LocatedFrame[] = [];
  const path: LocatedFrame[] = [];
  let nodeId = 0;
  let next = 0;
  for (const { frame, log, depth } of executionSteps(root)) {
    if (!log) {
      const own = points[next];
      const fits = own !== undefined && isOf(frame, own, depth);
      if (fits) next++;
      const executed = executedIn(frame, known);
      const located = {
        nodeId,
        frame,
        parent: path[depth - 1],
        points: fits ? own : undefined,
        code: codeOf(frame, known),
        source: executed && sources.get(keyOf(executed)),
      };
      path[depth] = located;
      frames.push(located);
    }
    nodeId++;
    if (nodeId % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
  }
  return frames;
}

function* locationsWork(
  frames: readonly LocatedFrame[],
): Work<{ locations: SourceLocation[]; changed: ReadonlySet<string> }> {
  const changed = new Set<string>();
  const readLocation = locationReader(changed);
  const declared = new Map<SourceMap, DeclaredFunctions>();
  const locations: SourceLocation[] = [];
  for (const frame of frames) {
    const location = toLocation(frame, yield* functionRangeWork(frame, declared), readLocation);
    if (location) locations.push(location);
    yield 1;
  }
  return { locations, changed };
}

/** Tracers differ in what they count as a call, so only points of the same call are used. */
function isOf(frame: CallFrame, { type, to }: FramePoints, depth: number): boolean {
  if (depth === 0) return type === undefined;
  return type === frame.type && (frame.to === null || to === frame.to);
}

type LocationReader = (located: LocatedFrame, range: SourceRange) => SourcePlace | undefined;

/** @param changed receives the names of files that changed since their compilation */
function locationReader(changed: Set<string>): LocationReader {
  return ({ source }, { file, start, length }) => {
    if (!source) return undefined;
    const { contract, address } = source;
    const name = contract.changed(file);
    if (name !== undefined) {
      changed.add(name);
      return undefined;
    }
    const place = contract.text(file)?.place(start, length);
    return place && { ...place, from: contract.compilation.origin, address };
  };
}

function toLocation(
  located: LocatedFrame,
  ownFunction: SourceRange | undefined,
  readLocation: LocationReader,
): SourceLocation | undefined {
  const { nodeId, frame, parent, points, code } = located;
  const place = (of: LocatedFrame, range: SourceRange | undefined): SourcePlace | undefined =>
    range && readLocation(of, range);
  const declaration = place(located, ownFunction);
  const callSite = parent && place(parent, rangeAt(parent, points?.site));
  const failure =
    frame.error === undefined ? undefined : place(located, failureRange(located, points));
  if (!declaration && !callSite && !failure) return undefined;
  return {
    nodeId,
    contract: code?.name ?? located.source?.contract.compilation.contractName ?? '',
    ...(declaration && { function: declaration }),
    ...(callSite && { callSite }),
    ...(failure && { failure }),
  };
}

const mapOf = ({ frame, source }: LocatedFrame): SourceMap | undefined =>
  isCreation(frame) ? source?.contract.creation : source?.contract.deployed;

/** The source range of an instruction; undefined for code that the compiler generated. */
function rangeAt(located: LocatedFrame, offset: number | undefined): SourceRange | undefined {
  const range = offset === undefined ? undefined : mapOf(located)?.at(offset);
  return range && isKnown(located, range) ? range : undefined;
}

function isKnown({ source }: LocatedFrame, { file }: SourceRange): boolean {
  const { contract } = source ?? {};
  return (contract?.text(file) ?? contract?.changed(file)) !== undefined;
}

/**
 * Generated code throws panics, and statements share code that reverts: the statement is the source of the last jump into it, or of the
 * code before that jump.
 */
function failureRange(
  located: LocatedFrame,
  points: FramePoints | undefined,
): SourceRange | undefined {
  const map = mapOf(located);
  for (const offset of [points?.end, ...(points?.jumps ?? []).toReversed()]) {
    const range =
      map && offset !== undefined && knownUpTo(map, offset, (one) => isKnown(located, one));
    if (range) return range;
  }
  return undefined;
}

/** @param declared by the maps that were read */
function* functionRangeWork(
  located: LocatedFrame,
  declared: Map<SourceMap, DeclaredFunctions>,
): Work<SourceRange | undefined> {
  const { frame, code, source } = located;
  const map = mapOf(located);
  const wanted = wantedFunction(frame, code);
  if (!source || !map || !wanted) return undefined;
  const { contract } = source;
  const functions =
    declared.get(map) ??
    (yield* DeclaredFunctions.work(map.distinct(), ({ file, start, length }) =>
      contract.changed(file) === undefined
        ? contract.text(file)?.slice(start, Math.min(length, DECLARATION_BYTES))
        : undefined,
    ));
  declared.set(map, functions);
  return functions.find(wanted);
}
