import type { Lock } from '../../chains/lock/lock';
import { LockSession } from '../../chains/lock/lock-session';
import type { Context } from '../command-handlers/context';
import { findEndpoints } from './find-endpoints';
import { runServed, type ProgramEnd } from './served-program';

/** Fuzz and invariant tests read the same in each run: forge calls with random addresses. */
const FUZZ_SEED = '0x464c';
const SEED_VARIABLE = 'FOUNDRY_FUZZ_SEED';

export interface LockedRun {
  program: readonly string[];
  rpc: readonly string[];
  /** The lockfile, for messages. */
  file: string;
  base: Lock;
  isFrozen?: boolean;
  isLatest?: boolean;
  /** Further variables of the program. */
  variables?: Readonly<Record<string, string>>;
}

/** Runs a program whose endpoints are served from a lock. Sets the exit code. @throws UsageError, AbortError */
export async function runWithLock(
  { program, rpc, file, base, isFrozen = false, isLatest = false, variables = {} }: LockedRun,
  context: Context,
): Promise<{ session: LockSession; end: ProgramEnd }> {
  const { endpoints, needsSeed } = await findEndpoints({
    environment: process.env,
    folder: process.cwd(),
    given: rpc,
    config: context.globals.config,
    isFrozen,
  });
  const isSet = process.env[SEED_VARIABLE] !== undefined;
  const fuzzSeed = isSet ? undefined : (base.fuzzSeed ?? (needsSeed ? FUZZ_SEED : undefined));
  const session = new LockSession({ file, base, isLatest, fuzzSeed });
  const seed = fuzzSeed === undefined ? {} : { [SEED_VARIABLE]: fuzzSeed };
  const served = {
    program,
    session,
    lock: base,
    endpoints,
    isFrozen,
    variables: { ...seed, ...variables },
  };
  const end = await runServed(served, context);
  context.signal.throwIfAborted();
  process.exitCode = end.code;
  return { session, end };
}
