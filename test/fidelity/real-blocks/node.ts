import { Transaction } from 'ethers';
import type { Address, Hash, Hex } from '../../../server/api/primitives';
import { toQuantity, toWord } from '../../../server/evm/forms/quantity';
import { StateMissing } from '../../support/state-trie';
import { MethodMissing, type AnswerCall } from '../node-server';
import { debugAnswer, type TracerOptions } from '../reference/debug-answers';
import {
  blockAnswer,
  logAnswers,
  receiptAnswer,
  transactionAnswer,
  type AnsweredBlock,
  type AnsweredTransaction,
} from '../reference/node-answers';
import type { RealBlock, RealExecuted } from './real-block';

/** Answers as the archive node of a chain whose newest block this is. It knows the block and its parent. */
export function answersOf(real: RealBlock, debug: boolean): AnswerCall {
  const { block, hash } = real.answered;
  const number = toQuantity(block.header.number);
  const parentNumber = toQuantity(block.header.number - 1n);
  const parentHash = real.parentHeader['hash'];
  const transactions = real.transactions.map(asAnswered);
  const answered: AnsweredBlock = { block, hash, transactions };

  const transactionOf = (one: RealExecuted): object =>
    one.deposit ? depositAnswer(one, answered) : transactionAnswer(asAnswered(one), answered);
  const receiptOf = (one: RealExecuted): object => ({
    ...(one.deposit ? depositReceipt(one, answered) : receiptAnswer(asAnswered(one), answered)),
    ...one.receiptFields,
  });
  const blockOf = (at: string, full: boolean): object | null => {
    if (at === parentNumber || at === parentHash) return real.parentHeader;
    if (at.startsWith('0x') && at !== number && at !== hash) return null;
    const listed = real.transactions.map((one) =>
      full ? transactionOf(one) : one.transaction.hash,
    );
    return { ...blockAnswer(answered, false), transactions: listed };
  };
  const find = (wanted: string): RealExecuted | undefined =>
    real.transactions.find(({ transaction }) => transaction.hash === wanted);

  return (method, params) => {
    const [first, second, third] = params as [string, unknown, unknown];
    switch (method) {
      case 'eth_chainId':
        return toQuantity(real.chainId);
      case 'net_version':
        return String(real.chainId);
      case 'web3_clientVersion':
        return 'reference/1';
      case 'eth_blockNumber':
        return number;
      case 'eth_getBlockByNumber':
      case 'eth_getBlockByHash':
        return blockOf(first, second === true);
      case 'eth_getBlockReceipts':
        return blockOf(first, false) === real.parentHeader ? [] : real.transactions.map(receiptOf);
      case 'eth_getTransactionByHash': {
        const found = find(first);
        return found ? transactionOf(found) : null;
      }
      case 'eth_getTransactionReceipt': {
        const found = find(first);
        return found ? receiptOf(found) : null;
      }
      case 'eth_getBalance':
      case 'eth_getTransactionCount':
      case 'eth_getCode':
      case 'eth_getStorageAt': {
        const isSlot = method === 'eth_getStorageAt';
        const at = tagOf(isSlot ? third : second);
        const isParent = at === parentNumber || at === parentHash;
        const slot = isSlot ? toWord(BigInt(second as Hex)) : undefined;
        if (!isParent && !blockOf(at, false)) throw new Error('header not found');
        try {
          return stateAnswer(real, isParent, method, first.toLowerCase() as Address, slot);
        } catch (error) {
          if (!(error instanceof StateMissing)) throw error;
          // The block does not read it, but the service may, such as system contracts on a fork.
          return EMPTY[method];
        }
      }
      case 'debug_traceTransaction': {
        const found = debug ? find(first) : undefined;
        if (found) return debugAnswer(found, second as TracerOptions);
      }
    }
    throw new MethodMissing(method);
  };
}

const EMPTY: Readonly<Record<string, Hex>> = {
  eth_getBalance: '0x0',
  eth_getTransactionCount: '0x0',
  eth_getCode: '0x',
  eth_getStorageAt: toWord(0),
};

/** The answers about a deposit are made from its own fields. */
const asAnswered = (one: RealExecuted): AnsweredTransaction => ({
  ...one,
  transaction: one.signed ?? new Transaction(),
});

/** EIP-1898: a number, a tag, or an object with a hash or a number. */
function tagOf(block: unknown): string {
  if (typeof block !== 'object' || block === null) return (block as string | undefined) ?? 'latest';
  const { blockHash, blockNumber } = block as { blockHash?: string; blockNumber?: string };
  return blockHash ?? blockNumber ?? 'latest';
}

function stateAnswer(
  { state, parent, transactions }: RealBlock,
  isParent: boolean,
  method: string,
  address: Address,
  slot: Hash | undefined,
): Hex {
  const isTouched = state.has(address) || transactions[0]!.before.has(address);
  const account = isParent || !isTouched ? undefined : state.get(address);
  const isGone = !isParent && isTouched && account === undefined;
  switch (method) {
    case 'eth_getBalance':
      return toQuantity(isGone ? 0n : (account?.balance ?? parent.balance(address)));
    case 'eth_getTransactionCount':
      return toQuantity(isGone ? 0 : (account?.nonce ?? parent.nonce(address)));
    case 'eth_getCode':
      return isGone ? '0x' : (account?.code ?? parent.code(address));
    default: {
      if (slot === undefined) return toWord(0);
      const known = transactions[0]!.before.get(address)?.storage.has(slot) === true;
      const value = account?.storage.get(slot);
      if (value !== undefined || isGone || (account && known)) return value ?? toWord(0);
      return parent.slot(address, slot);
    }
  }
}

const place = ({ index }: RealExecuted, { block, hash }: AnsweredBlock): object => ({
  blockHash: hash,
  blockNumber: toQuantity(block.header.number),
  transactionIndex: toQuantity(index),
});

function depositAnswer(executed: RealExecuted, answered: AnsweredBlock): object {
  const { sourceHash, from, to, mint, value, gas, input, nonce } = executed.deposit!;
  return {
    ...place(executed, answered),
    hash: executed.transaction.hash,
    type: '0x7e',
    sourceHash,
    from,
    to,
    ...(mint === 0n ? {} : { mint: toQuantity(mint) }),
    value: toQuantity(value),
    gas: toQuantity(gas),
    gasPrice: '0x0',
    input,
    nonce: toQuantity(nonce),
    depositReceiptVersion: '0x1',
    v: '0x0',
    r: '0x0',
    s: '0x0',
  };
}

function depositReceipt(executed: RealExecuted, answered: AnsweredBlock): object {
  const { from, to } = executed.deposit!;
  return {
    ...place(executed, answered),
    transactionHash: executed.transaction.hash,
    type: '0x7e',
    status: executed.status ? '0x1' : '0x0',
    from,
    to,
    contractAddress: executed.created,
    gasUsed: toQuantity(executed.gasUsed),
    cumulativeGasUsed: toQuantity(executed.cumulativeGasUsed),
    effectiveGasPrice: '0x0',
    logsBloom: `0x${'0'.repeat(512)}`,
    logs: logAnswers(asAnswered(executed), answered).map((log) => ({
      ...log,
      transactionHash: executed.transaction.hash,
    })),
  };
}
