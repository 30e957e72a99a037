import type { Hex } from '../../../api/primitives';
import type { RpcBlockHeader } from '../../forms/types';
import { SEQUENCER_FEE_VAULT } from './predeploys';

/** Upgrades of the OP Stack that change fees or precompiled contracts, oldest first. */
export const OP_UPGRADES = [
  'regolith',
  'ecotone',
  'fjord',
  'granite',
  'holocene',
  'isthmus',
  'jovian',
] as const;
export type OpUpgrade = (typeof OP_UPGRADES)[number];

export const hasUpgrade = (upgrade: OpUpgrade, first: OpUpgrade): boolean =>
  OP_UPGRADES.indexOf(upgrade) >= OP_UPGRADES.indexOf(first);

/** Fields of a header that show the upgrades. */
export type OpHeader = Pick<RpcBlockHeader, 'timestamp' | 'excessBlobGas'> & {
  readonly extraData?: Hex;
  /** Since Isthmus, always the hash of no requests. */
  readonly requestsHash?: Hex;
};

/** Fjord and Granite, which no header shows: times of the Superchain, Unix seconds (superchain-registry). */
const MAINNETS = { fjord: 1_720_627_201, granite: 1_726_070_401 };
const TEST_NETWORKS = { fjord: 1_716_998_400, granite: 1_723_478_400 };
const ON_TEST_NETWORK: ReadonlySet<number> = new Set([
  84_532, 919, 1_301, 4_801, 763_373, 11_155_420, 999_999_999,
]);

/**
 * The newest upgrade that holds in a block. Headers show Ecotone (EIP-4844 fields), Holocene and Jovian (version and length of
 * `extraData`) and Isthmus (requests hash), so unknown chains need no table; Fjord and Granite, a few months each, follow the Superchain.
 */
export function opUpgradeOf(chainId: number, header: OpHeader): OpUpgrade {
  const { extraData = '0x', requestsHash } = header;
  if (isJovianExtraData(extraData)) return 'jovian';
  if (requestsHash !== undefined) return 'isthmus';
  if (isHoloceneExtraData(extraData)) return 'holocene';
  if (header.excessBlobGas === undefined) return 'regolith';
  const times = ON_TEST_NETWORK.has(chainId) ? TEST_NETWORKS : MAINNETS;
  const time = Number(header.timestamp);
  if (time >= times.granite) return 'granite';
  return time >= times.fjord ? 'fjord' : 'ecotone';
}

/** OP specs, Holocene: version 0, denominator and elasticity of 4 bytes each. */
export const isHoloceneExtraData = (extraData: Hex): boolean =>
  /^0x00[0-9a-f]{16}$/i.test(extraData);

/** OP specs, Jovian: version 1, as Holocene, and the minimum base fee of 8 bytes. */
export const isJovianExtraData = (extraData: Hex): boolean => /^0x01[0-9a-f]{32}$/i.test(extraData);

/** Of any block of the OP Stack. */
export const isOpFeeRecipient = (miner: string): boolean =>
  miner.toLowerCase() === SEQUENCER_FEE_VAULT;

/** Chains that were built on the OP Stack and charge other fees: opBNB, Mantle, Celo, Blast, and their test networks. */
const OTHER_FEES: ReadonlySet<number> = new Set([
  204, 5_000, 5_003, 5_611, 42_220, 44_787, 62_320, 81_457, 11_142_220, 168_587_773,
]);

/** Whether the fees and deposits of a block follow the specifications of the OP Stack, since Bedrock. */
export const isExactOpStack = (
  chainId: number,
  { miner, baseFeePerGas }: Pick<RpcBlockHeader, 'miner' | 'baseFeePerGas'>,
): boolean => isOpFeeRecipient(miner) && baseFeePerGas !== undefined && !OTHER_FEES.has(chainId);
