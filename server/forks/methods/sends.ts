import { invalidParams } from '../../ethereum/json-rpc';
import { LIMITS } from '../../limits';
import { readReceipt } from '../reads/receipts';
import type { ForkRead, RunningFork } from '../reads/running-fork';
import { withoutCellProofs } from './blob-sidecar';
import { methods, write, type Methods } from './fork-method';
import { checkSigned, checkUnsigned } from './method-parameters';

/** Each executes one transaction. */
export const SENDS: Methods = methods({
  eth_sendTransaction: write(sendOne('eth_sendTransaction')),
  eth_sendRawTransaction: write(sendOne('eth_sendRawTransaction')),
  eth_sendTransactionSync: write(sendAndRead('eth_sendTransaction')),
  eth_sendRawTransactionSync: write(sendAndRead('eth_sendRawTransaction')),
});

/** Each executes several, in order: all or none. */
export const BUNDLES: Methods = methods({
  eth_sendTransactions: write(sendBundle('eth_sendTransactions', 'eth_sendTransaction')),
  eth_sendRawTransactions: write(sendBundle('eth_sendRawTransactions', 'eth_sendRawTransaction')),
});

function sendOne(method: string): ForkRead {
  return async (fork, [transaction, ...rest]) => (await send(fork, method, [transaction], rest))[0];
}

/** Answers its receipt. */
function sendAndRead(method: string): ForkRead {
  return async (fork, [transaction]) => readReceipt(fork, await send(fork, method, [transaction]));
}

function sendBundle(name: string, method: string): ForkRead {
  return (fork, [transactions]) => {
    if (!Array.isArray(transactions) || transactions.length === 0) {
      throw invalidParams(`the parameter of ${name}`, transactions, 'an array of transactions');
    }
    if (transactions.length > LIMITS.bundle) {
      throw invalidParams(
        'the length of the bundle',
        transactions.length,
        `up to ${LIMITS.bundle}`,
      );
    }
    return send(fork, method, transactions);
  };
}

function send(
  { node, chainId, antiReplay }: RunningFork,
  method: string,
  transactions: readonly unknown[],
  rest: readonly unknown[] = [],
): Promise<string[]> {
  for (const transaction of transactions) {
    if (method === 'eth_sendRawTransaction') checkSigned(transaction, chainId, antiReplay);
    else checkUnsigned(transaction, chainId);
  }
  return node.send(
    transactions.map((transaction) => ({
      method,
      params: [withoutCellProofs(transaction), ...rest],
    })),
  );
}
