import type {
  PartId,
  Parts,
  Simulation,
  Source,
  Target,
} from '../../media/inspector/protocol/protocol';
import { ApiError, errorOfCode } from '../../server/api/errors';
import type { Recording } from '../../server/api/recording';
import type { RouteRequest } from '../../server/api/routes';
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
import { SharedRequest } from './shared-request';

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

/** Loads the views from one simulation request, and what needs every step from one recording. */
class SimulationParts implements PartLoader {
  readonly #input: Pick<RouteRequest<'simulate'>, 'params' | 'body'>;
  readonly #answer: SharedRequest<Analysis>;
  readonly #recording: SharedRequest<Recording>;

  constructor(
    private readonly client: ApiClient,
    { chain, request: body }: Simulation,
  ) {
    const input = (this.#input = { params: { chain }, body });
    this.#answer = new SharedRequest((options) => client.call('simulate', input, options));
    this.#recording = new SharedRequest((options) =>
      client.call('recordSimulation', input, options),
    );
  }

  async load<Id extends PartId>(part: Id, options: ApiCallOptions): Promise<Parts[Id]> {
    const { client } = this;
    const ofRecording: { [Key in PartId]?: (recording: Recording) => Promise<Parts[Key]> } = {
      sourceLocations: async (recording) =>
        sourceLocationsPart(await client.call('getSourceLocations', requestOf(recording), options)),
      internalCalls: async (recording) => ({
        nodes: await executedNodes(client, recording, options),
      }),
      failedConditions: (recording) =>
        client.call('getFailedConditions', requestOf(recording), options),
    };
    // Functions are known without every step.
    const ofCalls: { [Key in PartId]?: (incomplete: string) => Promise<Parts[Key]> } = {
      sourceLocations: async (incomplete) => {
        const known = await client.call('getSimulationSourceLocations', this.#input, options);
        return sourceLocationsPart({ ...known, incomplete });
      },
    };
    const read = ofRecording[part];
    if (read) return this.#read(read, ofCalls[part], options);
    const answer = await this.#answer.join(options);
    const value = partOfAnalysis(part, answer);
    if (value !== undefined) return value;
    const failure = answer.failures.find((failed) => failed.part === part);
    throw errorOfCode(failure?.code ?? 0, failure?.message ?? 'the simulation did not give it');
  }

  /**
   * A recording that fails to be read may be gone: the next load makes it again.
   * @param readCalls for a simulation that cannot be recorded; it receives the reason
   */
  async #read<T>(
    read: (recording: Recording) => Promise<T>,
    readCalls: ((reason: string) => Promise<T>) | undefined,
    options: ApiCallOptions,
  ): Promise<T> {
    let recording: Recording;
    try {
      recording = await this.#recording.join(options);
    } catch (error) {
      const isUnrecorded = error instanceof ApiError && UNRECORDED.has(error.kind);
      if (!isUnrecorded || readCalls === undefined) throw error;
      return readCalls(error.message);
    }
    try {
      return await read(recording);
    } catch (error) {
      this.#recording.forget();
      throw error;
    }
  }
}

const UNRECORDED = new Set<ApiError['kind']>(['recordingTooLarge', 'recordingUnsupported']);

const requestOf = ({ chain, transaction }: Recording) => ({ params: { chain, transaction } });
