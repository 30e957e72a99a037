import type { AbiSource } from '../analysis/ports';
import { CompiledContract } from '../sources/compiled-contract';
import type { Compilation } from '../sources/compilation';
import type { ProgramSource } from '../sources/program-source';

/** Programs of contracts that are identified by name. */
export const knownPrograms = (
  abis: AbiSource,
  compilationOf: (name: string, artifact: string | undefined) => Promise<Compilation | undefined>,
): ProgramSource => ({
  async programOf(network, { address, code, isCreation }, signal) {
    const known = await abis.identify(
      network,
      {
        addresses: new Set(isCreation ? [] : [address]),
        deployed: new Map(isCreation ? [] : [[address, code]]),
        initCodes: new Set(isCreation ? [code] : []),
        selectors: new Set(),
        topics: new Set(),
        block: { number: 0n, hash: '0x' },
      },
      signal,
    );
    const found = isCreation ? known.creations.get(code) : known.contracts.get(address);
    if (found?.name === undefined) return undefined;
    const compilation = await compilationOf(found.name, found.artifact);
    if (!compilation) return undefined;
    const compiled = await CompiledContract.open(compilation);
    const map = isCreation ? compiled.creation : compiled.deployed;
    if (!map) return undefined;
    return {
      map,
      files: compiled.texts,
      text: (file) => compiled.text(file),
      ...compilation,
      ast: await compilation.ast?.(),
      immutables: [],
    };
  },
});
