import * as z from 'zod';
import { cleanLabel } from '../../abi/clean-text';
import type { Network } from '../../../analysis/ports';
import { LIMITS } from '../../../api/limits';
import type { Address } from '../../../api/primitives';
import {
  PublicService,
  type ServiceFacts,
  type ServiceOptions,
} from '../../../kernel/public-services/public-service';
import { areTooMany, cleanFiles } from './clean-files';
import {
  FORMAT,
  keptSettings,
  MAX_CODE_BYTES,
  MAX_RANGES,
  verifiedSourceSchema,
  type SourceService,
  type VerifiedCode,
  type VerifiedSource,
} from './verified-source';

/** Apart from the look-ups of ABIs, which a slow answer with sources must not delay. */
const SOURCIFY: ServiceFacts = {
  name: 'sourcify sources',
  url: 'https://sourcify.dev/server',
  timeoutMs: 10_000,
  maxBytes: LIMITS.sourceAnswer,
};

const FIELDS = [
  'sources',
  'sourceIds',
  'compilation',
  'storageLayout',
  ...['recompiledBytecode', 'sourceMap', 'linkReferences', 'cborAuxdata'].flatMap((part) => [
    `creationBytecode.${part}`,
    `runtimeBytecode.${part}`,
  ]),
  'runtimeBytecode.immutableReferences',
];
/** Servers of before 2026 refuse a request that names it. */
const NEW_FIELD = 'transientStorageLayout';

const ranges = z.array(z.object({ start: z.int(), length: z.int() }));
const bytecode = z
  .object({
    recompiledBytecode: z.string().regex(/^0x[0-9a-f]*$/i),
    sourceMap: z.string().nullish().catch(null),
    linkReferences: z.record(z.string(), z.record(z.string(), ranges)).nullish().catch(null),
    cborAuxdata: z
      .record(z.string(), z.object({ offset: z.int(), value: z.string() }))
      .nullish()
      .catch(null),
    immutableReferences: z.record(z.string(), ranges).nullish().catch(null),
  })
  .nullish()
  .catch(null);
const answerSchema = z.object({
  match: z.string(),
  sources: z.record(z.string(), z.object({ content: z.string() })),
  sourceIds: z
    .record(z.string(), z.object({ id: z.int() }))
    .nullish()
    .catch(null),
  compilation: z.object({
    language: z.string().catch(''),
    compilerVersion: z.string().catch(''),
    name: z.string().catch(''),
    compilerSettings: z
      .looseObject({
        optimizer: z
          .object({ enabled: z.boolean().optional(), runs: z.int().optional() })
          .optional()
          .catch(undefined),
        viaIR: z.boolean().optional().catch(undefined),
        evmVersion: z.string().optional().catch(undefined),
      })
      .catch({}),
  }),
  storageLayout: z.unknown().optional(),
  transientStorageLayout: z.unknown().optional(),
  creationBytecode: bytecode,
  runtimeBytecode: bytecode,
});
const errorSchema = z.object({ customCode: z.string() });

/** Sources of Sourcify, by its API v2 (`GET /v2/contract/{chainId}/{address}`), with everything in one request. */
export class SourcifySources implements SourceService {
  readonly name = 'sourcify';
  readonly #service: PublicService;
  #fields = [...FIELDS, NEW_FIELD];

  constructor(options: ServiceOptions = {}) {
    this.#service = new PublicService(SOURCIFY, options);
  }

  async find(
    { chainId }: Pick<Network, 'chainId'>,
    address: Address,
    signal: AbortSignal,
  ): Promise<VerifiedSource | null | undefined> {
    const path = `/v2/contract/${chainId}/${address}?fields=`;
    let answer = await this.#service.get(path + this.#fields.join(), signal);
    const refused = answer?.status === 400 ? errorSchema.safeParse(answer.json).data : undefined;
    if (refused?.customCode === 'invalid_parameter' && this.#fields.length > FIELDS.length) {
      this.#fields = FIELDS;
      answer = await this.#service.get(path + this.#fields.join(), signal);
    }
    // 404: not verified. 400: unknown chain.
    if (answer?.status === 404 || answer?.status === 400) return null;
    if (answer?.status !== 200) return undefined;
    const { sources } = (answer.json ?? {}) as { sources?: unknown };
    if (answer.excess !== undefined || areTooMany(sources)) return null;
    const { data } = answerSchema.safeParse(answer.json);
    return data && toSource(data);
  }
}

function toSource(answer: z.infer<typeof answerSchema>): VerifiedSource | null | undefined {
  const { sources, sourceIds, compilation, runtimeBytecode } = answer;
  const files = cleanFiles(
    Object.entries(sources).map(([name, { content }]) => ({
      name,
      content,
      id: sourceIds?.[name]?.id,
    })),
  );
  if (!files) return null;
  const { optimizer, viaIR, evmVersion } = compilation.compilerSettings;
  return verifiedSourceSchema.safeParse({
    format: FORMAT,
    contractName: cleanLabel(compilation.name),
    language: cleanLabel(compilation.language),
    compilerVersion: cleanLabel(compilation.compilerVersion),
    settings: {
      optimizer: optimizer?.enabled,
      runs: optimizer?.runs,
      viaIR,
      evmVersion: evmVersion && cleanLabel(evmVersion),
    },
    compilerSettings: keptSettings(compilation.compilerSettings),
    files,
    deployed: codeOf(runtimeBytecode),
    creation: codeOf(answer.creationBytecode),
    immutableReferences: runtimeBytecode?.immutableReferences ?? undefined,
    storageLayout: answer.storageLayout ?? undefined,
    transientStorageLayout: answer.transientStorageLayout ?? undefined,
  }).data;
}

function codeOf(code: z.infer<typeof bytecode>): VerifiedCode | undefined {
  if (!code) return undefined;
  const { recompiledBytecode, sourceMap, linkReferences, cborAuxdata, immutableReferences } = code;
  const links = Object.values(linkReferences ?? {}).flatMap((file) => Object.values(file).flat());
  const immutables = Object.values(immutableReferences ?? {}).flat();
  // Vyper appends immutables to the code.
  const end = Math.max(0, ...immutables.slice(0, MAX_RANGES).map((one) => one.start + one.length));
  const digits = 2 * Math.min(end, MAX_CODE_BYTES);
  return {
    object: recompiledBytecode.slice(2).toLowerCase().padEnd(digits, '0'),
    sourceMap: sourceMap ?? undefined,
    masks: [...links, ...immutables],
    metadata: Object.values(cborAuxdata ?? {}).map(({ offset, value }) => ({
      start: offset,
      length: Math.floor(value.replace(/^0x/, '').length / 2),
    })),
  };
}
