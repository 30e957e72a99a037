import type { Hardfork } from '../../../api/config';
import type { RpcBlockHeader } from '../../forms/types';
import { ARBITRUM } from './arbitrum';

/** The newest version of ArbOS whose rules were compared with those of Ethereum. */
const NEWEST_ARBOS = 61;
/** Larger numbers are no versions: a node of another kind returned the field. */
const LARGEST_ARBOS = 10_000;

/** Hardforks that versions of ArbOS contain (Arbitrum's release notes). */
const HARDFORKS: readonly (readonly [version: number, hardfork: Hardfork])[] = [
  [1, 'london'],
  [11, 'shanghai'],
  [20, 'cancun'],
  [40, 'prague'],
  [50, 'osaka'],
];
const P256_VERSION = 30;

export interface ArbosRules {
  readonly version: number;
  readonly hardfork: Hardfork;
  /** RIP-7212. */
  readonly hasP256: boolean;
  /** Set for a version that this one does not know. */
  readonly warning?: string;
}

function isArbitrum(chainId: number, header?: object): boolean {
  return (
    ARBITRUM.chains.has(chainId) ||
    (header !== undefined && 'sendRoot' in header && 'l1BlockNumber' in header)
  );
}

/**
 * Rules by the version of ArbOS in a header: bytes 16 to 23 of `mixHash` (Nitro's `HeaderInfo`).
 * @returns undefined for other chains, and for headers without a version
 */
export function arbosRules(chainId: number, header: RpcBlockHeader): ArbosRules | undefined {
  const { mixHash } = header;
  if (mixHash === undefined || !isArbitrum(chainId, header)) return undefined;
  const version = Number(BigInt(`0x${mixHash.slice(34, 50)}`));
  const hardfork = HARDFORKS.findLast(([first]) => version >= first)?.[1];
  if (hardfork === undefined || version > LARGEST_ARBOS) return undefined;
  const rules = { version, hardfork, hasP256: version >= P256_VERSION };
  if (version <= NEWEST_ARBOS) return rules;
  return {
    ...rules,
    warning: `ArbOS ${version} is newer than ${NEWEST_ARBOS}, the last that this version knows: the rules of ${hardfork} are assumed`,
  };
}
