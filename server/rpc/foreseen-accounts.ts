import type { RpcCall, RpcClient } from '../ethereum/json-rpc';
import { settled } from '../settled';
import { callText } from './answer-place';

/** What an engine reads of an account before it uses it. */
export const ACCOUNT_READS = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'];

/**
 * Accounts that an engine is going to read one after the other. All are asked for together, and each answer waits for its reader: that of a
 * block which is not final is kept nowhere else.
 */
export class ForeseenAccounts {
  readonly #answers = new Map<string, () => Promise<unknown>>();

  constructor(private readonly upstream: RpcClient) {}

  /** @param block number of a block, in hex */
  add(accounts: readonly string[], block: string): void {
    for (const account of accounts) {
      for (const method of ACCOUNT_READS) {
        const call = { method, params: [account, block] };
        const answer = settled(this.upstream.request(call.method, call.params));
        this.#answers.set(callText(call), answer);
      }
    }
  }

  /** The answer, for the first who asks. One that failed is asked for again. */
  async ask(call: RpcCall): Promise<unknown> {
    const ask = (): Promise<unknown> => this.upstream.request(call.method, call.params);
    if (this.#answers.size === 0) return ask();
    const text = callText(call);
    const answer = this.#answers.get(text);
    if (!answer) return ask();
    this.#answers.delete(text);
    return answer().catch(ask);
  }
}
