import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Hex } from '../../server/api/primitives';
import { compileOnce } from './compile-once';

interface Output {
  errors?: { severity: string; formattedMessage: string }[];
  sources: object;
  contracts: Record<
    string,
    Record<
      string,
      {
        abi: unknown[];
        evm: Record<
          'bytecode' | 'deployedBytecode',
          { object: string; immutableReferences?: object; linkReferences?: object }
        >;
      }
    >
  >;
}

const OUTPUTS = ['abi', 'metadata', 'storageLayout', 'evm.bytecode', 'evm.deployedBytecode'];

interface BuildOptions {
  /** Of the compiler; by default the optimizer is off. */
  settings?: object;
  /** Hardhat's: 3 writes the compiler's input and output to two files, and names sources in another way. */
  version?: 2 | 3;
}

/**
 * Writes a Hardhat project with one source and its build output, compiled here.
 * @param file of the source in the project, such as `contracts/Vault.sol`
 * @returns the runtime code of each contract, by name
 */
export async function writeHardhatBuild(
  folder: string,
  file: string,
  content: string,
  { settings = { optimizer: { enabled: false } }, version = 2 }: BuildOptions = {},
): Promise<Map<string, Hex>> {
  const compiled = version === 2 ? file : `project/${file}`;
  const sources = { [compiled]: { content } };
  const outputSelection = { '*': { '*': OUTPUTS, '': ['ast'] } };
  const input = { language: 'Solidity', sources, settings: { ...settings, outputSelection } };
  const output = JSON.parse(compileOnce(input)) as Output;
  const failed = output.errors?.find(({ severity }) => severity === 'error');
  if (failed) throw new Error(failed.formattedMessage);
  const write = async (name: string, text: string | object): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    const whole = typeof text === 'string' ? text : JSON.stringify(text);
    await writeFile(path.join(folder, name), whole);
  };
  await write('hardhat.config.js', 'module.exports = { solidity: "0.8.30" };\n');
  await write(file, content);
  const solcVersions = { solcVersion: '0.8.30', solcLongVersion: '0.8.30+commit.73712a01' };
  const id = version === 2 ? 'build' : 'solc-0_8_30-build';
  if (version === 2) {
    const info = { _format: 'hh-sol-build-info-1', id, ...solcVersions, input, output };
    await write(`artifacts/build-info/${id}.json`, info);
  } else {
    const userSourceNameMap = { [file]: compiled };
    const info = { _format: 'hh3-sol-build-info-1', id, ...solcVersions, userSourceNameMap, input };
    await write(`artifacts/build-info/${id}.json`, info);
    const made = { _format: 'hh3-sol-build-info-output-1', id, output };
    await write(`artifacts/build-info/${id}.output.json`, made);
  }
  const codes = new Map<string, Hex>();
  for (const [name, { abi, evm }] of Object.entries(output.contracts[compiled] ?? {})) {
    const artifact = `artifacts/${file}/${name}`;
    const up = '../'.repeat(file.split('/').length);
    const [bytecode, deployedBytecode]: Hex[] = [
      `0x${evm.bytecode.object}`,
      `0x${evm.deployedBytecode.object}`,
    ];
    const { immutableReferences = {} } = evm.deployedBytecode;
    await write(`${artifact}.json`, {
      _format: `${version === 2 ? 'hh-sol' : 'hh3'}-artifact-1`,
      contractName: name,
      sourceName: file,
      abi,
      bytecode,
      deployedBytecode,
      linkReferences: evm.bytecode.linkReferences ?? {},
      deployedLinkReferences: {},
      ...(version === 3 && { immutableReferences, inputSourceName: compiled, buildInfoId: id }),
    });
    if (version === 2) {
      const debug = { _format: 'hh-sol-dbg-1', buildInfo: `${up}build-info/${id}.json` };
      await write(`${artifact}.dbg.json`, debug);
    }
    codes.set(name, deployedBytecode!);
  }
  return codes;
}
