import { ARBITRUM } from './arbitrum/arbitrum';
import { AVALANCHE } from './avalanche/avalanche';
import { BSC } from './bsc/bsc';
import { CELO } from './celo/celo';
import type { ChainFamily, KnownChain } from './definition/chain-family';
import { ETHEREUM } from './ethereum/ethereum';
import { GNOSIS } from './gnosis/gnosis';
import { OP_STACK } from './op-stack/op-stack';
import { POLYGON } from './polygon/polygon';
import { ZK_STACK } from './zk-stack/zk-stack';

export const FAMILIES: readonly ChainFamily[] = [
  ETHEREUM,
  OP_STACK,
  ARBITRUM,
  POLYGON,
  BSC,
  AVALANCHE,
  GNOSIS,
  CELO,
  ZK_STACK,
];

const BY_ID = new Map(FAMILIES.flatMap(({ chains }) => [...chains]));

/** What is known of a chain: nothing, for a chain that no family names. */
export const knownChain = (chainId: number): KnownChain => BY_ID.get(chainId) ?? {};
