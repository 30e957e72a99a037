import { invalidParams } from '../../evm/forms/json-rpc';
import { timedTransaction } from './transaction-times';
import type { ForkRead, RunningFork } from './running-fork';

type ByNonce = Readonly<Record<string, unknown>>;
/** Transactions by sender. */
type Content = Readonly<Record<'pending' | 'queued', Readonly<Record<string, ByNonce>>>>;

/** Reads of the transaction pool, which contains transactions only while automine is off, or before a missing nonce. */
export const POOL_READS: Readonly<Record<string, ForkRead>> = {
  txpool_content: readContent,
  txpool_contentFrom: async (fork, [address]) => {
    if (typeof address !== 'string' || !/^0x[0-9a-f]{40}$/i.test(address)) {
      throw invalidParams('the address', address, '0x and 40 hex digits');
    }
    const { pending, queued } = await readContent(fork);
    const of = (senders: Content['pending']): ByNonce =>
      Object.entries(senders).find(
        ([sender]) => sender.toLowerCase() === address.toLowerCase(),
      )?.[1] ?? {};
    return { pending: of(pending), queued: of(queued) };
  },
};

async function readContent(fork: RunningFork): Promise<Content> {
  const content = (await fork.engine.request('txpool_content', [])) as Content;
  const timed = async (senders: Content['pending']): Promise<Content['pending']> =>
    mapped(senders, (byNonce) => mapped(byNonce, (one) => timedTransaction(fork, one)));
  return { pending: await timed(content.pending), queued: await timed(content.queued) };
}

async function mapped<T, U>(
  record: Readonly<Record<string, T>>,
  change: (value: T) => Promise<U>,
): Promise<Record<string, U>> {
  const entries = Object.entries(record).map(async ([key, value]): Promise<[string, U]> => [
    key,
    await change(value),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}
