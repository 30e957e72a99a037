import type { BlockRules } from './block-rules';
import { isArbitrum } from './families/arbitrum';

/* Precompiled contracts that a chain has and that engines do not execute: a call of one succeeds without an effect. */

const ARBOS: readonly (readonly [number, string])[] = [
  [0x64, 'ArbSys'],
  [0x65, 'ArbInfo'],
  [0x66, 'ArbAddressTable'],
  [0x67, 'ArbBLS'],
  [0x68, 'ArbFunctionTable'],
  [0x69, 'ArbosTest'],
  [0x6b, 'ArbOwnerPublic'],
  [0x6c, 'ArbGasInfo'],
  [0x6d, 'ArbAggregator'],
  [0x6e, 'ArbRetryableTx'],
  [0x6f, 'ArbStatistics'],
  [0x70, 'ArbOwner'],
  [0x71, 'ArbWasm'],
  [0x72, 'ArbWasmCache'],
  [0x73, 'ArbNativeTokenManager'],
  [0x74, 'ArbFilteredTransactionsManager'],
  [0xc8, 'NodeInterface'],
  [0xff, 'ArbDebug'],
];
const BSC: readonly (readonly [number, string])[] = [
  [0x64, 'tmHeaderValidate'],
  [0x65, 'iavlMerkleProofValidate'],
  [0x66, 'blsSignatureVerify'],
  [0x67, 'cometBFTLightBlockValidate'],
  [0x68, 'verifyDoubleSignEvidence'],
  [0x69, 'secp256k1SignatureRecover'],
];
/** Interchain messages of Avalanche. */
const WARP = '0x0200000000000000000000000000000000000005';

const toAddress = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`;
const named = (list: readonly (readonly [number, string])[]): [string, string][] =>
  list.map(([number, name]) => [toAddress(number), name]);

const BY_CHAIN: ReadonlyMap<number, readonly [string, string][]> = new Map([
  [56, named(BSC)],
  [97, named(BSC)],
  [43_114, [[WARP, 'Warp']]],
  [43_113, [[WARP, 'Warp']]],
]);

/** The names of the chain's precompiled contracts that engines lack under these rules, by lower-case address. */
export function lackingPrecompiles({
  chainId,
  extraPrecompiles,
}: Pick<BlockRules, 'chainId' | 'extraPrecompiles'>): ReadonlyMap<string, string> {
  const own = isArbitrum(chainId) ? named(ARBOS) : (BY_CHAIN.get(chainId) ?? []);
  const p256 = extraPrecompiles.map((address): [string, string] => [address, 'P256VERIFY']);
  return new Map(own.concat(p256));
}

/** The sentence for answers that cannot rely on these contracts. */
export function lackingText(contracts: ReadonlyMap<string, string>): string {
  const list = Array.from(contracts, ([address, name]) => `${name} (${shortOf(address)})`);
  return `the engine does not execute the precompiled ${list.length === 1 ? 'contract' : 'contracts'} ${list.join(', ')}`;
}

const shortOf = (address: string): string => `0x${address.slice(2).replace(/^0+/, '')}`;
