import { builtInSignatures } from '../contracts/abi/built-in/signatures';
import { PackageSignatures } from '../contracts/abi/package-signatures';
import type { SignatureSource } from '../contracts/abi/sources';

/** Where the sources of signatures that are part of the program stand in the order of trust: after those of the workspace and the built-in chain. */
export const programSignatures = (): ReadonlyMap<number, SignatureSource> =>
  new Map<number, SignatureSource>([
    [2, builtInSignatures],
    [3, new PackageSignatures()],
  ]);
