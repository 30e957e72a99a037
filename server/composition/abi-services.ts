import { join } from 'node:path';
import type { Artifacts } from '../contracts/abi/artifacts';
import type { Etherscan } from '../contracts/abi/etherscan';
import { FourByte } from '../contracts/abi/four-byte';
import { Sourcify } from '../contracts/abi/sourcify';
import type { Log, SignatureSource } from '../contracts/abi/sources';
import { VerifiedContracts, type VerifiedLookup } from '../contracts/abi/verified-contracts';
import type { Config } from '../api/config';
import type { Lookups } from '../cases/known/lookups';
import { LookupFiles } from '../store/cache/lookup-files';

export interface AbiServicesOptions {
  config: Config;
  /** Contracts of the user's projects. */
  workspace: Artifacts;
  /** Contracts of the built-in chain. */
  builtIn: Artifacts;
  etherscan: Etherscan | undefined;
  /** Signatures that are part of the program, in order. */
  inProgram: Iterable<SignatureSource>;
  cacheFolder: string;
  log: Log;
}

/** The sources, most trustworthy first: the user's own artifacts, verified sources, well-known signatures, signature databases. */
export function createAbiLookups(
  options: AbiServicesOptions,
): Pick<Lookups, 'contracts' | 'signatures' | 'findCreation'> {
  const { config, workspace, builtIn, etherscan, inProgram, cacheFolder, log } = options;
  const { sourcify, signatures } = config.abi;
  const lookups: VerifiedLookup[] = [
    ...(sourcify.enabled ? [new Sourcify({ url: sourcify.url, log })] : []),
    ...(etherscan ? [etherscan] : []),
  ];
  const verified = lookups.map(
    (lookup) =>
      new VerifiedContracts({ lookup, store: new LookupFiles(join(cacheFolder, lookup.name)) }),
  );
  const database = new FourByte(new LookupFiles(join(cacheFolder, '4byte')), {
    url: signatures.url,
    log,
  });
  return {
    contracts: [workspace, builtIn, ...verified],
    signatures: [workspace, builtIn, ...inProgram, ...(signatures.enabled ? [database] : [])],
    findCreation: async (initCode) =>
      (await workspace.findCreation(initCode)) ?? builtIn.findCreation(initCode),
  };
}
