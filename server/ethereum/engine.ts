import type { Hardfork } from '../api/config';
import type { RpcCall, RpcClient } from './json-rpc';

/** How an engine ended: `code` or `signal` as of the process, `log` its last lines. */
export interface EngineExit {
  code: number | null;
  signal: string | null;
  log: readonly string[];
}

/** One running EVM engine. */
export interface Engine {
  /** Sends each call when the engine can take it: some it can take only alone. */
  readonly rpc: RpcClient;
  /** The same for a call that goes another way than `rpc`. @param send calls `onAnswer` when the answer begins, and settles at its end */
  inTurn<T>(call: RpcCall, send: (onAnswer: () => void) => Promise<T>): Promise<T>;
  /** `http://127.0.0.1:PORT`; the same port takes WebSocket. */
  readonly url: string;
  readonly pid: number;
  /** Settles when the process is gone, for whatever reason. Never rejects. */
  readonly exited: Promise<EngineExit>;
  /** Asks the process to end, insists if it does not, and resolves when it is gone. Safe to call again. */
  stop(): Promise<EngineExit>;
}

export interface EngineParameters {
  /** What the engine forks from; undefined for a chain of its own. Always a gateway address, never the user's endpoint. */
  upstream?: {
    url: string;
    blockNumber: number;
    /** Whether the engine waits for an answer from there. */
    isAsked?: (() => boolean) | undefined;
  };
  chainId?: number;
  hardfork: Hardfork;
  /** Extra engine arguments, for the built-in chain. */
  extraArguments?: readonly string[];
}

/** Resolves when the engine answers. Rejects with `ApiError` `engineUnavailable` (its last log lines in the message). */
export type StartEngine = (parameters: EngineParameters, signal?: AbortSignal) => Promise<Engine>;
