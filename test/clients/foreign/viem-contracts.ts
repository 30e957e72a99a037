import { existsSync, readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Output {
  errors?: { severity: string }[];
  contracts?: Record<string, Record<string, { abi: unknown; evm: { bytecode: unknown } }>>;
}

type FindImport = (path: string) => { contents: string } | { error: string };

const solc = createRequire(__filename)('solc') as {
  compile(input: string, callbacks: { import: FindImport }): string;
};
const MODULES = join(__dirname, '../../../node_modules');

/**
 * Writes `contracts/generated.ts`, which viem generates with forge. Contracts that need libraries from submodules have no code: tests that
 * use them fail on every node.
 */
export async function generateContracts(root: string): Promise<void> {
  const folder = join(root, 'contracts/src');
  const entries = await readdir(folder, { recursive: true });
  const artifacts = new Map<string, object>();
  for (const entry of entries.filter((name) => name.endsWith('.sol')).sort()) {
    const file = join(folder, entry);
    const content = readFileSync(file, 'utf8');
    for (const [, name] of content.matchAll(/^contract (\w+)/gm)) {
      if (name !== undefined) artifacts.set(name, { abi: [], bytecode: { object: '0x' } });
    }
    for (const [name, artifact] of compile(root, file, content)) artifacts.set(name, artifact);
  }
  const lines = [...artifacts].map(
    ([name, artifact]) => `export const ${name} = ${JSON.stringify(artifact)} as const;`,
  );
  await writeFile(join(root, 'contracts/generated.ts'), `${lines.join('\n')}\n`);
}

/** @returns an empty list if a library is missing */
function compile(root: string, file: string, content: string): [string, object][] {
  const input = {
    language: 'Solidity',
    sources: { [file]: { content } },
    settings: { outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  };
  const find: FindImport = (path) => {
    const places = [join(root, 'contracts', path), join(dirname(file), path), join(MODULES, path)];
    const found = places.find((place) => existsSync(place));
    return found === undefined ? { error: 'missing' } : { contents: readFileSync(found, 'utf8') };
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: find })) as Output;
  if (output.errors?.some(({ severity }) => severity === 'error')) return [];
  return Object.entries(output.contracts?.[file] ?? {}).map(([name, { abi, evm }]) => {
    const { object } = evm.bytecode as { object: string };
    return [name, { abi, bytecode: { object: `0x${object}` } }];
  });
}
