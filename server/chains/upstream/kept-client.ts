import { ApiError } from '../../api/errors';
import { RPC_CODES } from '../../api/rpc-codes';
import {
  RpcError,
  settledOneByOne,
  type RpcCall,
  type RpcCallOptions,
  type RpcClient,
} from '../../evm/forms/json-rpc';
import { outcomeOf, type KeptAnswers } from './kept-answers';

/** Methods that nodes may omit: who asks for them has another way. */
const OPTIONAL = /^(debug|trace|ots|erigon)_/;
/** Look-ups that a node answers with null for what it does not know. */
const UNKNOWN_IS_NULL: ReadonlySet<string> = new Set([
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_getRawTransactionByHash',
]);

const SHOWN_CHARACTERS = 400;

/** A call for a message, in full unless it has long data. */
export function namedCall({ method, params }: RpcCall): string {
  const text = JSON.stringify(params);
  return `${method} ${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}`;
}

/** Reads what is not kept. */
type ReadMissing = (call: RpcCall, options?: RpcCallOptions) => Promise<unknown>;

/** A chain's node that consists of kept answers: nothing is sent anywhere, unless something else reads what is missing. */
export class KeptClient implements RpcClient {
  /**
   * @param name of what holds the answers, in messages
   * @param missing undefined while nothing reads what is missing
   */
  constructor(
    private readonly kept: KeptAnswers,
    private readonly name: string,
    private readonly missing: () => ReadMissing | undefined = () => undefined,
  ) {}

  /** @throws RpcError, ApiError as the node did; ApiError `upstreamLacksData` that names a call without a kept answer */
  async request(
    method: string,
    params: readonly unknown[],
    options?: RpcCallOptions,
  ): Promise<unknown> {
    const outcome = this.kept.get({ method, params });
    if (outcome) return Promise.resolve(outcomeOf(outcome));
    const read = this.missing();
    if (read && !OPTIONAL.test(method)) return read({ method, params }, options);
    if (UNKNOWN_IS_NULL.has(method) && !this.kept.hasInBlock(params[0])) return null;
    const missing = `${this.name} does not contain ${namedCall({ method, params })}`;
    if (OPTIONAL.test(method)) throw new RpcError(RPC_CODES.methodNotFound, missing);
    throw new ApiError('upstreamLacksData', missing);
  }

  requestAll(
    calls: readonly RpcCall[],
    options?: RpcCallOptions,
  ): Promise<PromiseSettledResult<unknown>[]> {
    return settledOneByOne(this, calls, options);
  }
}
