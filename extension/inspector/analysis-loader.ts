import type { Failure, Outcome, Target, ToWebview } from '../../media/inspector/protocol';
import { ApiError } from '../../server/api/errors';
import type { ApiClient } from '../client/api-client';
import { flowForWebview } from './flow-rows';

/** An error as the reader gets it: what is not the service's own is told without its inner workings. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return { code: error.code, message: error.message };
  return { code: 0, message: error instanceof Error ? error.message : 'unknown error' };
}

async function outcomeOf<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}

/**
 * One fetch of everything that an inspector shows. The messages are kept, so that a document that VS Code made anew
 * (after hiding or moving the panel) gets them again without another analysis.
 */
export class AnalysisLoader {
  readonly #abort = new AbortController();
  readonly #messages: readonly Promise<ToWebview>[];
  readonly flow: Promise<Extract<ToWebview, { type: 'flow' }>>;
  /** Base URL of the chain's block explorer, where it has one. */
  readonly explorer: Promise<string | undefined>;

  constructor(client: ApiClient, target: Target) {
    const { signal } = this.#abort;
    const params = { chain: target.chain, transaction: target.transaction };
    const flow = client.call('getInvocationFlow', { params }, { signal });
    const balances = client.call('getBalanceChange', { params }, { signal });
    const explorer = client.call('listChains', {}, { signal }).then(
      (chains) => chains.find(({ slug }) => slug === target.chain)?.blockExplorerUrl,
      () => undefined,
    );
    this.explorer = explorer;
    this.flow = (async () => ({
      type: 'flow' as const,
      outcome: await outcomeOf(flow.then(flowForWebview)),
      hasExplorer: (await explorer) !== undefined,
    }))();
    this.#messages = [
      this.flow,
      outcomeOf(balances).then((outcome) => ({ type: 'balances' as const, outcome })),
    ];
  }

  /** Hands each message over as soon as it is there. */
  async deliver(post: (message: ToWebview) => void): Promise<void> {
    await Promise.all(
      this.#messages.map(async (message) => {
        post(await message);
      }),
    );
  }

  /** Ends the requests; what is delivered afterwards are failures that nobody sees. */
  cancel(): void {
    this.#abort.abort();
  }
}
