import path from 'node:path';
import type { HookOrder } from '../hook-order';
import { now, type Reporter } from './reporter';

interface SuiteId {
  readonly name: string;
  /** The compiler's name of the file: `project/` and the path in the project. */
  readonly source: string;
}

/** A call of a counterexample. */
interface Call {
  readonly signature?: string | null;
  readonly args?: string | null;
}

interface Result {
  readonly name: string;
  readonly status: 'Success' | 'Failure' | 'Skipped';
  readonly reason?: string | null;
  readonly durationNs: bigint;
  readonly decodedLogs: readonly string[];
  readonly counterexample?: Call | { readonly sequence: readonly Call[] } | null;
  readonly kind: { readonly consumedGas?: bigint; readonly runs?: bigint; medianGas?: bigint };
}

interface Suite {
  readonly id: SuiteId;
  readonly testResults: readonly Result[];
}

type Report = (suite: Suite) => void;
type RunTests = (...args: unknown[]) => Promise<unknown>;

/** The part of Hardhat 3 that executes tests in Solidity. */
export interface Executor {
  readonly EdrContext?: { prototype: { runSolidityTests?: RunTests } };
}

/** Has tests in Solidity reported; in the mode `list`, it executes none. */
export function watchSolidity(
  { EdrContext }: Executor,
  { mode }: Pick<HookOrder, 'mode'>,
  reporter: Reporter,
): void {
  const run = EdrContext?.prototype.runSolidityTests;
  if (!EdrContext || !run) return;
  EdrContext.prototype.runSolidityTests = async function (...args) {
    const [, artifacts, suites] = args as [string, Artifact[], SuiteId[]];
    const last = args.length - 1;
    const done = args[last] as Report;
    if (mode === 'list') {
      for (const id of suites) {
        for (const name of testsOf(artifacts, id)) {
          const place = { file: fileOf(id), path: [id.name, name] };
          reporter.write({ ...place, type: 'test', runner: 'solidity' });
        }
        done({ id, testResults: [], durationNs: 0n, warnings: [] } as Suite);
      }
      return {};
    }
    args[last] = (suite: Suite): void => {
      for (const result of suite.testResults) reportResult(suite.id, result, reporter);
      done(suite);
    };
    return run.apply(this, args);
  };
}

interface Artifact {
  readonly id: SuiteId;
  /** Its ABI is JSON text. */
  readonly contract: { readonly abi: string };
}

function testsOf(artifacts: readonly Artifact[], { name, source }: SuiteId): string[] {
  const found = artifacts.find(({ id }) => id.name === name && id.source === source);
  const abi = JSON.parse(found?.contract.abi ?? '[]') as { type: string; name?: string }[];
  return abi.flatMap(({ type, name: called = '' }) =>
    type === 'function' && /^(test|invariant)/.test(called) ? [called] : [],
  );
}

const fileOf = ({ source }: SuiteId): string =>
  path.resolve(source.startsWith('project/') ? source.slice('project/'.length) : source);

function reportResult(id: SuiteId, result: Result, reporter: Reporter): void {
  const { name, status, durationNs, decodedLogs, kind } = result;
  const { consumedGas, runs, medianGas } = kind;
  reporter.write({
    type: 'end',
    file: fileOf(id),
    path: [id.name, name.replace(/\(.*$/, '')],
    at: now(),
    status: status === 'Success' ? 'passed' : status === 'Skipped' ? 'skipped' : 'failed',
    milliseconds: Number(durationNs) / 1e6,
    message: messageOf(result),
    logs: decodedLogs.slice(0, 1_000),
    cost:
      consumedGas === undefined
        ? `runs ${runs ?? 0n}, median gas ${medianGas ?? 0n}`
        : `gas ${consumedGas}`,
  });
}

function messageOf({ reason, counterexample }: Result): string | undefined {
  const calls = !counterexample
    ? []
    : 'sequence' in counterexample
      ? counterexample.sequence
      : [counterexample];
  const texts = calls.map(({ signature, args }) => {
    const name = signature?.replace(/\(.*$/, '');
    return name === undefined ? `args=[${args ?? ''}]` : `${name}(${args ?? ''})`;
  });
  const parts = [reason ?? '', texts.join(', ')].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join('; ');
}
