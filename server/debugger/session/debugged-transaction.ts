import { isCreation, type CallFrame } from '../../analysis/call-frame';
import { selectorOf } from '../../analysis/decoding/call';
import type { LocatedExecution } from '../../analysis/executed-transaction';
import { TraceDecoder } from '../../analysis/decoding/trace-decoder';
import { nameBySource } from '../../analysis/ports';
import type { Address, Hex } from '../../api/primitives';
import type { Recording as RecordingAnswer } from '../../api/recording';
import type { SourcePlace } from '../../api/source-locations';
import { inSlices } from '../../kernel/async/slices';
import { toWord } from '../../evm/forms/quantity';
import type { SourceText } from '../../contracts/sources/source-text';
import type { ProgramSource, UnoptimizedBuild } from '../../contracts/sources/program-source';
import { BreakpointIndex } from './breakpoint-index';
import { isCreationKind } from '../../evm/interpreter/frame';
import {
  findCodes,
  hasNewSources,
  revisionOf,
  type ExecutedCode,
  type ExecutedCodes,
} from './executed-codes';
import { eventPlace, isOwnStatement, type EventPlace } from './effect-places';
import { ExecutedStatements } from '../recording/executed-statements';
import type { Statement } from '../recording/line-numbers';
import { flowNodes, type FlowNodes } from './flow-nodes';
import type { RecordingInputs } from '../recording/inputs';
import { ownPlaceAt, type Program } from '../recording/program';
import type { RecordedLog, Recording } from '../recording/recording';
import { functionsOf } from '../recording/source-functions';
import { functionNamed, selectedFunction } from './selected-function';
import { sourceCallsWork, type SourceCall, type SourceCalls } from '../recording/source-calls';
import { Stops } from '../recording/stops';
import { programFacts } from './program-facts';
import type { StatePoint } from './state-point';
import { withBuilds } from './built-programs';
import type { TwinReport } from './twin-report';
import { UntouchedState } from './untouched-state';
import { cloneTarget } from '../../contracts/sources/why-unmapped';
import { whyNoVariables } from './why-unmapped';
import type { RecordingVariables } from '../languages/port/variables';
import { recordingVariables } from '../languages/recording-variables';

export interface Recorded {
  readonly located: LocatedExecution;
  readonly inputs: RecordingInputs;
  readonly recording: Recording;
  readonly verification: RecordingAnswer['verification'];
  /** State besides that of the recording. */
  readonly point: StatePoint;
  /** Sources of codes that this recording has alone. */
  readonly programs?: readonly UnoptimizedBuild[];
  /** The frame that a debugger begins at; default: the first one. */
  readonly firstFrame?: number;
  /** What is said of unoptimized builds, if they were asked for. */
  readonly twin?: TwinReport;
  /** What was executed, if the recording is of unoptimized builds. */
  readonly executed?: ExecutedRecording;
}

/** The transaction whose effects that of unoptimized builds has. */
interface ExecutedRecording {
  readonly debugged: DebuggedTransaction;
  readonly builds: readonly UnoptimizedBuild[];
}

const SHARED =
  'it was compiled with the optimizer, which shares the code of this step between statements, or keeps no line of it';

/** Memory of a recording without steps. */
const SMALLEST_BYTES = 64 * 1024;

/** A recorded transaction with the sources of the codes that it executes. */
export class DebuggedTransaction {
  readonly recording: Recording;
  readonly decoder: TraceDecoder;
  readonly index = new BreakpointIndex(this);
  readonly variables: RecordingVariables;
  /** Another one for other sources of its codes. */
  readonly revision: string;
  readonly #frames = new Map<number, CallFrame>();
  readonly #functions = new Map<number, string>();
  readonly #statements: ExecutedStatements;
  #nodes: FlowNodes | undefined;

  private constructor(
    readonly recorded: Recorded,
    readonly codes: ExecutedCodes,
    readonly calls: SourceCalls,
    readonly stops: Stops,
    /** State that was read from the chain; new by default. */
    readonly untouched = new UntouchedState(recorded.point),
  ) {
    ({ recording: this.recording } = recorded);
    this.decoder = new TraceDecoder(recorded.located.known);
    this.revision = revisionOf(codes.codes, recorded.executed !== undefined);
    const programOf = (frame: number): Program | undefined => this.programOf(frame);
    this.#statements = new ExecutedStatements(this.recording, calls, programOf, stops.numbers);
    const facts = codes.codes.map(programFacts);
    this.variables = recordingVariables({
      recording: this.recording,
      calls,
      otherStorage: this.untouched.storage,
      otherAccount: this.untouched.account,
      programOf: (frame) => facts[codes.codeOf[frame] ?? -1],
      whyUnknown: (frame) => {
        const code = this.codeOf(frame);
        return code && whyNoVariables(code);
      },
    });
  }

