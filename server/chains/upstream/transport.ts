import type { RpcCall } from '../../evm/forms/json-rpc';

/** An address of a chain's node, and headers such as those of authentication. Both may contain keys: never log or send them. */
export interface EndpointAddress {
  url: string;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** One call as it is sent: JSON-RPC 2.0 §4. */
export interface RpcMessage extends RpcCall {
  jsonrpc: '2.0';
  id: number;
}

/** What an endpoint returned for one message, or for one batch. */
export interface Reply {
  /** HTTP status; 200 for an answer over a WebSocket. */
  status: number;
  retryAfter?: string | undefined;
  /** The parsed answer; undefined if it is not JSON. */
  answer: unknown;
  /** The beginning of an answer that is not JSON. */
  text?: string | undefined;
  /** The answer exceeds the limit and was not read to its end. */
  isTooLong?: boolean;
}

/** Sends messages to one URL. */
export interface Transport {
  /** @throws TransientFailure without an answer; the signal's reason if it fired */
  send(messages: readonly RpcMessage[], signal: AbortSignal): Promise<Reply>;
  close(): void;
}

/** An attempt without an answer, or with the answer "later". Another endpoint or a later attempt may succeed. */
export class TransientFailure extends Error {
  override readonly name = 'TransientFailure';
  /** The endpoint works, but asked for time. */
  readonly busy: boolean;
  /** Unix milliseconds before which the endpoint asked not to be called again. */
  readonly retryAt: number | undefined;
  /** The endpoint may accept fewer calls at a time. */
  readonly batchRefused: boolean;

  /** @param message what happened, without the endpoint's URL */
  constructor(
    message: string,
    {
      busy = false,
      retryAt,
      batchRefused = false,
    }: { busy?: boolean; retryAt?: number | undefined; batchRefused?: boolean } = {},
  ) {
    super(message);
    this.busy = busy;
    this.retryAt = retryAt;
    this.batchRefused = batchRefused;
  }
}
