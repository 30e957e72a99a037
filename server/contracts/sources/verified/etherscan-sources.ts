import * as z from 'zod';
import { cleanLabel } from '../../abi/clean-text';
import type { Etherscan, EtherscanContract } from '../../abi/etherscan';
import type { Network } from '../../../analysis/ports';
import type { Address } from '../../../api/primitives';
import { areTooMany, cleanFiles, type ForeignFile } from './clean-files';
import { FORMAT, keptSettings, type SourceService, type VerifiedSource } from './verified-source';

const filesSchema = z.record(z.string(), z.object({ content: z.string() }));
const standardSchema = z.object({
  language: z.string().catch(''),
  sources: filesSchema,
  settings: z.looseObject({ viaIR: z.boolean().optional().catch(undefined) }).catch({}),
});

/** Sources of Etherscan (`getsourcecode`). It publishes no source maps. */
export class EtherscanSources implements SourceService {
  readonly name = 'etherscan';

  /** @param etherscan shared with the look-ups of ABIs: the key has one rate */
  constructor(private readonly etherscan: Pick<Etherscan, 'contractAt'>) {}

  async find(
    { chainId }: Pick<Network, 'chainId'>,
    address: Address,
    signal: AbortSignal,
  ): Promise<VerifiedSource | null | undefined> {
    const contract = await this.etherscan.contractAt(chainId, address, signal);
    return contract && toSource(contract);
  }
}

function toSource(contract: EtherscanContract): VerifiedSource | null {
  const isVyper = contract.CompilerVersion.startsWith('vyper');
  const contractName = cleanLabel(contract.ContractName);
  const { files, language, settings } = readCode(contract.SourceCode, {
    name: `${contractName || 'source'}.${isVyper ? 'vy' : 'sol'}`,
    language: isVyper ? 'Vyper' : 'Solidity',
  });
  const clean = cleanFiles(files);
  if (!clean) return null;
  const runs = Number(contract.Runs);
  const evmVersion = cleanLabel(contract.EVMVersion).toLowerCase();
  const isOptimized = { '0': false, '1': true }[contract.OptimizationUsed];
  const viaIR = settings?.viaIR;
  const optimizer = isOptimized !== undefined && { enabled: isOptimized, runs };
  const isDefault = /^(default)?$/i.test(contract.EVMVersion);
  const listed = {
    ...(optimizer && Number.isSafeInteger(runs) && { optimizer }),
    ...(!isDefault && { evmVersion: contract.EVMVersion }),
  };
  return {
    format: FORMAT,
    contractName,
    language: cleanLabel(language),
    compilerVersion: cleanLabel(contract.CompilerVersion.replace(/^(vyper:|v)/, '')),
    settings: {
      ...(isOptimized !== undefined && { optimizer: isOptimized }),
      ...(isOptimized === true && Number.isSafeInteger(runs) && { runs }),
      ...(viaIR !== undefined && { viaIR }),
      ...(evmVersion !== '' && evmVersion !== 'default' && { evmVersion }),
    },
    compilerSettings: keptSettings(settings ?? listed),
    files: clean,
  };
}

interface ReadCode {
  readonly files: readonly ForeignFile[];
  readonly language: string;
  /** Undefined in the forms without settings. */
  readonly settings?: z.infer<typeof standardSchema>['settings'];
}

/** Reads the three forms: text, the compiler's standard input in a second pair of braces, and a map of files. */
function readCode(code: string, plain: { name: string; language: string }): ReadCode {
  const { name, language } = plain;
  const trimmed = code.trim();
  if (trimmed === '') return { files: [], language };
  const isDoubled = trimmed.startsWith('{{') && trimmed.endsWith('}}');
  const json = parsed(isDoubled ? trimmed.slice(1, -1) : trimmed);
  const { sources } = (json ?? {}) as { sources?: unknown };
  if (areTooMany(sources) || areTooMany(json)) return { files: [], language };
  const standard = standardSchema.safeParse(json).data;
  if (standard) {
    return {
      files: listed(standard.sources),
      language: standard.language || language,
      settings: standard.settings,
    };
  }
  const map = filesSchema.safeParse(json).data;
  return { files: map ? listed(map) : [{ name, content: code }], language };
}

const listed = (files: z.infer<typeof filesSchema>): ForeignFile[] =>
  Object.entries(files).map(([name, { content }]) => ({ name, content }));

function parsed(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
