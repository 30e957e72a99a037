import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Hex } from '../../server/api/primitives';
import { compileOnce } from './compile-once';

interface Output {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>;
}

/** Compiles a file of `test/fixtures`. @returns the runtime code of each contract, by name */
export function compileFixture(path: string): Map<string, Hex> {
  const file = basename(path);
  const content = readFileSync(join(__dirname, '../fixtures', path), 'utf8');
  const input = {
    language: 'Solidity',
    sources: { [file]: { content } },
    settings: { outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } } },
  };
  const { errors = [], contracts } = JSON.parse(compileOnce(input)) as Output;
  const failed = errors.find(({ severity }) => severity === 'error');
  if (failed) throw new Error(failed.formattedMessage);
  return new Map(
    Object.entries(contracts[file] ?? {}).flatMap(([name, { evm }]): [string, Hex][] =>
      evm.deployedBytecode.object === '' ? [] : [[name, `0x${evm.deployedBytecode.object}`]],
    ),
  );
}
