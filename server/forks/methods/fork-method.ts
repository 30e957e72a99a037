import type { RpcCall } from '../../evm/forms/json-rpc';
import type { ForkAccess } from '../reads/await-receipt';
import type { ReplayedRead } from '../reads/replayed-reads';
import type { ForkRead, RunningFork } from '../reads/running-fork';

type Params = readonly unknown[];

/** Rejects with an RpcError for calls that the fork does not accept. */
export type Check = (fork: RunningFork) => Promise<void>;

/** A result that is available later. Waiting for it keeps no engine awake. */
export class LaterResult {
  constructor(readonly settle: (fork: ForkAccess) => Promise<unknown>) {}
}

/** How a call is executed. */
export type ForkMethod =
  /**
   * The engine answers it; it can run concurrently with other reads. `replayed` answers it on a fork inside a block. `check` runs first,
   * and may refuse the call.
   */
  | { kind: 'pass'; call: RpcCall; replayed?: ReplayedRead; check?: Check }
  /** Answered at once, without the engine. */
  | { kind: 'known'; result: (fork: RunningFork) => unknown }
  /** A read that needs more than the engine. */
  | { kind: 'read'; run: (fork: RunningFork) => Promise<unknown> }
  /** Changes the fork; later calls of a batch see the change. Its result may be a `LaterResult`. */
  | { kind: 'write'; run: (fork: RunningFork) => Promise<unknown> };

/** Methods by canonical name, each with how its calls are executed. May throw an RpcError for invalid parameters. */
export type Methods = ReadonlyMap<string, (params: Params) => ForkMethod>;

/** Creates a table from its entries, by name. */
export const methods = (entries: Record<string, (params: Params) => ForkMethod>): Methods =>
  new Map(Object.entries(entries));

/** Entry that is answered at once, without the engine. */
export const known =
  (result: (fork: RunningFork, params: Params) => unknown) =>
  (params: Params): ForkMethod => ({ kind: 'known', result: (fork) => result(fork, params) });

/** Entry that reads. */
export const read =
  (run: ForkRead) =>
  (params: Params): ForkMethod => ({ kind: 'read', run: (fork) => run(fork, params) });

/** Entry that changes the fork. */
export const write =
  (run: ForkRead) =>
  (params: Params): ForkMethod => ({ kind: 'write', run: (fork) => run(fork, params) });
