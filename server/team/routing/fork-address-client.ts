import * as z from 'zod';
import { ApiError } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import { traceHeaders } from '../../kernel/requests/request-trace';
import {
  RpcError,
  type RpcCall,
  type RpcCallOptions,
  type RpcClient,
} from '../../evm/forms/json-rpc';

const answersSchema = z.array(
  z.object({
    id: z.int(),
    result: z.unknown(),
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown() }).optional(),
  }),
);

/** A client of a fork that another node runs: the fork's address at this node, which passes requests on. */
export class ForkAddressClient implements RpcClient {
  constructor(private readonly address: () => string) {}

  async request(
    method: string,
    params: readonly unknown[],
    options?: RpcCallOptions,
  ): Promise<unknown> {
    const [outcome] = await this.requestAll([{ method, params }], options);
    if (outcome?.status === 'fulfilled') return outcome.value;
    throw outcome?.reason;
  }

  async requestAll(
    calls: readonly RpcCall[],
    { signal }: RpcCallOptions = {},
  ): Promise<PromiseSettledResult<unknown>[]> {
    const outcomes: PromiseSettledResult<unknown>[] = [];
    for (let from = 0; from < calls.length; from += LIMITS.rpcBatch) {
      outcomes.push(...(await this.#batch(calls.slice(from, from + LIMITS.rpcBatch), signal)));
    }
    return outcomes;
  }

  async #batch(
    calls: readonly RpcCall[],
    signal: AbortSignal | undefined,
  ): Promise<PromiseSettledResult<unknown>[]> {
    const batch = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
    const response = await fetch(this.address(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...traceHeaders() },
      body: JSON.stringify(batch),
      ...(signal ? { signal } : {}),
    });
    const answers = answersSchema.safeParse(await response.json());
    const byId = new Map(answers.data?.map((answer) => [answer.id, answer]));
    return calls.map((_, id) => {
      const { error, result } = byId.get(id) ?? { error: UNANSWERED, result: undefined };
      if (!error) return { status: 'fulfilled', value: result };
      const reason =
        error instanceof ApiError ? error : new RpcError(error.code, error.message, error.data);
      return { status: 'rejected', reason };
    });
  }
}

const UNANSWERED = new ApiError(
  'engineUnavailable',
  'the node that runs the fork did not answer; try again',
);
