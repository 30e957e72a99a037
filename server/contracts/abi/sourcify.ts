import * as z from 'zod';
import type { Address } from '../../api/primitives';
import { cleanLabel, readAbi } from './clean-text';
import {
  PublicService,
  type ServiceFacts,
  type ServiceOptions,
} from '../../kernel/public-services/public-service';
import type { Verified, VerifiedLookup } from './verified-contracts';

const SOURCIFY: ServiceFacts = {
  name: 'sourcify',
  url: 'https://sourcify.dev/server',
  timeoutMs: 3_000,
  maxBytes: 4 * 1024 * 1024,
};

const answerSchema = z.object({
  match: z.string().nullish(),
  abi: z.array(z.unknown()).nullish(),
  compilation: z.object({ name: z.string() }).nullish().catch(null),
});

/** Sourcify, by its API v2 (`GET /v2/contract/{chainId}/{address}`). */
export class Sourcify implements VerifiedLookup {
  readonly name = 'sourcify';
  readonly #service: PublicService;

  constructor(options: ServiceOptions = {}) {
    this.#service = new PublicService(SOURCIFY, options);
  }

  async find(
    chainId: number,
    address: Address,
    signal: AbortSignal,
  ): Promise<Verified | null | undefined> {
    const answer = await this.#service.get(
      `/v2/contract/${chainId}/${address}?fields=abi,compilation.name`,
      signal,
    );
    // 404: not verified. 400: unknown chain.
    if (answer?.status === 404 || answer?.status === 400) return null;
    if (answer?.status !== 200) return undefined;
    if (answer.excess !== undefined) return null;
    const { data } = answerSchema.safeParse(answer.json);
    const abi = readAbi(data?.abi);
    if (!data?.match || !abi) return undefined;
    return { name: cleanLabel(data.compilation?.name ?? ''), abi, constructorArguments: '' };
  }
}
