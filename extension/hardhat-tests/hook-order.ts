/** What the hook in Hardhat's process is asked for, in its environment. */
export const HOOK_VARIABLE = 'FORKLENS_TESTS';

export interface HookOrder {
  /** `list` executes no test. */
  readonly mode: 'list' | 'run';
  readonly version: 2 | 3;
  /** File that the hook writes to: a JSON object a line. */
  readonly output: string;
  /** JSON-RPC address of the network that the tests run on. */
  readonly url?: string | undefined;
}

/** Name of the network in Hardhat's configuration. */
export const NETWORK = 'forklens';

/** Most characters that the hook writes: what comes later is left out. */
export const MOST_REPORT = 64 * 1024 ** 2;
