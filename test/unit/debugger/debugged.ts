import { Interface } from 'ethers';
import type { Environment } from '../../../server/evm/interpreter/environment';
import type { Recording } from '../../../server/debugger/recording/recording';
import { recordTwin, type Twin, type TwinCodes } from '../../../server/debugger/twin/twin';
import { sourceCallsWork, type SourceCalls } from '../../../server/debugger/recording/source-calls';
import { Stops } from '../../../server/debugger/recording/stops';
import type { ProgramFacts } from '../../../server/debugger/languages/port/program-facts';
import type {
  OtherAccount,
  OtherStorage,
} from '../../../server/debugger/languages/port/other-state';
import { RecordedVariables } from '../../../server/debugger/languages/solidity/variables/recorded-variables';
import type { StepVariables } from '../../../server/debugger/languages/solidity/variables/step-variables';
import { atOnce } from '../../../server/kernel/async/slices';
import { CALLER, inputsOf, recordCall, type Call } from './record';
import { compileAll, type CompiledPrograms, type Settings, type Version } from './solidity';

export interface Run {
  text: string;
  contract: string;
  /** As people write it: `function f(uint256)`. */
  call?: string;
  values?: unknown[];
  /** Arguments of the constructor; the creation is recorded. */
  creation?: { types: string; values: unknown[] };
  settings?: Settings;
  version?: Version;
  value?: bigint;
  /** Call data as it is. */
  input?: Uint8Array;
  storage?: ReadonlyMap<bigint, bigint>;
  precompile?: Environment['precompile'];
  /** Further contracts by address; an empty name: an account that is not in the state. */
  others?: Readonly<Record<string, string>>;
  /** Changes what is known of the programs. */
  facts?: (facts: ProgramFacts) => ProgramFacts;
  otherStorage?: OtherStorage;
  otherAccount?: OtherAccount;
}

export interface Debugged {
  recording: Recording;
  calls: SourceCalls;
  stops: Stops;
  variables: RecordedVariables;
  contracts: Record<string, CompiledPrograms>;
  /** Steps of the stops on the line that contains a text. */
  stepsAt: (text: string) => number[];
  /** The variables at the first stop on the line that contains a text. */
  at: (text: string, call?: number) => StepVariables;
}

const bytes = (hex: string): Uint8Array => Buffer.from(hex.slice(2), 'hex');

/** Compiles a contract, records a call, and finds its stops. */
export function debug(run: Run): Debugged {
  const { codes, call, contracts } = inputOf(run);
  return debugged(run, recordCall(codes, call), contracts);
}

/** The same in a build without the optimizer, with what was compared. @throws Error where the build has other effects */
export async function debugTwin(run: Run): Promise<Debugged & { twin: Twin }> {
  const { codes, call, contracts } = inputOf(run);
  const built = compileAll('Test.sol', run.text, {}, run.version);
  const recording = recordCall(codes, call);
  const twin = await recordTwin(
    recording,
    inputsOf(codes, call),
    codesOf(recording, contracts, built),
    new AbortController().signal,
  );
  return { ...debugged(run, twin.recording, built), twin };
}

/** Contracts have no metadata of their own here, so that their code is in that of others. */
function codesOf(
  { frames }: Recording,
  executed: Record<string, CompiledPrograms>,
  built: Record<string, CompiledPrograms>,
): TwinCodes {
  const names = Object.keys(executed);
  const isBegun = (code: Uint8Array, start: Uint8Array): boolean =>
    start.length > 0 && Buffer.compare(code.subarray(0, start.length), start) === 0;
  const numberOf = (frame: number): number | undefined => {
    const { code, kind } = frames[frame]!.context;
    const isMade = kind === 'CREATE' || kind === 'CREATE2';
    const found = names.findIndex((name) => {
      const { creation, deployed } = executed[name]!;
      return isMade ? isBegun(code, creation.code) : hexOf(deployed.code) === hexOf(code);
    });
    return found < 0 || code.length === 0 ? undefined : found;
  };
  return {
    numberOf,
    codeOf: (frame) => {
      const name = names[numberOf(frame) ?? -1];
      if (name === undefined) return undefined;
      const { code, kind } = frames[frame]!.context;
      if (kind !== 'CREATE' && kind !== 'CREATE2') return built[name]!.deployed.code;
      const given = code.subarray(executed[name]!.creation.code.length);
      return Buffer.concat([built[name]!.creation.code, given]);
    },
    deployedBy: (frame) => {
      const name = names[numberOf(frame) ?? -1];
      const returned = frames[frame]!.end?.output;
      if (name === undefined || returned === undefined) return undefined;
      const code = Buffer.from(built[name]!.deployed.code);
      const known = executed[name]!.deployed.program.immutables ?? {};
      for (const [id, ranges] of Object.entries(built[name]!.deployed.program.immutables ?? {})) {
        const { start, length } = known[id]![0]!;
        const value = returned.subarray(start, start + length);
        for (const range of ranges) code.set(value, range.start);
      }
      return code;
    },
  };
}

