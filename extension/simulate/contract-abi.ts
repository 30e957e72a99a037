import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { AbiFunction } from 'viem';
import { artifactFiles } from '../build-output/artifact-files';

const parameterSchema = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  get components() {
    return z.array(parameterSchema).optional();
  },
});
const artifactSchema = z.object({
  abi: z.array(
    z.looseObject({
      type: z.string(),
      name: z.string().optional(),
      stateMutability: z.string().optional(),
      inputs: z.array(parameterSchema).default([]),
    }),
  ),
});

/**
 * Functions with a name in the compiled ABI of a contract; several if the function is overloaded.
 * @param source path of the contract's source
 * @param outputs build output folders of Foundry or Hardhat
 * @returns undefined if the contract was not compiled
 */
export async function compiledFunctions(
  { source, contract, name }: { source: string; contract: string; name: string },
  outputs: readonly string[],
): Promise<AbiFunction[] | undefined> {
  for (const output of outputs) {
    for (const file of artifactFiles(output, source, contract)) {
      const artifact = await readArtifact(file);
      if (artifact === undefined) continue;
      return artifact.abi.filter(
        (item) => item.type === 'function' && item.name === name,
      ) as unknown as AbiFunction[];
    }
  }
  return undefined;
}

async function readArtifact(file: string): Promise<z.infer<typeof artifactSchema> | undefined> {
  try {
    return artifactSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined; // missing, or another tool's format
  }
}
