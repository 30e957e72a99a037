import type { Hardfork } from '../../api/config';
import { isSince } from '../../evm/forms/hardfork-order';
import { intrinsicGas } from '../../evm/rules/intrinsic-gas';
import { requestEach, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import type { RpcTransaction } from '../../evm/forms/types';
import { blobGasPrice } from '../../execution/prefix/engine-blob-price';
import type { NextBlock } from './next-block';
import type { OpStackFees } from './op-stack-fees';
import { dropFromPool, inBundle, rejected, type PoolStatus } from './transaction-pool';

/** Rules of the block that will contain the transactions. */
export interface BlockRules extends Pick<
  NextBlock,
  'gasLimit' | 'baseFeePerGas' | 'excessBlobGas'
> {
  hardfork: Hardfork;
  /** Most gas of a transaction; undefined: the block's limit alone. */
  maxGas: number | undefined;
}

/** EIP-3860: twice the 24,576 bytes of code (EIP-170). */
const MAX_INIT_CODE = 49_152;

/** Reads the rules of the next block without executing pooled transactions; see `nextBlockOf`. */
export const NODE_INFO: RpcCall = { method: 'anvil_nodeInfo', params: [] };

/** Rules of the next block, without its blob gas. @param info answer to `NODE_INFO` */
export function nextBlockOf(
  info: unknown,
  { hardfork, maxGas }: Pick<BlockRules, 'hardfork' | 'maxGas'>,
): BlockRules {
  const { environment } = info as {
    environment: { baseFee: string | number; gasLimit: string | number };
  };
  const { baseFee, gasLimit } = environment;
  return {
    hardfork,
    maxGas,
    gasLimit: String(gasLimit),
    ...(isSince(hardfork, 'london') ? { baseFeePerGas: String(baseFee) } : {}),
  };
}

/** Transactions in the pool that a block can contain. */
export interface Executable {
  /** Whether the next block would contain any; transactions that wait for an earlier nonce do not count. */
  isReady: boolean;
  /** In the order of their hashes; null if the pool lacks the transaction. */
  transactions: readonly (RpcTransaction | null)[];
}

/**
 * Checks transactions in the pool: the engine accepts those that no block can contain, and then silently omits them.
 * @param from sender of the first one, if known
 * @throws RpcError -32003 for the first that no block can contain; all are removed from the pool then
 */
export async function requireExecutable(
  engine: RpcClient,
  hashes: readonly string[],
  {
    rules,
    fees,
    from,
    sent,
  }: {
    rules: BlockRules;
    fees: OpStackFees | undefined;
    from: unknown;
    sent?: SingleSend | undefined;
  },
): Promise<Executable> {
  const { isReady, transactions, balance } = sent ?? (await readSent(engine, hashes, from));
  for (const [index, transaction] of transactions.entries()) {
    try {
      if (!transaction) continue;
      checkForBlock(transaction, rules);
      // Later ones may receive funds from the first one.
      if (index > 0) continue;
      const owned = balance ?? (await balanceOf(engine, transaction));
      checkFunds(transaction, owned, await fees?.inAdvance(transaction));
    } catch (error) {
      await dropFromPool(engine, hashes);
      throw inBundle(error, index, hashes.length);
    }
  }
  return { isReady, transactions };
}

/** Transactions in the pool, with the balance of the first sender if it is known. */
type SingleSend = Executable & { balance: string | undefined };

async function readSent(
  engine: RpcClient,
  hashes: readonly string[],
  from: unknown,
): Promise<SingleSend> {
  const answers = await requestEach(engine, [
    { method: 'txpool_status', params: [] },
    ...hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
    ...(typeof from === 'string' ? [balanceCall(from)] : []),
  ]);
  const [status, ...others] = answers as [PoolStatus, ...unknown[]];
  const [balance] = others.splice(hashes.length) as (string | undefined)[];
  const transactions = others as (RpcTransaction | null)[];
  return { isReady: BigInt(status.pending) > 0n, transactions, balance };
}

/** Calls whose answers `sentAlone` reads. They follow the send in the same request. */
export const sentAloneCalls = (from: string): RpcCall[] => [
  { method: 'txpool_status', params: [] },
  // The content may list a transaction that waits for a nonce as pending; the status does not.
  { method: 'txpool_content', params: [] },
  balanceCall(from),
];

/**
 * @param answers to `sentAloneCalls`
 * @returns undefined if the pool was read before the transaction was in it, or if the transaction waits for a nonce
 */
export function readSingleSend(answers: readonly unknown[]): SingleSend | undefined {
  if (answers.length === 0) return undefined;
  const [status, content, balance] = answers as [PoolStatus, PoolContent, string];
  const pending = Object.values(content.pending).flatMap((byNonce) => Object.values(byNonce));
  const isAlone = Number(status.pending) === 1 && pending.length === 1;
  return isAlone ? { isReady: true, transactions: pending, balance } : undefined;
}

/** Answer to `txpool_content`: transactions by sender and nonce. */
interface PoolContent {
  pending: Readonly<Record<string, Readonly<Record<string, RpcTransaction>>>>;
}

const balanceCall = (address: string): RpcCall => ({
  method: 'eth_getBalance',
  params: [address, 'latest'],
});

async function balanceOf(engine: RpcClient, { from }: RpcTransaction): Promise<string> {
  const { method, params } = balanceCall(from);
  return (await engine.request(method, params)) as string;
}

/** The reasons begin with go-ethereum's messages, which clients recognize. */
function checkForBlock(transaction: RpcTransaction, rules: BlockRules): void {
  checkGas(transaction, rules);
  checkForm(transaction, rules.hardfork);
  checkFees(transaction, rules);
}

function checkGas(transaction: RpcTransaction, { gasLimit, hardfork, maxGas }: BlockRules): void {
  const gas = BigInt(transaction.gas);
  if (maxGas !== undefined && gas > maxGas) {
    throw rejected(
      `transaction gas limit too high: gas is ${gas}, a transaction may have up to ${maxGas} (EIP-7825)`,
    );
  }
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
  if (to === null && bytes > MAX_INIT_CODE && isSince(hardfork, 'shanghai')) {
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

function checkFees(transaction: RpcTransaction, next: BlockRules): void {
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

/** @param fees of the OP Stack, wei @throws RpcError */
export function checkFunds(transaction: RpcTransaction, balance: string, fees = 0n): void {
  const { from, value, gas, maxFeePerGas, gasPrice = '0x0' } = transaction;
  const cost = BigInt(value) + BigInt(gas) * BigInt(maxFeePerGas ?? gasPrice) + fees;
  const included = fees === 0n ? '' : `, ${fees} of it for the L1 data fee and the operator fee`;
  if (BigInt(balance) >= cost) return;
  throw rejected(
    `insufficient funds for gas * price + value: ${from} has ${BigInt(balance)} wei and needs ${cost}${included}; anvil_setBalance gives it more`,
  );
}
