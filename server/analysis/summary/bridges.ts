import type { Address } from '../../api/primitives';

/** Bridges of Ethereum that take deposits for another chain, as their projects publish the addresses. */
const ETHEREUM: Readonly<Record<Address, string>> = {
  '0x99c9fc46f92e8a1c0dec1b1747d010903e884be1': 'Optimism',
  '0x3154cf16ccdb4c6d922629664174b904d80f2c35': 'Base',
  '0x4dbd4fc535ac27206064b68ffcf827b0a60bab3f': 'Arbitrum',
  '0x72ce9c846789fdb6fc1f34ac4ad25dd9ef7031ef': 'Arbitrum',
  '0xa0c68c638235ee32657e8f720a23cec1bfc77c77': 'Polygon',
  '0x32400084c286cf3e17e7b677ea9583e60a000324': 'ZKsync',
  '0x3ee18b2214aff97000d974cf647e7c347e8fa585': 'Wormhole',
  '0x5c7bcd6e7de5423a257d81b442095a1a6ced35c5': 'Across',
};
const CHAINS: Readonly<Record<number, Readonly<Record<Address, string>>>> = { 1: ETHEREUM };

/** Name of the bridge at an address; undefined for an unknown one. */
export const bridgeAt = (chainId: number, address: Address): string | undefined =>
  CHAINS[chainId]?.[address];
