import type { Duplex } from 'node:stream';
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
  /** The same for a call that goes another way than `rpc`. */
  inTurn<T>(call: RpcCall, send: SendInTurn<T>): Promise<T>;
  /** The result of a read of the newest state, where no change came since it was asked last. */
  kept(call: RpcCall): string | undefined;
  /** `http://127.0.0.1:PORT`, in the network that the engine is in. */
  readonly url: string;
  /** Opens a connection to `url` where the engine has a network of its own: no other way leads there. */
  readonly connect?: OpenConnection | undefined;
  readonly pid: number;
  /** Settles when the process is gone, for whatever reason. Never rejects. */
  readonly exited: Promise<EngineExit>;
  /** Asks the process to end, insists if it does not, and resolves when it is gone. Safe to call again. */
  stop(): Promise<EngineExit>;
}

/**
 * @param onAnswer to be called when the answer begins; what is returned settles at its end
 * @param keep takes the result, where it holds until the next change
 */
export type SendInTurn<T> = (
  onAnswer: () => void,
  keep: ((result: unknown) => void) | undefined,
) => Promise<T>;

export type OpenConnection = () => Promise<Duplex>;

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
