import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compileOnce } from './compile-once';

interface Code {
  object: string;
  immutableReferences?: Record<string, { start: number; length: number }[]>;
}

export interface CompiledContract {
  abi: unknown;
  evm: { bytecode: Code; deployedBytecode: Code };
}

/**
 * Compiles files, and writes Hardhat's artifacts with their build info to `artifacts/`.
 * @param sources texts by name, such as `src/Vault.sol`
 * @returns the contracts by name
 */
export async function writeHardhatProject(
  folder: string,
  sources: Readonly<Record<string, string>>,
  settings: object = {},
): Promise<Record<string, CompiledContract>> {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      Object.entries(sources).map(([name, content]) => [name, { content }]),
    ),
    settings: {
      evmVersion: 'prague',
      outputSelection: {
        '*': {
          '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'storageLayout'],
          '': ['ast'],
        },
      },
      ...settings,
    },
  };
  const output = JSON.parse(compileOnce(input)) as {
    errors?: { severity: string; formattedMessage: string }[];
    contracts: Record<string, Record<string, CompiledContract>>;
  };
  const failed = output.errors?.find(({ severity }) => severity === 'error');
  if (failed) throw new Error(failed.formattedMessage);
  const buildInfo = join(folder, 'artifacts/build-info/one.json');
  await mkdir(dirname(buildInfo), { recursive: true });
  await writeFile(buildInfo, JSON.stringify({ input, output }));
  const found: Record<string, CompiledContract> = {};
  for (const [file, contracts] of Object.entries(output.contracts)) {
    await mkdir(join(folder, 'artifacts', file), { recursive: true });
    for (const [name, contract] of Object.entries(contracts)) {
      const { abi, evm } = contract;
      found[name] = contract;
      const artifact = {
        contractName: name,
        sourceName: file,
        abi,
        bytecode: `0x${evm.bytecode.object}`,
        deployedBytecode: `0x${evm.deployedBytecode.object}`,
        linkReferences: {},
        deployedLinkReferences: {},
        immutableReferences: evm.deployedBytecode.immutableReferences ?? {},
      };
      const path = join(folder, 'artifacts', file, name);
      await writeFile(`${path}.json`, JSON.stringify(artifact));
      const levels = '../'.repeat(file.split('/').length);
      const debug = { buildInfo: `${levels}build-info/one.json` };
      await writeFile(`${path}.dbg.json`, JSON.stringify(debug));
    }
  }
  return found;
}
