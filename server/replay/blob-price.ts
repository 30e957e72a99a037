import type { Hardfork } from '../api/config';
import type { Hex } from '../api/primitives';
import { GAS_PER_BLOB, updateFraction } from '../chains/blob-price';
import { fakeExponential } from '../ethereum/fake-exponential';
import { isSince } from '../ethereum/hardforks';
import type { RpcClient } from '../ethereum/json-rpc';

/** An address without code of its own, and code that returns BLOBBASEFEE (EIP-7516). */
const PROBE = { address: `0x${'f0'.repeat(20)}`, code: '0x4a60005260206000f3' } as const;

/** What an engine charges calls for blob gas, in wei: no call can be given the price of its own block. */
export async function blobPriceOfCalls(
  engine: RpcClient,
  signal?: AbortSignal,
  tag = 'latest',
): Promise<bigint> {
  const state = { [PROBE.address]: { code: PROBE.code } };
  const params = [{ to: PROBE.address }, tag, state];
  return BigInt((await engine.request('eth_call', params, { signal })) as Hex);
}

/** Blob gas that a block holds at the most (EIP-4844; EIP-7691 since Prague). */
export const maxBlobGas = (hardfork: Hardfork): number =>
  Number(GAS_PER_BLOB) * (isSince(hardfork, 'prague') ? 9 : 6);

/** The price of blob gas in a block of an engine, in wei: engines follow the hardforks of Ethereum, and no chain's own schedule of blobs. */
export const blobGasPrice = (excessBlobGas: bigint, hardfork: Hardfork): bigint =>
  fakeExponential(1n, excessBlobGas, updateFraction({ chainId: 0, hardfork }, 0));
