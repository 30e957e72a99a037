import { inSlices } from '../../kernel/async/slices';
import type { Environment } from '../../evm/interpreter/environment';
import { UnknownResult } from '../../evm/interpreter/environment';
import type { Prestate } from '../../evm/interpreter/world';
import { Recording, RecordingTooLarge } from '../recording/recording';
import { Difference } from './difference';
import { effectsWork, type Effect } from './effects';
import { TwinGuide } from './twin-guide';

/** Codes without the optimizer in the place of those of a recording. */
export interface TwinCodes {
  /** Number of the code of a frame; undefined: none that can be replaced. */
  readonly numberOf: (frame: number) => number | undefined;
  /** Code in the place of that of a frame, which has a number; of creations with the arguments. */
  readonly codeOf: (frame: number) => Uint8Array | undefined;
  /** What a creation returns in the place of the deployed code. */
  readonly deployedBy: (frame: number) => Uint8Array | undefined;
}

/** The first effect of a code that is another one in its unoptimized build. */
interface CodeDifference {
  /** As `TwinCodes.numberOf`. */
  readonly code: number;
  /** Step of the recorded effect; -1 where there is none. */
  readonly step: number;
  readonly text: string;
}

/** An execution with unoptimized codes that has the effects of the recorded one. */
export interface Twin {
  readonly recording: Recording;
  /** Effects of the frames whose code can be replaced, and how many of them frames with replaced code have. */
  readonly of: number;
  readonly same: number;
  readonly differences: readonly CodeDifference[];
  /** Frames with replaced code. */
  readonly frames: ReadonlySet<number>;
  /** Of them those in which `gasleft()` may have another value. */
  readonly unprovedGas: ReadonlySet<number>;
}

interface TwinInputs {
  readonly environment: Environment;
  readonly prestate: Prestate;
}

/**
 * Executes a transaction again with unoptimized codes in the place of the recorded ones. A code whose effects differ keeps its own, and all is
 * executed again.
 * @throws the signal's reason
 */
export async function recordTwin(
  original: Recording,
  { environment, prestate }: TwinInputs,
  codes: TwinCodes,
  signal: AbortSignal,
  onSteps?: (steps: number) => void,
): Promise<Twin> {
  const effects = await inSlices(effectsWork(original), signal);
  const wanted = original.frames.flatMap((_, frame) => codes.numberOf(frame) ?? []);
  const differences: CodeDifference[] = [];
  const excluded = new Set<number>();
  const kept = framesOfOwnCode(original, environment);
  noteKept(original, kept, codes, differences);
  const isLed = (frame: number): boolean => {
    const code = codes.numberOf(frame);
    return code !== undefined && !excluded.has(code) && !kept.has(frame);
  };
  // Each round that fails excludes a code.
  for (let round = 0; round <= new Set(wanted).size; round++) {
    const guide = new TwinGuide({
      original,
      effects,
      codeOf: (frame) => (isLed(frame) ? codes.codeOf(frame) : undefined),
      createdBy: codes.codeOf,
      deployedBy: codes.deployedBy,
    });
    const recording = new Recording(environment, prestate, guide);
    try {
      await inSlices(recording.work(), signal, onSteps);
      const frames = new Set([...original.frames.keys()].filter(isLed));
      const counted = countEffects(effects, frames, codes);
      return { recording, ...counted, differences, frames, unprovedGas: guide.unprovedGas };
    } catch (error) {
      const found = differenceOf(error, recording, isLed);
      const code = found && codes.numberOf(found.frame);
      if (!found || code === undefined) throw error;
      excluded.add(code);
      differences.push({ code, step: found.step, text: found.text });
    }
  }
  throw new Error('every code differs');
}

const OUT_OF_GAS = 'it runs out of gas, at an instruction that only the executed build has';
const CORRECTED = 'forge gave an instruction of it another result than there is here';

/** Frames that keep their code, and why. */
function framesOfOwnCode(
  { frames }: Recording,
  { cheats }: Environment,
): ReadonlyMap<number, string> {
  return new Map(
    frames.flatMap(({ end }, frame): [number, string][] => {
      if (end?.reason === 'out of gas') return [[frame, OUT_OF_GAS]];
      return cheats?.isCorrected(frame) === true ? [[frame, CORRECTED]] : [];
    }),
  );
}

function noteKept(
  { frames }: Recording,
  kept: ReadonlyMap<number, string>,
  codes: TwinCodes,
  differences: CodeDifference[],
): void {
  for (const [frame, text] of kept) {
    const code = codes.numberOf(frame);
    if (code === undefined || differences.some((one) => one.code === code)) continue;
    differences.push({ code, step: (frames[frame]?.endStep ?? 0) - 1, text });
  }
}

/** Whose code an error is about; undefined for errors that are about none. */
function differenceOf(
  error: unknown,
  recording: Recording,
  isLed: (frame: number) => boolean,
): { frame: number; step: number; text: string } | undefined {
  const innermost = (from: number | undefined): number | undefined => {
    let frame = from;
    while (frame !== undefined && !isLed(frame)) frame = recording.frames[frame]?.parent;
    return frame;
  };
  const isKnown =
    error instanceof Difference ||
    error instanceof UnknownResult ||
    error instanceof RecordingTooLarge;
  if (!isKnown) return undefined;
  const isOwn = error instanceof Difference;
  const frame = innermost((isOwn ? error.frame : undefined) ?? recording.lastFrame);
  const step = isOwn ? error.step : -1;
  return frame === undefined ? undefined : { frame, step, text: error.message };
}

/** Effects are calls, logs and ends, and slots whose values others can see. */
function countEffects(
  effects: readonly (readonly Effect[])[],
  led: ReadonlySet<number>,
  codes: TwinCodes,
): { of: number; same: number } {
  let [of, same] = [0, 0];
  for (const [frame, list] of effects.entries()) {
    if (codes.numberOf(frame) === undefined) continue;
    const count = list.reduce((sum, { changes }) => sum + 1 + changes.size, 0);
    of += count;
    if (led.has(frame)) same += count;
  }
  return { of, same };
}

/** Whether the gas rules of a recording can be followed: those that keep gas for state apart cannot (EIP-8037). */
export const canHaveTwin = ({ environment, frames }: Recording): boolean =>
  environment.hardfork !== 'amsterdam' && frames.length > 0;
