import { concat, keccak256, Transaction } from 'ethers';
import { LIMITS } from '../../api/limits';
import type { Hex } from '../../api/primitives';
import { fieldsOf, isMissing, quantityOf, type Fields } from '../../evm/forms/fields';
import { invalidParams } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { blockNumberOf } from '../reads/block-numbers';
import type { RunningFork } from '../reads/running-fork';
import { makerBalances } from './maker-balances';
import { simulate } from './simulate';

/** What a signed transaction of a bundle must be. */
export type CheckSigned = (raw: unknown) => void;

interface CallResult {
  readonly status: string;
  readonly gasUsed: string;
  readonly returnData: string;
  readonly error?: { readonly message: string; readonly data?: string };
}

/**
 * `eth_callBundle` in the format that Flashbots documents: signed transactions in one block on a state, none of which is sent. Amounts are in
 * wei, plain decimal; a transaction that fails is reported and does not end the bundle.
 * @throws RpcError -32602; those of `eth_simulateV1` for transactions that no block could contain
 */
export async function callBundle(
  fork: RunningFork,
  [given]: readonly unknown[],
  check: CheckSigned,
): Promise<unknown> {
  const fields = fieldsOf('the parameter of eth_callBundle', given);
  const transactions = transactionsOf(fields['txs'], check);
  const block = fields['stateBlockNumber'] ?? 'latest';
  const state = await blockNumberOf(fork, block);
  if (isMissing(fields['blockNumber'])) {
    throw invalidParams('blockNumber', fields['blockNumber'], 'the number of a block');
  }
  const number = quantityOf('blockNumber', fields['blockNumber']);
  if (state !== undefined && number <= BigInt(state)) {
    throw invalidParams('blockNumber', fields['blockNumber'], `a number above ${state}`);
  }
  const made = {
    blockOverrides: { number: toQuantity(number), ...(await overridesOf(fork, fields, block)) },
    calls: transactions.map(callOf),
  };
  const payload = { blockStateCalls: [made], validation: true };
  const blocks = (await simulate(fork, [payload, block])) as Fields[];
  const simulated = blocks.at(-1) ?? {};
  const balances = await makerBalances(fork, made, simulated, block);
  return answerOf(transactions, simulated, balances, state ?? 0);
}

function transactionsOf(txs: unknown, check: CheckSigned): Transaction[] {
  if (!Array.isArray(txs) || txs.length === 0) {
    throw invalidParams('txs', txs, 'an array of signed transactions');
  }
  if (txs.length > LIMITS.bundle) {
    throw invalidParams('the length of txs', txs.length, `up to ${LIMITS.bundle}`);
  }
  return txs.map((raw: unknown) => {
    check(raw);
    const transaction = Transaction.from(raw as string);
    if (transaction.from === null) {
      throw invalidParams('the transaction', raw, 'a signed transaction as hex');
    }
    return transaction;
  });
}

/** Fields of the block, as mev-geth accepts them. The fees go to the one who made the state's block. */
async function overridesOf(
  { engine }: RunningFork,
  { timestamp, coinbase, gasLimit, baseFee }: Fields,
  block: unknown,
): Promise<Fields> {
  const at = block === 'pending' ? 'latest' : block;
  const base = (await engine.request('eth_getBlockByNumber', [at, false])) as Fields | null;
  const feeRecipient = coinbase ?? base?.['miner'];
  const quantities = Object.entries({ time: timestamp, gasLimit, baseFeePerGas: baseFee });
  return {
    ...(isMissing(feeRecipient) ? {} : { feeRecipient }),
    ...Object.fromEntries(
      quantities
        .filter(([, value]) => !isMissing(value))
        .map(([name, value]) => [name, toQuantity(wholeOf(name, value))]),
    ),
  };
}

/** Flashbots writes times as numbers. */
const wholeOf = (name: string, value: unknown): bigint =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? BigInt(value)
    : quantityOf(name, value);

