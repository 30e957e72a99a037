import { LRUCache } from 'lru-cache';
import type { AnalysisRequest, AnalysisOptions } from '../analysis/analyze';
import type { LocatedExecution } from '../analysis/executed-transaction';
import { executionSteps, isCreation, type CallFrame } from '../analysis/call-frame';
import { selectorOf } from '../analysis/decode-call';
import type {
  Contract,
  CreationCode,
  FramePoints,
  FramePointSource,
  Identification,
} from '../analysis/ports';
import { ApiError } from '../api/errors';
import type { OnProgress } from '../api/progress';
import type { SourceLocation, SourceLocations, SourcePlace } from '../api/source-locations';
import type { Compilation } from './compilation';
import { CompiledContract } from './compiled-contract';
import { DECLARATION_BYTES, findFunction, type WantedFunction } from './function-ranges';
import type { SourceMap, SourceRange } from './source-map';

export interface SourceLocationPorts {
  /** Returns a traced transaction with its identified contracts. */
  locate(
    request: AnalysisRequest,
    signal: AbortSignal | undefined,
    onProgress?: OnProgress,
  ): Promise<LocatedExecution>;
  succeeded(executed: LocatedExecution['executed']): boolean;
  points: FramePointSource;
  /** Compiler output by the path of an artifact; undefined if it contains no source map. */
  compilationOf(artifact: string): Promise<Compilation | undefined>;
}

/** Limit of artifacts whose maps and sources are cached. */
const KEPT_COMPILATIONS = 200;
/** Sources are read again after this time, in milliseconds. */
const KEPT_MS = 10_000;

const NEVER = new AbortController().signal;

/** A call with the contract whose code runs in it. */
interface LocatedFrame {
  readonly nodeId: number;
  readonly frame: CallFrame;
  readonly parent: LocatedFrame | undefined;
  readonly points: FramePoints | undefined;
  /** The contract or creation code that runs, and its compilation. */
  readonly code: Contract | CreationCode | undefined;
  readonly compiled: CompiledContract | undefined;
}

/** Finds the calls of a transaction in the sources of the artifact folders. */
export class SourceLocator {
  private readonly opened = new LRUCache<string, Promise<CompiledContract | undefined>>({
    max: KEPT_COMPILATIONS,
    ttl: KEPT_MS,
  });

  constructor(private readonly ports: SourceLocationPorts) {}

  /** @throws ApiError as `AnalysisService.balanceChange` */
  async locations(
    request: AnalysisRequest,
    { signal, onProgress }: AnalysisOptions = {},
  ): Promise<SourceLocations> {
    const located = await this.ports.locate(request, signal, onProgress);
    const { executed, known } = located;
    const status = this.ports.succeeded(executed);
    if (!hasArtifacts(known)) return { status, locations: [], changed: [] };
    const { points, incomplete } = await this.points(located, signal, onProgress);
    const changed = new Set<string>();
    const placeOf = placer(changed);
    const locations: SourceLocation[] = [];
    for (const frame of await this.frames(executed.trace.root, known, points)) {
      const location = toLocation(frame, placeOf);
      if (location) locations.push(location);
    }
    return {
      status,
      locations,
      changed: [...changed].sort(),
      ...(incomplete === undefined ? {} : { incomplete }),
    };
  }

  private async points(
    { network, executed }: LocatedExecution,
    signal: AbortSignal | undefined,
    onProgress: OnProgress | undefined,
  ): Promise<{ points: readonly FramePoints[]; incomplete?: string }> {
    try {
      const { points } = this.ports;
      return {
        points: await points.points(network, executed.mined, signal ?? NEVER, onProgress),
      };
    } catch (error) {
      if (!(error instanceof ApiError) || signal?.aborted) throw error;
      return { points: [], incomplete: error.message };
    }
  }

  private async frames(
    root: CallFrame,
    known: Identification,
    points: readonly FramePoints[],
  ): Promise<LocatedFrame[]> {
    const frames: LocatedFrame[] = [];
    const path: LocatedFrame[] = [];
    let nodeId = 0;
    let next = 0;
    for (const { frame, log, depth } of executionSteps(root)) {
      if (!log) {
        const own = points[next];
        const fits = own !== undefined && isOf(frame, own, depth);
        if (fits) next++;
        const code = codeOf(frame, known);
        const located = {
          nodeId,
          frame,
          parent: path[depth - 1],
          points: fits ? own : undefined,
          code,
          compiled: code?.artifact === undefined ? undefined : await this.open(code.artifact),
        };
        path[depth] = located;
        frames.push(located);
      }
      nodeId++;
    }
    return frames;
  }

