import { z } from 'zod';
import type { Address } from '../api/primitives';
import { cleanLabel, readAbi } from './clean-text';
import { PublicService } from './public-service';
import type { LookupOptions } from './sourcify';
import type { Verified, VerifiedLookup } from './verified-contracts';

const DEFAULT_URL = 'https://api.etherscan.io/v2/api';
const TIMEOUT_MS = 4_000;
/** The answer holds the source as well. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Of the free plan. */
const PER_SECOND = 3;
const NOT_VERIFIED = 'Contract source code not verified';

const answerSchema = z.object({
  status: z.string(),
  result: z.union([
    z.string(),
    z
      .array(
        z.object({
          ABI: z.string(),
          ContractName: z.string().catch(''),
          ConstructorArguments: z
            .string()
            .regex(/^([0-9a-f]{2})*$/i)
            .catch(''),
        }),
      )
      .min(1),
  ]),
});

/** Etherscan, by its API v2 (`module=contract&action=getsourcecode`), which serves many chains with one key. */
export class Etherscan implements VerifiedLookup {
  readonly name = 'etherscan';
  private readonly url: string;
  private readonly apiKey: string;
  private readonly service: PublicService;

  constructor({
    apiKey,
    url = DEFAULT_URL,
    timeoutMs = TIMEOUT_MS,
    log,
    now,
  }: LookupOptions & { apiKey: string }) {
    this.url = url;
    this.apiKey = apiKey;
    this.service = new PublicService({
      name: 'etherscan',
      timeoutMs,
      maxBytes: MAX_BYTES,
      perSecond: PER_SECOND,
      log,
      now,
    });
  }

  async find(
    chainId: number,
    address: Address,
    signal: AbortSignal,
  ): Promise<Verified | null | undefined> {
    const query = new URLSearchParams({
      chainid: String(chainId),
      module: 'contract',
      action: 'getsourcecode',
      address,
      apikey: this.apiKey,
    });
    const answer = await this.service.get(`${this.url}?${query.toString()}`, signal);
    const { data } = answerSchema.safeParse(answer?.json);
    if (!data) return undefined;
    if (typeof data.result === 'string') {
      // Such as a wrong key, or more requests than the plan allows: asking on would only make it worse.
      this.service.rest(/rate limit/i.test(data.result) ? 'rate limit' : 'refused');
      return undefined;
    }
    const [contract] = data.result;
    if (!contract || contract.ABI === NOT_VERIFIED) return null;
    const abi = readAbi(parsed(contract.ABI));
    if (!abi) return undefined;
    return {
      name: cleanLabel(contract.ContractName),
      abi,
      constructorArguments: contract.ConstructorArguments.toLowerCase(),
    };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
