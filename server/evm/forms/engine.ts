import type { Hardfork } from '../../api/config';
import type { OpenConnection } from '../../kernel/streams/open-connection';
import type { RpcCall, RpcClient } from './json-rpc';

/** Exit of an engine: `code` or `signal` of the process, `log` with its last lines. */
export interface EngineExit {
  code: number | null;
  signal: string | null;
  log: readonly string[];
}

/** One running EVM engine. */
export interface Engine {
  /** Sends each call when the engine can accept it: some calls have to run alone. */
  readonly rpc: RpcClient;
  /** Queues a call that is sent by other means than `rpc`. */
  inTurn<T>(call: RpcCall, send: SendInTurn<T>): Promise<T>;
  /** Sends one JSON-RPC message, single or batch, without waiting for a turn. */
  send(message: string, reader: AnswerReader): void;
  /** Cached result of a read of the newest state; undefined after a change. */
  kept(call: RpcCall): string | undefined;
  /** `http://127.0.0.1:PORT`, in the engine's network. */
  readonly url: string;
  /** Opens a connection to `url`; set if the engine has a network of its own, which is not reachable otherwise. */
  readonly connect?: OpenConnection | undefined;
  /** Name of the chain that it forked from, in messages. */
  readonly chain?: string | undefined;
  readonly pid: number;
  /** Settles when the process has exited, for any reason. Never rejects. */
  readonly exited: Promise<EngineExit>;
  /** Terminates the process, kills it if it does not exit, and resolves when it has exited. Idempotent. */
  stop(): Promise<EngineExit>;
}

/**
 * @param onAnswer to call when the answer starts; the returned promise settles when it ends
 * @param keep caches the result until the next change; undefined if it must not be cached
 */
export type SendInTurn<T> = (
  onAnswer: () => void,
  keep: ((result: unknown) => void) | undefined,
) => Promise<T>;

/** Receives an engine's answer to one message: pieces of a JSON text, and then its end, or an error. */
export interface AnswerReader {
  /** Called before the first piece. */
  onStart(answer: PausableAnswer): void;
  onPiece(piece: Buffer): void;
  onEnd(): void;
  /** The engine does not answer, or not to the end. Nothing else is called after it. */
  onError(error: Error): void;
}

/** An answer that is being read. */
export interface PausableAnswer {
  pause(): void;
  resume(): void;
}

/** Reads of its chain that an engine needed for executions and that failed. */
export interface FailedReads {
  readonly count: number;
  /** Error of the last one. */
  readonly last: unknown;
}

export interface EngineParameters {
  /** Upstream of the fork; undefined for a chain of its own. Always a gateway address, never the user's endpoint. */
  upstream?: {
    url: string;
    blockNumber: number;
    /** Name of the chain in messages, such as `chain eth`. */
    name?: string | undefined;
    /** Whether the engine is waiting for an upstream answer. */
    isAsked?: (() => boolean) | undefined;
    failedReads?: FailedReads | undefined;
  };
  chainId?: number;
  hardfork: Hardfork;
  /** Whether it has Celo's precompiled contract at 0xfd. */
  isCelo?: boolean;
  /** Extra engine arguments, for the built-in chain. */
  extraArguments?: readonly string[];
}

/** Resolves when the engine answers. Rejects with `ApiError` `engineUnavailable` (its last log lines in the message). */
export type StartEngine = (parameters: EngineParameters, signal?: AbortSignal) => Promise<Engine>;
