import { HARDFORKS, type Hardfork } from '../../api/config';
import { intrinsicGas } from '../../ethereum/intrinsic-gas';
import type { RpcClient } from '../../ethereum/json-rpc';
import type { RpcTransaction } from '../../ethereum/types';
import { blobGasPrice } from '../../replay/blob-price';
import type { BlockSettings } from './engine-blocks';
import { rejected } from './transaction-pool';

/** What a block that is to hold transactions allows. */
export interface NextBlock extends Pick<
  BlockSettings,
  'gasLimit' | 'baseFeePerGas' | 'excessBlobGas'
> {
  hardfork: Hardfork;
}

/** EIP-3860; 24,576 bytes of code (EIP-170) twice. */
const MAX_INIT_CODE = 49_152;

/**
 * The next block, without executing what waits for it. Its blob gas is not known.
 * @throws RpcError, ApiError
 */
export async function nextBlockOf(engine: RpcClient, hardfork: Hardfork): Promise<NextBlock> {
  const { environment } = (await engine.request('anvil_nodeInfo', [])) as {
    environment: { baseFee: string | number; gasLimit: string | number };
  };
  const { baseFee, gasLimit } = environment;
  return {
    hardfork,
    gasLimit: String(gasLimit),
    ...(isSince('london', hardfork) ? { baseFeePerGas: String(baseFee) } : {}),
  };
}

/**
 * Checks a transaction that is in the pool: the engine takes one that no block can hold, and then leaves it out without a word.
 * The first words of each reason are those of go-ethereum, which clients know.
 * @param isFirst no other transaction is executed before it, which could pay for it
 * @throws RpcError -32003
 */
export async function checkExecutable(
  engine: RpcClient,
  transaction: RpcTransaction,
  next: NextBlock,
  isFirst: boolean,
): Promise<void> {
  checkGas(transaction, next);
  checkForm(transaction, next.hardfork);
  checkFees(transaction, next);
  if (isFirst) await checkFunds(engine, transaction);
}

function checkGas(transaction: RpcTransaction, { gasLimit, hardfork }: NextBlock): void {
  const gas = BigInt(transaction.gas);
  if (gas > BigInt(gasLimit)) {
    throw rejected(`gas is ${gas}, above the block gas limit of ${BigInt(gasLimit)}`);
  }
  const { intrinsic = 0, floor = 0 } = intrinsicGas(transaction, hardfork) ?? {};
  if (gas < intrinsic) {
    throw rejected(`intrinsic gas too low: gas is ${gas}, the transaction needs ${intrinsic}`);
  }
  if (gas < floor) {
    throw rejected(
      `intrinsic gas too low: gas is ${gas}, below the floor of ${floor} that its data costs (EIP-7623)`,
    );
  }
}

function checkForm(
  { to, input, authorizationList, type = '0x0' }: RpcTransaction,
  hardfork: Hardfork,
): void {
  const bytes = (input.length - 2) / 2;
  if (to === null && bytes > MAX_INIT_CODE && isSince('shanghai', hardfork)) {
    throw rejected(
      `max initcode size exceeded: the init code has ${bytes} bytes, up to ${MAX_INIT_CODE} are allowed (EIP-3860)`,
    );
  }
  if (Number(type) !== 4) return;
  if (to === null) throw rejected('a transaction of type 4 (EIP-7702) cannot create a contract');
  if ((authorizationList ?? []).length === 0) {
    throw rejected('a transaction of type 4 (EIP-7702) needs at least one authorization');
  }
}

function checkFees(transaction: RpcTransaction, next: NextBlock): void {
  const { maxFeePerGas, maxPriorityFeePerGas = '0x0', gasPrice = '0x0' } = transaction;
  const price = BigInt(maxFeePerGas ?? gasPrice);
  const tip = BigInt(maxPriorityFeePerGas);
  if (maxFeePerGas !== undefined && tip > price) {
    throw rejected(
      `max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas is ${tip}, maxFeePerGas ${price}`,
    );
  }
  const baseFee = BigInt(next.baseFeePerGas ?? '0x0');
  if (price < baseFee) {
    throw rejected(
      `max fee per gas less than block base fee: max fee per gas is ${price}, the base fee ${baseFee}`,
    );
  }
  const { maxFeePerBlobGas } = transaction;
  if (maxFeePerBlobGas === undefined || next.excessBlobGas === undefined) return;
  const blobPrice = blobGasPrice(BigInt(next.excessBlobGas), next.hardfork);
  if (BigInt(maxFeePerBlobGas) >= blobPrice) return;
  throw rejected(
    `max fee per blob gas less than block blob gas fee: maxFeePerBlobGas is ${BigInt(maxFeePerBlobGas)}, the price ${blobPrice}`,
  );
}

async function checkFunds(engine: RpcClient, transaction: RpcTransaction): Promise<void> {
  const { from, value, gas, maxFeePerGas, gasPrice = '0x0' } = transaction;
  const cost = BigInt(value) + BigInt(gas) * BigInt(maxFeePerGas ?? gasPrice);
  const balance = BigInt((await engine.request('eth_getBalance', [from, 'latest'])) as string);
  if (balance >= cost) return;
  throw rejected(
    `insufficient funds for gas * price + value: ${from} has ${balance} wei and needs ${cost}; anvil_setBalance gives it more`,
  );
}

const isSince = (rules: Hardfork, hardfork: Hardfork): boolean =>
  HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf(rules);
