import * as z from 'zod';
import type { Address } from '../../api/primitives';
import { cleanLabel, readAbi } from './clean-text';
import {
  PublicService,
  type ServiceFacts,
  type ServiceOptions,
} from '../../kernel/public-services/public-service';
import type { Verified, VerifiedLookup } from './verified-contracts';

const ETHERSCAN: ServiceFacts = {
  name: 'etherscan',
  url: 'https://api.etherscan.io/v2/api',
  timeoutMs: 3_000,
  /** The response contains the source as well. */
  maxBytes: 16 * 1024 * 1024,
  /** Limit of the free plan. */
  perSecond: 3,
};
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
            .regex(/^(?:[0-9a-f]{2})*$/i)
            .catch(''),
          SourceCode: z.string().catch(''),
          /** Such as `v0.8.19+commit.7dd6d404`, or `vyper:0.3.10`. */
          CompilerVersion: z.string().catch(''),
          /** `1`, or `0`. */
          OptimizationUsed: z.string().catch(''),
          Runs: z.string().catch(''),
          /** `Default` for the compiler's own. */
          EVMVersion: z.string().catch(''),
        }),
      )
      .min(1),
  ]),
});

/** A contract as Etherscan describes it. */
export type EtherscanContract = Exclude<z.infer<typeof answerSchema>['result'], string>[number];

/** Etherscan, by its API v2 (`module=contract&action=getsourcecode`), which serves many chains with one key. */
export class Etherscan implements VerifiedLookup {
  readonly name = 'etherscan';
  readonly #apiKey: string;
  readonly #service: PublicService;

  constructor({ apiKey, ...options }: ServiceOptions & { apiKey: string }) {
    this.#apiKey = apiKey;
    this.#service = new PublicService(ETHERSCAN, options);
  }

  async find(
    chainId: number,
    address: Address,
    signal: AbortSignal,
  ): Promise<Verified | null | undefined> {
    const contract = await this.contractAt(chainId, address, signal);
    if (!contract) return contract;
    const abi = readAbi(parsed(contract.ABI));
    if (!abi) return undefined;
    return {
      name: cleanLabel(contract.ContractName),
      abi,
      constructorArguments: contract.ConstructorArguments.toLowerCase(),
    };
  }

  /** @returns null: not verified there; undefined: no usable answer at present */
  async contractAt(
    chainId: number,
    address: Address,
    signal: AbortSignal,
  ): Promise<EtherscanContract | null | undefined> {
    const query = new URLSearchParams({
      chainid: String(chainId),
      module: 'contract',
      action: 'getsourcecode',
      address,
      apikey: this.#apiKey,
    });
    const answer = await this.#service.get(`?${query.toString()}`, signal);
    if (answer?.excess !== undefined) return null;
    const { data } = answerSchema.safeParse(answer?.json);
    if (!data) return undefined;
    if (typeof data.result === 'string') {
      // For example, the key is invalid or the plan's limit is reached: further requests would make it worse.
      this.#service.rest(/rate limit/i.test(data.result) ? 'rate limit' : 'refused');
      return undefined;
    }
    const [contract] = data.result;
    return !contract || contract.ABI === NOT_VERIFIED ? null : contract;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
