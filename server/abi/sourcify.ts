import { z } from 'zod';
import type { Address } from '../api/primitives';
import { cleanLabel, readAbi } from './clean-text';
import { PublicService } from './public-service';
import type { Log } from './sources';
import type { Verified, VerifiedLookup } from './verified-contracts';

const DEFAULT_URL = 'https://sourcify.dev/server';
const TIMEOUT_MS = 3_000;
const MAX_BYTES = 4 * 1024 * 1024;

const answerSchema = z.object({
  match: z.string().nullish(),
  abi: z.array(z.unknown()).nullish(),
  compilation: z.object({ name: z.string() }).nullish().catch(null),
});

export interface LookupOptions {
  /** Without a slash at the end. */
  url?: string | undefined;
  timeoutMs?: number;
  log?: Log | undefined;
  now?: (() => number) | undefined;
}

/** Sourcify, by its API v2 (`GET /v2/contract/{chainId}/{address}`). */
export class Sourcify implements VerifiedLookup {
  readonly name = 'sourcify';
  private readonly url: string;
  private readonly service: PublicService;

  constructor({ url = DEFAULT_URL, timeoutMs = TIMEOUT_MS, log, now }: LookupOptions = {}) {
    this.url = url.replace(/\/+$/, '');
    this.service = new PublicService({
      name: 'sourcify',
      timeoutMs,
      maxBytes: MAX_BYTES,
      log,
      now,
    });
  }

  async find(
    chainId: number,
    address: Address,
    signal: AbortSignal,
  ): Promise<Verified | null | undefined> {
    const answer = await this.service.get(
      `${this.url}/v2/contract/${chainId}/${address}?fields=abi,compilation.name`,
      signal,
    );
    // 404: not verified. 400: a chain that it does not know.
    if (answer?.status === 404 || answer?.status === 400) return null;
    if (answer?.status !== 200) return undefined;
    const { data } = answerSchema.safeParse(answer.json);
    const abi = readAbi(data?.abi);
    if (!data?.match || !abi) return undefined;
    return { name: cleanLabel(data.compilation?.name ?? ''), abi, constructorArguments: '' };
  }
}