function inputOf(run: Run): {
  codes: Record<string, Uint8Array>;
  call: Call;
  contracts: Record<string, CompiledPrograms>;
} {
  const { text, contract, settings = {}, version = '0.8.30', others = {} } = run;
  const contracts = compileAll('Test.sol', text, settings, version);
  const own = contracts[contract]!;
  let input = run.input ?? new Uint8Array(0);
  if (run.call !== undefined) {
    const [name = ''] = /(?<=function )\w+/.exec(run.call) ?? [];
    input = bytes(new Interface([run.call]).encodeFunctionData(name, run.values ?? []));
  } else if (run.creation) {
    const { types, values } = run.creation;
    const encoded = new Interface([`constructor(${types})`]).encodeDeploy(values);
    input = Buffer.concat([own.creation.code, bytes(encoded)]);
  }
  const codes = {
    ...(!run.creation && { [CALLER]: own.deployed.code }),
    ...Object.fromEntries(
      Object.entries(others).map(([address, name]) => [
        address,
        name === '' ? new Uint8Array(0) : contracts[name]!.deployed.code,
      ]),
    ),
  };
  const call = {
    input,
    gas: 10_000_000,
    isCreation: run.creation !== undefined,
    ...(run.value !== undefined && { value: run.value }),
    ...(run.storage && { storage: run.storage }),
    ...(run.precompile && { precompile: run.precompile }),
  };
  return { codes, call, contracts };
}

function debugged(
  run: Run,
  recording: Recording,
  contracts: Record<string, CompiledPrograms>,
): Debugged {
  const { text } = run;
  const { facts = (one: ProgramFacts) => one } = run;
  const programs = Object.values(contracts).flatMap(({ deployed, creation }) => [
    { code: hexOf(deployed.code), program: facts(deployed.program), isWhole: true },
    { code: hexOf(creation.code), program: facts(creation.program), isWhole: false },
  ]);
  const byFrame = new Map<number, ProgramFacts | undefined>();
  const programOf = (frame: number): ProgramFacts | undefined => {
    if (!byFrame.has(frame)) {
      const code = hexOf(recording.frames[frame]!.context.code);
      const found = programs.find((one) =>
        one.isWhole ? one.code === code : one.code !== '' && code.startsWith(one.code),
      );
      byFrame.set(frame, found?.program);
    }
    return byFrame.get(frame);
  };
  const calls = atOnce(sourceCallsWork(recording, { programOf, selectedOf: () => undefined }));
  const stops = atOnce(Stops.work(recording, calls, programOf));
  const { otherStorage, otherAccount } = run;
  const variables = new RecordedVariables({
    recording,
    calls,
    programOf,
    ...(otherStorage && { otherStorage }),
    ...(otherAccount && { otherAccount }),
  });
  const lines = text.split('\n');
  const stepsAt = (part: string): number[] => {
    const line = lines.findIndex((one) => one.includes(part)) + 1;
    return [...stops.steps].filter((_, stop) => stops.line(stop)?.line === line);
  };
  return {
    recording,
    calls,
    stops,
    variables,
    contracts,
    stepsAt,
    at: (part, call) => {
      const [step] = stepsAt(part);
      if (step === undefined) throw new Error(`nothing stops at ${part}`);
      return variables.at(step, call);
    },
  };
}

const hexOf = (code: Uint8Array): string => Buffer.from(code).toString('hex');

/** `name = value`, or why it is unavailable. */
export const shown = (
  variables: readonly { name: string; value: string; unavailable?: string | undefined }[],
): string[] =>
  variables.map(({ name, value, unavailable }) =>
    unavailable === undefined ? `${name} = ${value}` : `${name}: ${unavailable}`,
  );
