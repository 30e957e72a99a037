import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Hex } from '../../server/api/primitives';

interface Output {
  errors?: { severity: string; formattedMessage: string }[];
  sources: object;
  contracts: Record<
    string,
    Record<
      string,
      { abi: unknown[]; evm: Record<'bytecode' | 'deployedBytecode', { object: string }> }
    >
  >;
}

const OUTPUTS = ['abi', 'metadata', 'storageLayout', 'evm.bytecode', 'evm.deployedBytecode'];

/**
 * Writes a Hardhat project with one source and its build output, compiled here.
 * @param file of the source in the project, such as `contracts/Vault.sol`
 * @param settings of the compiler; by default the optimizer is off
 * @returns the runtime code of each contract, by name
 */
export async function writeHardhatBuild(
  folder: string,
  file: string,
  content: string,
  settings: object = { optimizer: { enabled: false } },
): Promise<Map<string, Hex>> {
  const solc = createRequire(__filename)('solc') as { compile(input: string): string };
  const sources = { [file]: { content } };
  const outputSelection = { '*': { '*': OUTPUTS, '': ['ast'] } };
  const input = { language: 'Solidity', sources, settings: { ...settings, outputSelection } };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  const failed = output.errors?.find(({ severity }) => severity === 'error');
  if (failed) throw new Error(failed.formattedMessage);
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  };
  await write('hardhat.config.js', 'module.exports = { solidity: "0.8.30" };\n');
  await write(file, content);
  const info = {
    ...{ _format: 'hh-sol-build-info-1', id: 'build', solcVersion: '0.8.30' },
    ...{ solcLongVersion: '0.8.30+commit.73712a01', input, output },
  };
  await write('artifacts/build-info/build.json', JSON.stringify(info));
  const codes = new Map<string, Hex>();
  for (const [name, { abi, evm }] of Object.entries(output.contracts[file] ?? {})) {
    const artifact = `artifacts/${file}/${name}`;
    const up = '../'.repeat(file.split('/').length);
    const [bytecode, deployedBytecode]: Hex[] = [
      `0x${evm.bytecode.object}`,
      `0x${evm.deployedBytecode.object}`,
    ];
    const content = {
      ...{ _format: 'hh-sol-artifact-1', contractName: name, sourceName: file, abi },
      ...{ bytecode, deployedBytecode, linkReferences: {}, deployedLinkReferences: {} },
    };
    await write(`${artifact}.json`, JSON.stringify(content));
    const debug = { _format: 'hh-sol-dbg-1', buildInfo: `${up}build-info/build.json` };
    await write(`${artifact}.dbg.json`, JSON.stringify(debug));
    codes.set(name, deployedBytecode!);
  }
  return codes;
}