/** The transaction as a call of `eth_simulateV1`. */
function callOf(transaction: Transaction): Fields {
  const { type, from, to, nonce, gasLimit, value, data, accessList } = transaction;
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, authorizationList } = transaction;
  const { blobVersionedHashes, maxFeePerBlobGas } = transaction;
  const isPriced = type === 0 || type === 1;
  return {
    from,
    ...(to === null ? {} : { to }),
    nonce: toQuantity(BigInt(nonce)),
    gas: toQuantity(gasLimit),
    value: toQuantity(value),
    input: data,
    ...(isPriced
      ? { gasPrice: toQuantity(gasPrice ?? 0n) }
      : {
          maxFeePerGas: toQuantity(maxFeePerGas ?? 0n),
          maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas ?? 0n),
        }),
    ...(type === 0 ? {} : { accessList }),
    ...(type === 3
      ? { blobVersionedHashes, maxFeePerBlobGas: toQuantity(maxFeePerBlobGas ?? 0n) }
      : {}),
    ...(type === 4
      ? {
          authorizationList: (authorizationList ?? []).map((one) => ({
            chainId: toQuantity(one.chainId),
            address: one.address,
            nonce: toQuantity(one.nonce),
            yParity: toQuantity(BigInt(one.signature.yParity)),
            r: toQuantity(BigInt(one.signature.r)),
            s: toQuantity(BigInt(one.signature.s)),
          })),
        }
      : {}),
  };
}

/** What the maker of the block gets for a gas, beyond the base fee that is burned (EIP-1559). */
function tipOf(transaction: Transaction, baseFee: bigint): bigint {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const most = (maxFeePerGas ?? gasPrice ?? 0n) - baseFee;
  const tip = maxPriorityFeePerGas ?? most;
  return tip < most ? tip : most;
}

/** @param balances of the maker of the block, before the first transaction and after each one */
function answerOf(
  transactions: readonly Transaction[],
  block: Fields,
  balances: readonly bigint[],
  state: number,
): Fields {
  const { baseFeePerGas = '0x0' } = block;
  const baseFee = BigInt(baseFeePerGas as string);
  const calls = block['calls'] as readonly CallResult[];
  const results = transactions.map((transaction, index) => {
    const got = (balances[index + 1] ?? 0n) - (balances[index] ?? 0n);
    return resultOf(transaction, calls[index], got, baseFee);
  });
  const total = (of: (one: (typeof results)[number]) => bigint): bigint =>
    results.reduce((sum, one) => sum + of(one), 0n);
  const [gasUsed, sent, fees] = [
    total((one) => one.gas),
    total((one) => one.sent),
    total((one) => one.fees),
  ];
  return {
    bundleGasPrice: perGas(sent + fees, gasUsed),
    bundleHash: keccak256(concat(transactions.map(({ hash }) => hash as Hex))),
    coinbaseDiff: String(sent + fees),
    ethSentToCoinbase: String(sent),
    gasFees: String(fees),
    results: results.map(({ answer }) => answer),
    stateBlockNumber: state,
    totalGasUsed: Number(gasUsed),
  };
}

const perGas = (amount: bigint, gas: bigint): string => String(gas === 0n ? 0n : amount / gas);

function resultOf(
  transaction: Transaction,
  call: CallResult | undefined,
  got: bigint,
  baseFee: bigint,
): { gas: bigint; sent: bigint; fees: bigint; answer: Fields } {
  const { status = '0x0', gasUsed = '0x0', returnData = '0x', error } = call ?? {};
  const gas = BigInt(gasUsed);
  const fees = gas * tipOf(transaction, baseFee);
  const sent = got - fees;
  const reason = error?.message.replace(/^execution reverted: /, '');
  const outcome: Fields =
    BigInt(status) === 1n
      ? { value: returnData }
      : {
          error: error?.data === undefined ? (error?.message ?? '') : 'execution reverted',
          ...(reason !== undefined && reason !== error?.message ? { revert: reason } : {}),
        };
  return {
    gas,
    sent,
    fees,
    answer: {
      txHash: transaction.hash,
      fromAddress: transaction.from,
      toAddress: transaction.to ?? '0x',
      gasUsed: Number(gas),
      gasPrice: perGas(sent + fees, gas),
      gasFees: String(fees),
      ethSentToCoinbase: String(sent),
      coinbaseDiff: String(sent + fees),
      ...outcome,
    },
  };
}
