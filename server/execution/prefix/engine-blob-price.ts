import type { Hardfork } from '../../api/config';
import type { Hex } from '../../api/primitives';
import { blobSchedule, GAS_PER_BLOB, type BlobSchedule } from '../../evm/rules/blob-price';
import { fakeExponential } from '../../evm/rules/fake-exponential';
import type { RpcClient } from '../../evm/forms/json-rpc';

/** An address without code of its own, and code that returns BLOBBASEFEE (EIP-7516). */
const PROBE = { address: `0x${'f0'.repeat(20)}`, code: '0x4a60005260206000f3' } as const;

/** The price that an engine charges calls for blob gas, in wei: a call cannot set the price of its block. */
export async function blobPriceOfCalls(
  engine: RpcClient,
  signal?: AbortSignal,
  tag = 'latest',
): Promise<bigint> {
  const state = { [PROBE.address]: { code: PROBE.code } };
  const params = [{ to: PROBE.address }, tag, state];
  return BigInt((await engine.request('eth_call', params, { signal })) as Hex);
}

/** The schedule that an engine uses for its own blocks: it follows Ethereum's hardforks, without blob parameter forks. */
const scheduleOf = (hardfork: Hardfork): BlobSchedule => blobSchedule({ chainId: 0, hardfork }, 0);

/** Maximum blob gas of an engine's block (EIP-4844; EIP-7691 since Prague). */
export const maxBlobGas = (hardfork: Hardfork): number =>
  Number(GAS_PER_BLOB * scheduleOf(hardfork).max);

/** Price of blob gas in an engine's block, in wei. */
export const blobGasPrice = (excessBlobGas: bigint, hardfork: Hardfork): bigint =>
  fakeExponential(1n, excessBlobGas, scheduleOf(hardfork).fraction);
