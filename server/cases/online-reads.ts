import { LIMITS } from '../api/limits';
import type { RpcCall, RpcCallOptions, RpcClient } from '../evm/forms/json-rpc';
import { BLOCK_LOOKUP, BLOCK_PARAMETER } from '../chains/upstream/block-lookups';
import type { KeptAnswer, KeptAnswers } from '../chains/upstream/kept-answers';

/** Blocks that a node names otherwise with each new block. */
const MOVING: ReadonlySet<unknown> = new Set(['latest', 'safe', 'finalized', 'pending', undefined]);

/** Reads what a case lacks from a node of its chain, and adds it. The newest block stays that of the case. */
export class OnlineReads {
  #added = 0;

  /** @param head newest block of the case, hex @param keep for the next start */
  constructor(
    private readonly node: RpcClient,
    private readonly answers: KeptAnswers,
    private readonly head: string,
    private readonly keep: (answer: KeptAnswer) => Promise<void>,
  ) {}

  /** @throws errors of the node, which are not added */
  async read(call: RpcCall, options?: RpcCallOptions): Promise<unknown> {
    const { method, params } = call;
    const result = await this.node.request(method, this.#pinned(call), options);
    // A node may get to know later what it does not know now.
    if (result === null || this.#added >= LIMITS.caseAnswers) return result;
    this.#added++;
    const answer = { method, params, outcome: { result } };
    this.answers.add(answer);
    await this.keep(answer);
    return result;
  }

  #pinned({ method, params }: RpcCall): readonly unknown[] {
    const at = [BLOCK_PARAMETER, BLOCK_LOOKUP].find((table) => Object.hasOwn(table, method))?.[
      method
    ];
    return at !== undefined && MOVING.has(params[at]) ? params.with(at, this.head) : params;
  }
}
