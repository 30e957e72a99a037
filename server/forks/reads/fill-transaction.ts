import type { Hardfork } from '../../api/config';
import type { Fields } from '../../evm/forms/fields';
import { invalidParams, RpcError } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { isSince } from '../../evm/forms/hardfork-order';
import { callOnNextBlock } from '../writes/next-block-calls';
import { readBaseFee } from './base-fee';
import { readGasPrice, readTip } from './gas-price';
import type { RunningFork } from './running-fork';
import { checkFields } from './transaction-fields';
import { RPC_CODES } from '../../api/rpc-codes';

const NOBODY = `0x${'00'.repeat(20)}`;
/** Fields of blob sidecars, which only a signer with the trusted setup can make. */
const SIDECAR = ['blobs', 'commitments', 'proofs'];

/**
 * `eth_fillTransaction`: an unsigned transaction with all fields. Type, nonce, gas, fees, value, input, access list and chain id are
 * filled. The maximum fee includes twice the base fee, which is enough for six full blocks.
 * @throws RpcError for wrong and contradictory fields, and for a call that fails
 */
export async function fillTransaction(
  fork: RunningFork,
  [request]: readonly unknown[],
): Promise<unknown> {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw invalidParams('the transaction', request, 'an object');
  }
  const given: Fields = Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== null && value !== undefined),
  );
  check(fork, given);
  const { from = NOBODY, to = null, value = '0x0', authorizationList } = given;
  const input = given['input'] ?? given['data'] ?? '0x';
  const { engine } = fork;
  const type = typeOf(given, fork.hardfork);
  const listed = { chainId: toQuantity(fork.chainId), accessList: given['accessList'] ?? [] };
  const fees = await feesOf(fork, given, type);
  const nonce =
    given['nonce'] ?? (await engine.request('eth_getTransactionCount', [from, 'pending']));
  const call = { ...given, from, to, value, input, data: undefined };
  const estimate = { method: 'eth_estimateGas', params: [call, 'pending'] };
  const gas = given['gas'] ?? (await callOnNextBlock(engine, estimate, fork.writer.nextTime));
  const tx = {
    type: toQuantity(type),
    nonce,
    to,
    gas,
    value,
    input,
    ...(type === 0 ? { chainId: listed.chainId } : listed),
    ...fees,
    ...(type === 3 ? { blobVersionedHashes: given['blobVersionedHashes'] } : {}),
    ...(type === 4 ? { authorizationList } : {}),
  };
  return { tx };
}

function check({ chainId }: RunningFork, given: Fields): void {
  checkFields(given);
  const named = given['chainId'];
  if (named !== undefined && Number(named) !== chainId) {
    throw invalidParams('chainId', named, `${toQuantity(chainId)}, the chain id of this fork`);
  }
  const { data, input } = given;
  if (data !== undefined && input !== undefined && data !== input) {
    throw invalidParams('data', data, 'the same as input, or only one of the two');
  }
  const priced = ['maxFeePerGas', 'maxPriorityFeePerGas'].find((name) => name in given);
  if (given['gasPrice'] !== undefined && priced !== undefined) {
    throw invalidParams(priced, given[priced], 'none together with gasPrice');
  }
  const sidecar = SIDECAR.find((name) => name in given);
  if (sidecar !== undefined) {
    throw new RpcError(
      RPC_CODES.notSupported,
      `${sidecar} is not accepted: a fork does not create blob sidecars`,
    );
  }
}

function typeOf(given: Fields, hardfork: Hardfork): number {
  if (given['authorizationList'] !== undefined) return 4;
  if (given['blobVersionedHashes'] !== undefined) return 3;
  const hasFees =
    given['maxFeePerGas'] !== undefined || given['maxPriorityFeePerGas'] !== undefined;
  const isLegacy = given['gasPrice'] !== undefined || (!hasFees && !isSince(hardfork, 'london'));
  if (!isLegacy) return Number(given['type'] ?? 2);
  return Number(given['type'] ?? (given['accessList'] === undefined ? 0 : 1));
}

async function feesOf(fork: RunningFork, given: Fields, type: number): Promise<Fields> {
  const { gasPrice, maxFeePerBlobGas } = given;
  if (type < 2) return { gasPrice: gasPrice ?? (await readGasPrice(fork)) };
  const tip = given['maxPriorityFeePerGas'] ?? (await readTip(fork));
  const limit =
    given['maxFeePerGas'] ??
    toQuantity(2n * BigInt(await readBaseFee(fork)) + BigInt(tip as string));
  if (BigInt(tip as string) > BigInt(limit as string)) {
    throw invalidParams(
      'maxPriorityFeePerGas',
      tip,
      `up to maxFeePerGas, which is ${BigInt(limit as string)}`,
    );
  }
  return {
    maxPriorityFeePerGas: tip,
    maxFeePerGas: limit,
    // execution-apis: the highest price, for a transaction that is not in a block.
    gasPrice: limit,
    ...(type === 3 ? { maxFeePerBlobGas: maxFeePerBlobGas ?? (await twiceBlobBaseFee(fork)) } : {}),
  };
}

const twiceBlobBaseFee = async ({ engine }: RunningFork): Promise<string> =>
  toQuantity(2n * BigInt((await engine.request('eth_blobBaseFee', [])) as string));
