import type { Address, Hex } from '../../api/primitives';
import type {
  ExecutedCode as CodeAsText,
  ProgramSource,
  Unoptimized,
} from '../../contracts/sources/program-source';
import { isCreationKind } from '../../evm/interpreter/frame';
import type { Recording } from '../recording/recording';
import { canHaveTwin, recordTwin, type Twin } from '../twin/twin';
import { Difference } from '../twin/difference';
import type { DebuggedTransaction } from './debugged-transaction';
import { codeAsText, type ExecutedCodes } from './executed-codes';
import type { TwinReport } from './twin-report';

/** Codes without the optimizer by the numbers of the executed ones. */
interface Plan {
  readonly builds: readonly (Unoptimized | undefined)[];
  /** What creations return, by their frames. */
  readonly deployed: ReadonlyMap<number, Unoptimized | undefined>;
}

/** What a twin gives to a debugger, and what is said of it. Without `twin` no code could be replaced. */
interface TwinResult {
  readonly twin: Twin | undefined;
  readonly report: TwinReport;
  /** Codes of the twin as programs read them. */
  readonly builds: readonly Exclude<Unoptimized, { reason: string }>[];
}

/**
 * Executes a recorded transaction with codes that are built without the optimizer.
 * @throws the signal's reason
 */
export async function twinOf(
  { recording, codes, recorded }: DebuggedTransaction,
  source: ProgramSource,
  signal: AbortSignal,
  onSteps?: (steps: number) => void,
): Promise<TwinResult> {
  const nothing = { twin: undefined, builds: [] };
  if (!canHaveTwin(recording)) {
    const reason = 'the gas rules of its block cannot be followed by other code';
    return { ...nothing, report: { same: 0, of: 0, reason, codes: [], unprovedGas: [] } };
  }
  const plan = await planOf(recording, codes, recorded.located.network, source, signal);
  const builtOf = (number: number | undefined) => {
    const build = plan.builds[number ?? -1];
    return build && 'code' in build ? build : undefined;
  };
  const bytesOf = bytesOnce();
  const numberOf = (frame: number): number | undefined => {
    const number = codes.codeOf[frame];
    return builtOf(number) && number;
  };
  if (!plan.builds.some((build) => build && 'code' in build)) {
    return { ...nothing, report: reportOf(plan, undefined) };
  }
  try {
    const twin = await recordTwin(
      recording,
      recorded.inputs,
      {
        numberOf,
        codeOf: (frame) => bytesOf(builtOf(codes.codeOf[frame])?.code),
        deployedBy: (frame) => {
          const build = plan.deployed.get(frame);
          return bytesOf(build && 'code' in build ? build.code : undefined);
        },
      },
      signal,
      onSteps,
    );
    const builds = plan.builds.flatMap((build) => (build && 'code' in build ? build : []));
    const report = reportOf(plan, twin, codes);
    return twin.frames.size === 0 ? { ...nothing, report } : { twin, builds, report };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Difference)) throw error;
    return { ...nothing, report: { ...reportOf(plan, undefined), reason: error.message } };
  }
}

async function planOf(
  { frames }: Recording,
  { codes }: ExecutedCodes,
  network: Parameters<ProgramSource['programOf']>[0],
  source: ProgramSource,
  signal: AbortSignal,
): Promise<Plan> {
  const made: { frame: number; code: CodeAsText }[] = [];
  for (const [frame, { context, end, firstStep, endStep }] of frames.entries()) {
    const isMade = isCreationKind(context.kind) && firstStep !== endStep;
    if (!isMade || end?.kind !== 'returned' || end.output.length === 0) continue;
    const code = codeAsText({
      address: context.address as Address,
      code: end.output,
      isCreation: false,
    });
    made.push({ frame, code });
  }
  const wanted = [...codes.map(codeAsText), ...made.map(({ code }) => code)];
  const found = (await source.unoptimizedOf?.(network, wanted, signal)) ?? [];
  const deployed = made.map(({ frame }, index) => [frame, found[codes.length + index]] as const);
  return { builds: found.slice(0, codes.length), deployed: new Map(deployed) };
}

function reportOf({ builds }: Plan, twin: Twin | undefined, codes?: ExecutedCodes): TwinReport {
  const differences = new Map(twin?.differences.map((one) => [one.code, one]));
  const listed = builds.flatMap((build, code): TwinReport['codes'] => {
    if (!build) return [];
    if ('reason' in build) {
      const { reason, missing } = build;
      return [{ code, reason, ...(missing !== undefined && { missing }) }];
    }
    const { settings } = build;
    const difference = differences.get(code);
    if (!difference) return [{ code, settings }];
    const { text: reason, step } = difference;
    return [{ code, settings, reason, ...(step >= 0 && { step }) }];
  });
  const unproved = [...(twin?.unprovedGas ?? [])].flatMap((frame) => codes?.codeOf[frame] ?? []);
  return {
    same: twin?.same ?? 0,
    of: twin?.of ?? 0,
    codes: listed,
    unprovedGas: [...new Set(unproved)],
  };
}

/** The same bytes for the same text, by which jump destinations are found once. */
function bytesOnce(): (code: Hex | undefined) => Uint8Array | undefined {
  const known = new Map<Hex, Uint8Array>();
  return (code) => {
    if (code === undefined) return undefined;
    const bytes = known.get(code) ?? new Uint8Array(Buffer.from(code.slice(2), 'hex'));
    known.set(code, bytes);
    return bytes;
  };
}
