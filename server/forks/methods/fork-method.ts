import type { RpcCall } from '../../ethereum/json-rpc';
import type { ForkAccess } from '../reads/await-receipt';
import type { ReplayedRead } from '../reads/replayed-reads';
import type { ForkRead, RunningFork } from '../reads/running-fork';

type Params = readonly unknown[];

/** Rejects with an RpcError for what the fork does not take. */
export type Check = (fork: RunningFork) => Promise<void>;

/** Stands for a result that comes later: until then the call keeps no engine. */
export class LaterResult {
  constructor(readonly settle: (fork: ForkAccess) => Promise<unknown>) {}
}

/** What is to be done for one call. */
export type ForkMethod =
  /**
   * The engine answers it; it may go side by side with other reads. `replayed` answers it on a fork inside a block. `check` comes first, and
   * may refuse it.
   */
  | { kind: 'pass'; call: RpcCall; replayed?: ReplayedRead; check?: Check }
  /** Known without asking anyone. */
  | { kind: 'known'; result: (fork: RunningFork) => unknown }
  /** Reads, but not from the engine alone. */
  | { kind: 'read'; run: (fork: RunningFork) => Promise<unknown> }
  /** Changes the fork: what comes after it in a batch sees it done. Its result may be a `LaterResult`. */
  | { kind: 'write'; run: (fork: RunningFork) => Promise<unknown> };

/** What a call is, by the name under which the fork knows its method. May throw an RpcError for its parameters. */
export type Methods = ReadonlyMap<string, (params: Params) => ForkMethod>;

/** A table from its entries, by name. */
export const methods = (entries: Record<string, (params: Params) => ForkMethod>): Methods =>
  new Map(Object.entries(entries));

/** An entry that is known without asking anyone. */
export const known =
  (result: (fork: RunningFork, params: Params) => unknown) =>
  (params: Params): ForkMethod => ({ kind: 'known', result: (fork) => result(fork, params) });

/** An entry that reads. */
export const read =
  (run: ForkRead) =>
  (params: Params): ForkMethod => ({ kind: 'read', run: (fork) => run(fork, params) });

/** An entry that changes the fork. */
export const write =
  (run: ForkRead) =>
  (params: Params): ForkMethod => ({ kind: 'write', run: (fork) => run(fork, params) });
