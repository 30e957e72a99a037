import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { abiItemSchema, type AbiItem } from '../../server/api/abi';
import { artifactFiles } from './artifact-files';
import { codeSchema } from './compiled-code';

/** A contract as the build wrote it. */
export interface CompiledContract {
  name: string;
  /** Path of the artifact. */
  artifact: string;
  /** When the build wrote it, in milliseconds since 1970. */
  writtenMs: number;
  /** Path of its source in the compilation; undefined where the artifact does not say it. */
  sourceName: string | undefined;
  abi: readonly AbiItem[];
  /** Creation code as hex digits without `0x`, with placeholders for libraries; empty for an interface or an abstract contract. */
  creationCode: string;
  /** Libraries whose addresses the code needs. */
  libraries: readonly LinkedLibrary[];
}

/** A library that a contract's code calls. */
export interface LinkedLibrary {
  name: string;
  /** Path of its source in the compilation. */
  file: string;
  /** Offset of its address in the code, in bytes. */
  starts: readonly number[];
}

const links = z.record(
  z.string(),
  z.record(z.string(), z.array(z.object({ start: z.int().min(0), length: z.literal(20) }))),
);
const common = { abi: z.array(abiItemSchema) };
const foundryArtifact = z.object({
  ...common,
  bytecode: z.object({ object: codeSchema, linkReferences: links.default({}) }),
  metadata: z
    .object({ settings: z.object({ compilationTarget: z.record(z.string(), z.string()) }) })
    .optional()
    .catch(undefined),
});
const hardhatArtifact = z.object({
  ...common,
  contractName: z.string(),
  sourceName: z.string(),
  bytecode: codeSchema,
  linkReferences: links.default({}),
});
const plainArtifact = z.object({ ...common, contractName: z.string().optional() });

/**
 * Reads a contract from the build output of Foundry or Hardhat.
 * @param source path of the contract's source
 * @param outputs build output folders
 * @returns undefined if the contract was not compiled
 */
export async function compiledContract(
  { source, contract }: { source: string; contract: string },
  outputs: readonly string[],
): Promise<CompiledContract | undefined> {
  for (const output of outputs) {
    for (const file of artifactFiles(output, source, contract)) {
      const compiled = await readArtifact(file);
      if (compiled !== undefined) return compiled;
    }
  }
  return undefined;
}

/** @returns undefined if the file is missing, or is not an artifact of Foundry or Hardhat */
export async function readArtifact(file: string): Promise<CompiledContract | undefined> {
  let json: unknown;
  let writtenMs: number;
  try {
    json = JSON.parse(await readFile(file, 'utf8'));
    writtenMs = (await stat(file)).mtimeMs;
  } catch {
    return undefined; // missing, or written at this moment
  }
  const facts = { artifact: file, writtenMs };
  const hardhat = hardhatArtifact.safeParse(json).data;
  if (hardhat !== undefined) {
    const { contractName: name, sourceName, abi, bytecode, linkReferences } = hardhat;
    return { ...facts, name, sourceName, abi, ...codeOf(bytecode, linkReferences) };
  }
  const name = path.basename(file, '.json');
  const foundry = foundryArtifact.safeParse(json).data;
  if (foundry !== undefined) {
    const { abi, bytecode, metadata } = foundry;
    const [sourceName] = Object.keys(metadata?.settings.compilationTarget ?? {});
    const compiled = codeOf(bytecode.object, bytecode.linkReferences);
    return { ...facts, name, sourceName, abi, ...compiled };
  }
  const plain = plainArtifact.safeParse(json).data;
  if (plain === undefined) return undefined;
  const named = plain.contractName ?? name;
  return { ...facts, name: named, sourceName: undefined, abi: plain.abi, ...codeOf('', {}) };
}

function codeOf(
  text: string,
  references: z.infer<typeof links>,
): Pick<CompiledContract, 'creationCode' | 'libraries'> {
  return {
    creationCode: text.replace(/^0x/, '').toLowerCase(),
    libraries: Object.entries(references).flatMap(([file, names]) =>
      Object.entries(names).map(([name, places]) => ({
        name,
        file,
        starts: places.map(({ start }) => start),
      })),
    ),
  };
}

/**
 * The creation code with the addresses of its libraries.
 * @param addresses 0x and 40 hex digits, in the order of `libraries`
 * @throws Error if an address is missing, or a placeholder is left
 */
export function linkedCode(
  { creationCode, libraries }: Pick<CompiledContract, 'creationCode' | 'libraries'>,
  addresses: readonly string[],
): `0x${string}` {
  let linked = creationCode;
  for (const [index, { starts }] of libraries.entries()) {
    const digits = addresses[index]?.slice(2).toLowerCase() ?? '';
    if (digits.length !== 40) throw new Error('the code is not linked');
    for (const start of starts) {
      linked = linked.slice(0, 2 * start) + digits + linked.slice(2 * start + 40);
    }
  }
  if (!/^([0-9a-f]{2})+$/.test(linked)) throw new Error('the code is not linked');
  return `0x${linked}`;
}