  /** @throws the signal's reason */
  static async open(
    recorded: Recorded,
    source: ProgramSource,
    signal: AbortSignal,
    untouched?: UntouchedState,
  ): Promise<DebuggedTransaction> {
    const { recording, located } = recorded;
    const programs = programsOf(recorded, source);
    const codes = await findCodes(located.network, recording, programs, signal);
    const programOf = (frame: number): Program | undefined =>
      codes.codes[codes.codeOf[frame] ?? -1]?.program;
    const selectedOf = (frame: number): string | undefined =>
      selectedFunction(recording, located.known, frame);
    const calls = await inSlices(sourceCallsWork(recording, { programOf, selectedOf }), signal);
    const stops = await inSlices(Stops.work(recording, calls, programOf), signal);
    return new DebuggedTransaction(recorded, codes, calls, stops, untouched);
  }

  /** Whether something else is known of its sources now. @throws the signal's reason */
  isOutdated(source: ProgramSource, signal: AbortSignal): Promise<boolean> {
    const programs = programsOf(this.recorded, source);
    return hasNewSources(this.recorded.located.network, this.codes.codes, programs, signal);
  }

  /** The same execution with the sources that are known now. @throws the signal's reason */
  renewed(
    located: LocatedExecution,
    source: ProgramSource,
    signal: AbortSignal,
  ): Promise<DebuggedTransaction> {
    return DebuggedTransaction.open({ ...this.recorded, located }, source, signal, this.untouched);
  }

  /** The same with what is said of unoptimized builds. */
  withTwinReport(twin: TwinReport): DebuggedTransaction {
    const recorded = { ...this.recorded, twin };
    const { codes, calls, stops, untouched } = this;
    return new DebuggedTransaction(recorded, codes, calls, stops, untouched);
  }

  /** The recording of the executed codes, which a twin has the effects of. */
  get executed(): Recording {
    return this.recorded.executed?.debugged.recording ?? this.recording;
  }

  /** Memory that it takes, estimated: besides the recording and the stops 5 bytes a step for the calls. */
  get bytes(): number {
    return SMALLEST_BYTES + this.recording.bytes + this.recording.steps * 5 + this.stops.bytes;
  }

  /** Code of a frame; undefined if it executes none. */
  codeOf(frame: number): ExecutedCode | undefined {
    return this.codes.codes[this.codes.codeOf[frame] ?? -1];
  }

  /** The source files of a code by its index. */
  textsOf(contract: number): readonly SourceText[] {
    return [...(this.codes.codes[contract]?.program?.files.values() ?? [])];
  }

  /** Index of the first code that has a text; -1 if none has. */
  contractOf(text: SourceText): number {
    const { numbers } = this.stops;
    const wanted = numbers.canonical(text);
    const has = (one: SourceText): boolean =>
      one.file === text.file && numbers.canonical(one) === wanted;
    return this.codes.codes.findIndex((_, contract) => this.textsOf(contract).some(has));
  }

  programOf(frame: number): Program | undefined {
    return this.codeOf(frame)?.program;
  }

  /**
   * Place of an instruction; of code that the compiler adds, and of code shared with other functions, of the last statement before it in the
   * same call.
   */
  placeAt(step: number): SourcePlace | undefined {
    const at = this.placedStep(step);
    if (at === undefined) return undefined;
    const { frame, pc } = this.recording.at(at);
    const program = this.programOf(frame);
    return program && ownPlaceAt(program, pc);
  }

  /** The step, or the last one before it, whose place is that of the step. */
  placedStep(step: number): number | undefined {
    return this.#eventPlace(step)?.step ?? this.#placedStep(step);
  }

  /** The statement of a step. */
  statementAt(step: number): Statement | undefined {
    return this.#statements.at(step);
  }

