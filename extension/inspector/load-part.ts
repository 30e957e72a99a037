import type {
  PartId,
  Parts,
  Simulation,
  Source,
  Target,
} from '../../media/inspector/protocol/protocol';
import { errorOfCode } from '../../server/api/errors';
import type { Recording } from '../../server/api/recording';
import type { Analysis } from '../../server/api/views';
import type { ApiCallOptions, ApiClient } from '../model/api-client';
import {
  flowPart,
  gasProfilePart,
  partOfAnalysis,
  sourceLocationsPart,
  stateDiffPart,
} from '../../media/inspector/protocol/analysis-parts';
import { executedNodes } from './internal-calls';

/** Fetches parts of one analysis. */
export interface PartLoader {
  /** @throws ApiError of the service */
  load<Id extends PartId>(part: Id, options: ApiCallOptions): Promise<Parts[Id]>;
}

export function partLoader(client: ApiClient, source: Source): PartLoader {
  return source.kind === 'transaction'
    ? new TransactionParts(client, source)
    : new SimulationParts(client, source);
}

/** Fetches each part with its own operation, when it is needed. */
class TransactionParts implements PartLoader {
  constructor(
    private readonly client: ApiClient,
    private readonly target: Target,
  ) {}

  load<Id extends PartId>(part: Id, options: ApiCallOptions): Promise<Parts[Id]> {
    const { client, target } = this;
    const request = { params: { chain: target.chain, transaction: target.transaction } };
    const loaders: { [Key in PartId]: () => Promise<Parts[Key]> } = {
      flow: async () => flowPart(await client.call('getInvocationFlow', request, options)),
      balanceChange: () => client.call('getBalanceChange', request, options),
      fundFlow: () => client.call('getFundFlow', request, options),
      stateDiff: async () => stateDiffPart(await client.call('getStateDiff', request, options)),
      gasProfile: async () => gasProfilePart(await client.call('getGasProfile', request, options)),
      sourceLocations: async () =>
        sourceLocationsPart(await client.call('getSourceLocations', request, options)),
      internalCalls: async () => {
        const recording = await client.call('getRecording', request, options);
        return { nodes: await executedNodes(client, recording, options) };
      },
      failedConditions: () => client.call('getFailedConditions', request, options),
    };
    return loaders[part]();
  }
}

/** Loads all parts from one simulation request. The request is aborted when no load waits for it any more. */
class SimulationParts implements PartLoader {
  #answer: Promise<Analysis> | undefined;
  #waiting = 0;
  #abort = new AbortController();
  readonly #listeners = new Set<NonNullable<ApiCallOptions['onProgress']>>();

  constructor(
    private readonly client: ApiClient,
    private readonly simulation: Simulation,
  ) {}

  async load<Id extends PartId>(part: Id, options: ApiCallOptions): Promise<Parts[Id]> {
    if (part === 'internalCalls') return (await this.#internalCalls(options)) as Parts[Id];
    if (part === 'failedConditions') return (await this.#failedConditions(options)) as Parts[Id];
    const answer = await this.#join(options);
    const value = partOfAnalysis(part, answer);
    if (value !== undefined) return value;
    const failure = answer.failures.find((failed) => failed.part === part);
    throw errorOfCode(failure?.code ?? 0, failure?.message ?? 'the simulation did not give it');
  }

  async #internalCalls(options: ApiCallOptions): Promise<Parts['internalCalls']> {
    const recording = await this.#record(options);
    return { nodes: await executedNodes(this.client, recording, options) };
  }

  async #failedConditions(options: ApiCallOptions): Promise<Parts['failedConditions']> {
    const { chain, transaction } = await this.#record(options);
    return this.client.call('getFailedConditions', { params: { chain, transaction } }, options);
  }

  #record(options: ApiCallOptions): Promise<Recording> {
    const { chain, request: body } = this.simulation;
    return this.client.call('recordSimulation', { params: { chain }, body }, options);
  }

  async #join({ signal, onProgress }: ApiCallOptions): Promise<Analysis> {
    this.#waiting++;
    const leave = (): void => {
      if (--this.#waiting === 0) this.#abort.abort();
    };
    signal?.addEventListener('abort', leave, { once: true });
    if (onProgress) this.#listeners.add(onProgress);
    this.#answer ??= this.#simulate();
    try {
      return await this.#answer;
    } finally {
      if (onProgress) this.#listeners.delete(onProgress);
    }
  }

  async #simulate(): Promise<Analysis> {
    this.#abort = new AbortController();
    const { chain, request } = this.simulation;
    try {
      return await this.client.call(
        'simulate',
        { params: { chain }, body: request },
        {
          signal: this.#abort.signal,
          onProgress: (progress) => {
            for (const listener of this.#listeners) listener(progress);
          },
        },
      );
    } catch (error) {
      this.#answer = undefined;
      this.#waiting = 0;
      throw error;
    }
  }
}
