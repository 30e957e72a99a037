import { knownChain } from '../families/known-chains';
import type { BlockRules } from './block-rules';

const toAddress = (number: bigint): string => `0x${number.toString(16).padStart(40, '0')}`;

/** The names of the chain's precompiled contracts that engines lack under these rules, by lower-case address. */
export function lackingPrecompiles({
  chainId,
  extraPrecompiles,
}: Pick<BlockRules, 'chainId' | 'extraPrecompiles'>): ReadonlyMap<string, string> {
  const { precompiles = [] } = knownChain(chainId);
  const own = precompiles.map(([number, name]): [string, string] => [toAddress(number), name]);
  const p256 = extraPrecompiles.map((address): [string, string] => [address, 'P256VERIFY']);
  return new Map(own.concat(p256));
}

/** The sentence for answers that cannot rely on these contracts. */
export function lackingText(contracts: ReadonlyMap<string, string>): string {
  const list = Array.from(contracts, ([address, name]) => `${name} (${shortOf(address)})`);
  return `the engine does not execute the precompiled ${list.length === 1 ? 'contract' : 'contracts'} ${list.join(', ')}`;
}

const shortOf = (address: string): string => `0x${address.slice(2).replace(/^0+/, '')}`;
