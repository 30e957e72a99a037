import type { Address, Hex } from '../../../../server/api/primitives';
import type { KnownSource } from '../../../../server/contracts/sources/code-sources';
import type { SourceService } from '../../../../server/contracts/sources/verified/verified-source';
import { VerifiedSources } from '../../../../server/contracts/sources/verified/verified-sources';
import { account, network } from '../../../support/analysis';
import { compileSource, deployedCode, SHOP } from '../../../support/compiled-source';

export const NEVER = new AbortController().signal;

export const shop = compileSource('Shop', SHOP, { optimizer: { enabled: true, runs: 7 } });
export const CODE = deployedCode(shop);

export interface Wanted {
  address: Address;
  code: Hex;
  isCreation: boolean;
}

/** Sources of a service, kept only in memory. */
export const finder = (service: SourceService, now?: () => number): VerifiedSources =>
  new VerifiedSources({ service, store: undefined, now });

/** By default, the source of the deployed shop. */
export const find = (
  sources: VerifiedSources,
  { address = account(1), code = CODE, isCreation = false }: Partial<Wanted> = {},
): Promise<KnownSource | undefined> =>
  sources.find(network(), { address, code, isCreation }, NEVER);

export const names = (source: KnownSource | undefined): string[] | undefined =>
  source?.contract.compilation.files.map(({ name }) => name);

/** The known settings. */
export const settingsOf = (source: KnownSource | undefined): unknown =>
  JSON.parse(JSON.stringify(source?.contract.compilation.settings));
