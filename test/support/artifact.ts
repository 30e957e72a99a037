import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileSource } from './compiled-source';

const CONTRACTS = join(__dirname, '../../server/chains/sandbox/contracts');

/** An artifact of Foundry for a contract of the sandbox, with changes to its sources. @param edit by file name */
export function sandboxArtifact(
  name: string,
  edit: (file: string, text: string) => string,
): { text: string; code: string } {
  const texts = Object.fromEntries(
    readdirSync(CONTRACTS).map((file) => [
      file,
      edit(file, readFileSync(join(CONTRACTS, file), 'utf8')),
    ]),
  );
  const { abi, storageLayout, evm, asts } = compileSource(name, texts);
  const [ast] = Object.entries(asts).flatMap(([file, tree]) =>
    (texts[file] ?? '').includes(`contract ${name} `) ? [tree] : [],
  );
  const { object, immutableReferences = {}, linkReferences } = evm.deployedBytecode;
  const text = JSON.stringify({
    abi,
    bytecode: { object: `0x${evm.bytecode.object}`, linkReferences: evm.bytecode.linkReferences },
    deployedBytecode: { object: `0x${object}`, immutableReferences, linkReferences },
    storageLayout,
    ast,
  });
  return { text, code: `0x${object}` };
}
