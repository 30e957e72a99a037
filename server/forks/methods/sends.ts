import { invalidParams } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';
import { callBundle } from '../simulations/call-bundle';
import { awaitReceipt } from '../reads/await-receipt';
import { readReceipt } from '../reads/receipts';
import type { ForkRead, RunningFork } from '../reads/running-fork';
import { firstAccount } from './accounts';
import { withoutCellProofs } from './blob-sidecar';
import { LaterResult, methods, read, write, type Methods } from './fork-method';
import { withLegacyPrice } from './legacy-price';
import { withFieldName } from './refused-fields';
import { checkSigned, checkUnsigned, wholeNumber } from './method-parameters';

/** Methods that execute one transaction. */
export const SENDS: Methods = methods({
  eth_sendTransaction: write(sendOne('eth_sendTransaction')),
  eth_sendRawTransaction: write(sendOne('eth_sendRawTransaction')),
  eth_sendTransactionSync: write(sendAndRead('eth_sendTransaction')),
  eth_sendRawTransactionSync: write(sendAndRead('eth_sendRawTransaction')),
});

/** Methods that execute several transactions in order: `send…` all or none, `call…` without sending any. */
export const BUNDLES: Methods = methods({
  eth_callBundle: read((fork, params) =>
    callBundle(fork, params, (raw) => {
      checkSigned(raw, fork.chainId, fork.antiReplay);
    }),
  ),
  eth_sendTransactions: write(sendBundle('eth_sendTransactions', 'eth_sendTransaction')),
  eth_sendRawTransactions: write(sendBundle('eth_sendRawTransactions', 'eth_sendRawTransaction')),
});

function sendOne(method: string): ForkRead {
  return async (fork, [transaction, ...rest]) => (await send(fork, method, [transaction], rest))[0];
}

/** Returns the receipt. The second parameter shortens the waiting time, in milliseconds (EIP-7966). */
function sendAndRead(method: string): ForkRead {
  return async (fork, [transaction, time]) => {
    const wait = Math.min(wholeNumber('the time-out', time) ?? Infinity, LIMITS.syncSendTime);
    const [hash = ''] = await send(fork, method, [transaction]);
    const receipt = await readReceipt(fork, [hash]);
    if (receipt !== null) return receipt;
    return new LaterResult((access) => awaitReceipt(access, fork.feed, hash, wait));
  };
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

async function send(
  fork: RunningFork,
  method: string,
  transactions: readonly unknown[],
  rest: readonly unknown[] = [],
): Promise<string[]> {
  const form = method === 'eth_sendRawTransaction' ? signed : withSender;
  const calls = await Promise.all(
    transactions.map(async (one) => ({ method, params: [await form(fork, one), ...rest] })),
  );
  return fork.writer.send(calls).catch((error: unknown) => {
    throw form === signed ? error : withFieldName(error, transactions);
  });
}

function signed({ chainId, antiReplay }: RunningFork, transaction: unknown): unknown {
  checkSigned(transaction, chainId, antiReplay);
  return withoutCellProofs(transaction);
}

async function withSender(fork: RunningFork, transaction: unknown): Promise<object> {
  const fields = await withLegacyPrice(fork, checkUnsigned(transaction, fork.chainId));
  return { ...fields, from: fields['from'] ?? firstAccount(fork) };
}