  /** The place of the statement that emits an event at a step of optimized code. */
  #eventPlace(step: number): EventPlace | undefined {
    const { frame } = this.recording.at(step);
    const program = this.programOf(frame);
    const log = program?.optimizer === true ? this.index.logAt(step) : undefined;
    return log && eventPlace(this, step, this.eventOf(log));
  }

  #placedStep(step: number): number | undefined {
    const { callOf, isHelper } = this.calls;
    const call = callOf[step] ?? 0;
    const { firstStep: first = 0, function: own } = this.calls.calls[call] ?? {};
    let whole: number | undefined;
    for (let at = step; at >= first; at--) {
      if (callOf[at] !== call) continue;
      const { frame, pc } = this.recording.at(at);
      const program = this.programOf(frame);
      if (!program) return undefined;
      if (isHelper[at] === 1 || functionsOf(program).isForeign(own, pc)) continue;
      const isPlaced = ownPlaceAt(program, pc) !== undefined;
      if (isPlaced && this.stops.numbers.at(program, pc)) return at;
      if (isPlaced) whole ??= at;
    }
    return whole;
  }

  /**
   * Why the place of a failure, an event or a write is not certain; undefined if it is. The optimizer of the IR moves checks away from their
   * statements, and their failures into common code; each optimizer shares equal ends of statements.
   */
  whyUncertain(step: number): string | undefined {
    const { frame, pc } = this.recording.at(step);
    const { end, endStep } = this.recording.frames[frame] ?? {};
    const { program } = this.codeOf(frame) ?? {};
    if (program?.optimizer !== true) return undefined;
    const isFailure = endStep === step + 1 && end !== undefined && end.kind !== 'returned';
    if (isFailure) {
      if (!program.viaIR || this.stops.numbers.at(program, pc)) return undefined;
      return 'it was compiled via IR with the optimizer, which keeps no line of this failure: it is that of the last statement before';
    }
    const event = this.#eventPlace(step);
    if (event) return event.isCertain ? undefined : SHARED;
    return this.index.writeSteps.has(step) && !isOwnStatement(this, step) ? SHARED : undefined;
  }

  /** A frame in the form of the trace, for decoding. It has no calls and logs. */
  callFrame(index: number): CallFrame {
    const known = this.#frames.get(index);
    if (known) return known;
    const { context, end } = this.executed.frames[index] ?? {};
    const { kind = 'CALL', address = '0x', caller = '0x', codeAddress = '0x' } = context ?? {};
    const isOwn = kind === 'DELEGATECALL' || kind === 'CALLCODE';
    const isMade = isCreationKind(kind);
    const frame: CallFrame = {
      type: kind,
      from: (isOwn ? address : caller) as Address,
      to: codeAddress as Address,
      value: context?.value ?? 0n,
      gasUsed: 0,
      input: toHex((isMade ? context?.code : context?.input) ?? NO_BYTES),
      output: toHex(end?.output ?? NO_BYTES),
      ...(end && end.kind !== 'returned' && { error: end.reason ?? 'execution reverted' }),
      items: [],
    };
    this.#frames.set(index, frame);
    return frame;
  }

  /** Why a frame failed, in words; undefined if it did not. */
  failureOf(index: number): string | undefined {
    const { end } = this.recording.frames[index] ?? {};
    if (!end || end.kind === 'returned') return undefined;
    if (end.kind === 'halted') return end.reason ?? 'halted';
    return this.decoder.revertMessage(this.callFrame(index)) || 'reverted without a message';
  }

  /** Name of a contract; empty if unknown. */
  nameOf(executed: ExecutedCode): string {
    const { address, isCreation: isMade, code, program, unmapped } = executed;
    const compiled = program ?? unmapped;
    const { contracts, creations } = this.recorded.located.known;
    if (compiled) {
      return nameBySource(compiled.contractName, isMade ? undefined : contracts.get(address)?.name);
    }
    if (isMade) return creations.get(toHex(code))?.name ?? '';
    return contracts.get(address)?.name ?? this.#nameOfClone(executed);
  }

  /** By the contract whose code it runs. */
  #nameOfClone(executed: ExecutedCode): string {
    const target = cloneTarget(executed);
    if (target === undefined) return '';
    const { contracts } = this.recorded.located.known;
    const run = this.codes.codes.find((one) => one.address === target && !one.isCreation);
    const known = contracts.get(target)?.name ?? '';
    const name = run?.program ? nameBySource(run.program.contractName, known) : known;
    return name === '' ? 'clone' : `clone of ${name}`;
  }

  /** Name of a call's function; empty if unknown. */
  functionOf(index: number): string {
    const known = this.#functions.get(index);
    if (known !== undefined) return known;
    const call = this.calls.calls[index];
    const name = call ? (call.function?.name ?? this.#decodedFunction(call)) : '';
    this.#functions.set(index, name);
    return name;
  }

  /** The contract that declares a call's function, where it is another one than that of the code; empty outside of contracts. */
  declaringContractOf(index: number): string | undefined {
    const call = this.calls.calls[index];
    const declared = call?.function?.contract;
    const code = call && this.codeOf(call.frame);
    return code === undefined || declared === this.nameOf(code) ? undefined : declared;
  }

  #decodedFunction({ frame: index }: SourceCall): string {
    const frame = this.callFrame(index);
    if (isCreation(frame)) return 'constructor';
    const contract =
      frame.to === null ? undefined : this.recorded.located.known.contracts.get(frame.to);
    const selector = selectorOf(frame.input);
    const own = selector && contract && functionNamed(contract, selector);
    if (own !== undefined && own !== '') return own;
    const decoded = (): string => this.decoder.decodeCall(frame)?.name ?? '';
    if (this.programOf(index)?.language === '') return decoded();
    const isKnown = this.programOf(index) !== undefined || contract?.interface !== undefined;
    if (isKnown && frame.input === '0x') return 'receive';
    return this.programOf(index) ? 'fallback' : decoded();
  }

  /** Name of an event; empty if unknown. */
  eventOf({ address, topics, data, frame }: RecordedLog): string {
    const log = {
      address: address as Address,
      topics: topics.map((topic) => toWord(topic)),
      data: toHex(data),
    };
    return this.decoder.decodeLog(log, this.callFrame(frame))?.name ?? '';
  }

  get nodes(): FlowNodes {
    this.#nodes ??= flowNodes(this.executed, this.recorded.located.executed.trace.root);
    return this.#nodes;
  }
}

function programsOf({ executed, programs = [] }: Recorded, source: ProgramSource): ProgramSource {
  const own = [...programs, ...(executed?.builds ?? [])];
  return own.length > 0 ? withBuilds(source, own) : source;
}

const NO_BYTES = new Uint8Array(0);
const toHex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;
