import * as z from 'zod';
import { cleanLabel } from '../../abi/clean-text';
import type { Network } from '../../../analysis/ports';
import { LIMITS } from '../../../api/limits';
import type { Address } from '../../../api/primitives';
import { PublicService, type ServiceOptions } from '../../../kernel/public-services/public-service';
import { areTooMany, cleanFiles } from './clean-files';
import { FORMAT, keptSettings, type SourceService, type VerifiedSource } from './verified-source';

const answerSchema = z.object({
  source_code: z.string().nullish(),
  file_path: z.string().nullish().catch(null),
  additional_sources: z
    .array(z.object({ file_path: z.string(), source_code: z.string() }))
    .nullish()
    .catch(null),
  name: z.string().nullish().catch(null),
  language: z.string().nullish().catch(null),
  compiler_version: z.string().nullish().catch(null),
  evm_version: z.string().nullish().catch(null),
  optimization_enabled: z.boolean().nullish().catch(null),
  optimization_runs: z.int().nullish().catch(null),
  compiler_settings: z
    .looseObject({ viaIR: z.boolean().optional().catch(undefined) })
    .nullish()
    .catch(null),
});

const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ['solidity', 'Solidity'],
  ['vyper', 'Vyper'],
  ['yul', 'Yul'],
]);

/** Sources of Blockscout's explorers (`GET /api/v2/smart-contracts/{address}`), of which each serves one chain. They publish no source maps. */
export class BlockscoutSources implements SourceService {
  readonly name = 'blockscout';
  readonly #services: ReadonlyMap<string, PublicService>;

  /** @param urls of the explorers, by the slug of their chain */
  constructor(urls: Readonly<Record<string, string>>, options: Omit<ServiceOptions, 'url'> = {}) {
    const facts = { name: 'blockscout', timeoutMs: 10_000, maxBytes: LIMITS.sourceAnswer };
    this.#services = new Map(
      Object.entries(urls).map(([slug, url]) => [
        slug,
        new PublicService({ ...facts, url }, options),
      ]),
    );
  }

  async find(
    { key, chain = key }: Pick<Network, 'key' | 'chain'>,
    address: Address,
    signal: AbortSignal,
  ): Promise<VerifiedSource | null | undefined> {
    const service = this.#services.get(chain);
    if (!service) return null;
    const answer = await service.get(`/api/v2/smart-contracts/${address}`, signal);
    if (answer?.status === 404) return null;
    if (answer?.status !== 200) return undefined;
    const { additional_sources: more } = (answer.json ?? {}) as { additional_sources?: unknown };
    if (answer.excess !== undefined || areTooMany(more)) return null;
    const { data } = answerSchema.safeParse(answer.json);
    return data && toSource(data);
  }
}

function toSource(answer: z.infer<typeof answerSchema>): VerifiedSource | null {
  const contractName = cleanLabel(answer.name ?? '');
  const language = answer.language?.toLowerCase() ?? '';
  const extension = language === 'vyper' ? 'vy' : 'sol';
  const name = answer.file_path ?? '';
  const files = cleanFiles(
    answer.source_code
      ? [
          { name: name || `${contractName || 'source'}.${extension}`, content: answer.source_code },
          ...(answer.additional_sources ?? []).map((file) => ({
            name: file.file_path,
            content: file.source_code,
          })),
        ]
      : [],
  );
  if (!files) return null;
  const { optimization_enabled: optimizer, optimization_runs: runs } = answer;
  const viaIR = answer.compiler_settings?.viaIR;
  const evmVersion = cleanLabel(answer.evm_version ?? '').toLowerCase();
  const optimization = typeof optimizer === 'boolean' && { enabled: optimizer, runs: runs ?? 200 };
  return {
    format: FORMAT,
    contractName,
    language: LANGUAGES.get(language) ?? cleanLabel(answer.language ?? ''),
    compilerVersion: cleanLabel((answer.compiler_version ?? '').replace(/^v/, '')),
    settings: {
      ...(typeof optimizer === 'boolean' && { optimizer }),
      ...(optimizer === true && typeof runs === 'number' && { runs }),
      ...(viaIR !== undefined && { viaIR }),
      ...(evmVersion !== '' && evmVersion !== 'default' && { evmVersion }),
    },
    compilerSettings: keptSettings({
      ...(optimization && { optimizer: optimization }),
      ...(evmVersion !== '' && evmVersion !== 'default' && { evmVersion: answer.evm_version }),
      ...answer.compiler_settings,
    }),
    files,
  };
}
