import type { Artifact } from '../abi/artifact';
import type { Compilation } from './compilation';
import { foundryCompilation } from './foundry-compilation';
import { hardhatCompilation } from './hardhat-compilation';

/** Compiler output of an artifact of Foundry or Hardhat; undefined if it contains no source map. */
export const workspaceCompilation = async ({ file }: Artifact): Promise<Compilation | undefined> =>
  file === undefined ? undefined : ((await foundryCompilation(file)) ?? hardhatCompilation(file));