  private open(artifact: string): Promise<CompiledContract | undefined> {
    const kept = this.opened.get(artifact);
    if (kept) return kept;
    const opening = this.ports
      .compilationOf(artifact)
      .then((compilation) => compilation && CompiledContract.open(compilation));
    this.opened.set(artifact, opening);
    return opening;
  }
}

const hasArtifacts = ({ contracts, creations }: Identification): boolean =>
  [...contracts.values(), ...creations.values()].some(({ artifact }) => artifact !== undefined);

/** Tracers differ in what they count as a call, so only points of the same call are used. */
function isOf(frame: CallFrame, { type, to }: FramePoints, depth: number): boolean {
  if (depth === 0) return type === undefined;
  return type === frame.type && (frame.to === null || to === frame.to);
}

const DELEGATION = '0xef0100'; // EIP-7702

function codeOf(
  frame: CallFrame,
  { contracts, creations }: Identification,
): Contract | CreationCode | undefined {
  if (isCreation(frame)) return creations.get(frame.input);
  const called = frame.to === null ? undefined : contracts.get(frame.to);
  return called?.code?.startsWith(DELEGATION) === true && called.implementation
    ? contracts.get(called.implementation)
    : called;
}

type PlaceOf = (located: LocatedFrame, range: SourceRange) => SourcePlace | undefined;

/** @param changed receives the names of files that changed since their compilation */
function placer(changed: Set<string>): PlaceOf {
  return ({ compiled }, { file, start, length }) => {
    const name = compiled?.changed(file);
    if (name === undefined) return compiled?.text(file)?.place(start, length);
    changed.add(name);
    return undefined;
  };
}

function toLocation(located: LocatedFrame, placeOf: PlaceOf): SourceLocation | undefined {
  const { nodeId, frame, parent, points, code } = located;
  const place = (of: LocatedFrame, range: SourceRange | undefined): SourcePlace | undefined =>
    range && placeOf(of, range);
  const declaration = place(located, functionRange(located));
  const callSite = parent && place(parent, rangeAt(parent, points?.site));
  const failure =
    frame.error === undefined ? undefined : place(located, failureRange(located, points));
  if (!declaration && !callSite && !failure) return undefined;
  return {
    nodeId,
    contract: code?.name ?? '',
    ...(declaration && { function: declaration }),
    ...(callSite && { callSite }),
    ...(failure && { failure }),
  };
}

const mapOf = ({ frame, compiled }: LocatedFrame): SourceMap | undefined =>
  isCreation(frame) ? compiled?.creation : compiled?.deployed;

/** The source range of an instruction; undefined for code that the compiler generated. */
function rangeAt(located: LocatedFrame, offset: number | undefined): SourceRange | undefined {
  const range = offset === undefined ? undefined : mapOf(located)?.at(offset);
  return range && located.compiled?.text(range.file) !== undefined ? range : undefined;
}

/** Generated code throws panics: the statement is the source of the last jump into it. */
function failureRange(
  located: LocatedFrame,
  points: FramePoints | undefined,
): SourceRange | undefined {
  for (const offset of [points?.end, ...(points?.jumps ?? []).toReversed()]) {
    const range = rangeAt(located, offset);
    if (range) return range;
  }
  return undefined;
}

function functionRange(located: LocatedFrame): SourceRange | undefined {
  const { frame, code, compiled } = located;
  const map = mapOf(located);
  if (!compiled || !map) return undefined;
  return findFunction(map.distinct(), wantedFunction(frame, code), ({ file, start, length }) => {
    const text = compiled.text(file);
    return text?.slice(start, Math.min(length, DECLARATION_BYTES));
  });
}

function wantedFunction(frame: CallFrame, code: LocatedFrame['code']): WantedFunction {
  if (isCreation(frame)) return { kind: 'constructor' };
  if (frame.input === '0x') return { kind: 'receive' };
  const selector = selectorOf(frame.input);
  const [fragment] = (selector && code?.interface?.functions(selector)) ?? [];
  if (!fragment) return { kind: 'fallback' };
  return { kind: 'function', name: fragment.name, types: fragment.inputs.map(({ type }) => type) };
}
