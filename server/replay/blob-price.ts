import { HARDFORKS, type Hardfork } from '../api/config';
import type { Hex } from '../api/primitives';
import type { RpcClient } from '../ethereum/json-rpc';

/** Gas of one blob (EIP-4844). */
export const GAS_PER_BLOB = 131_072n;

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

/** BLOB_BASE_FEE_UPDATE_FRACTION of EIP-4844 and, since Prague, of EIP-7691. */
const CANCUN_FRACTION = 3_338_477n;
const PRAGUE_FRACTION = 5_007_716n;

/** Blob gas that a block holds at the most (EIP-4844; EIP-7691 since Prague). */
export const maxBlobGas = (hardfork: Hardfork): number =>
  Number(GAS_PER_BLOB) * (HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf('prague') ? 9 : 6);

/** The price of blob gas in a block, in wei: an exponential of the excess before it (EIP-4844). */
export function blobGasPrice(excessBlobGas: bigint, hardfork: Hardfork): bigint {
  const isPrague = HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf('prague');
  const fraction = isPrague ? PRAGUE_FRACTION : CANCUN_FRACTION;
  let sum = 0n;
  for (let i = 1n, term = fraction; term > 0n; i++) {
    sum += term;
    term = (term * excessBlobGas) / (fraction * i);
  }
  return sum / fraction;
}
