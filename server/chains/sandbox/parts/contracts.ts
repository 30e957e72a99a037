import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ApiError } from '../../../api/errors';
import type { JsonFragment } from 'ethers';
import type { Hex } from '../../../api/primitives';

/** A compiled contract of the sandbox, with the fields of a Hardhat artifact. The code of interfaces is `0x`. */
export interface CompiledContract {
  contractName: string;
  /** File below `server/chains/sandbox/contracts`. */
  sourceName: string;
  abi: readonly JsonFragment[];
  /** Creation code, without constructor arguments. */
  bytecode: Hex;
  /** Runtime code with zeros in place of the immutables. */
  deployedBytecode: Hex;
  /** Positions of these zeros, in bytes. */
  immutableReferences: Readonly<Record<string, readonly { start: number; length: number }[]>>;
}

/** The sandbox's contracts by name; names are unique. */
export type SandboxContracts = Readonly<Record<string, CompiledContract>>;

const FILE = 'sandbox-contracts.json';

/**
 * Reads the compiled contracts next to the bundle, or from the package's `dist` when run from source.
 * @throws ApiError `internal` if the build has not run
 */
export function loadSandboxContracts(): SandboxContracts {
  const file = findUpwards(__dirname);
  if (file === undefined) {
    throw new ApiError(
      'internal',
      `${FILE} is missing beside the program; accepted: a built package`,
    );
  }
  const { contracts } = JSON.parse(readFileSync(file, 'utf8')) as { contracts: SandboxContracts };
  return contracts;
}

function findUpwards(folder: string): string | undefined {
  const found = [join(folder, FILE), join(folder, 'dist', FILE)].find(existsSync);
  if (found !== undefined) return found;
  const parent = dirname(folder);
  return parent === folder ? undefined : findUpwards(parent);
}
