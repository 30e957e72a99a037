import type { Fork } from '../../server/api/fork';
import { forkRpc } from '../../server/client/fork-rpc';
import type { TestOutcome } from './report';
import type { SentRequest } from './recording-proxy';

type Refused = Extract<SentRequest, { kind: 'refused' }>;
type ForkAddress = Pick<Fork, 'rpc' | 'name'>;

/** What a test sent to the fork, in order. */
export interface SentByTest {
  /** Number of requests that are noted. */
  readonly total: number;
  /** Transactions that are in blocks of the fork. */
  readonly transactions: readonly { readonly hash: string; readonly isFailed: boolean }[];
  /** The last one that failed. */
  readonly failure: { readonly hash: string } | Refused | undefined;
  /** Transactions that are no longer there: the test went back before them. */
  readonly gone: number;
}

/** Newest transactions of a test whose receipts are read. */
const MOST_RECEIPTS = 200;

/** What of `sent` a test sent, by the time; nothing where other tests ran at the same time. */
export function sentDuring(
  { began, at }: Pick<TestOutcome, 'began' | 'at'>,
  sent: readonly SentRequest[],
): SentRequest[] {
  if (began === undefined) return [];
  return sent.filter((one) => one.at >= began && one.at <= at);
}

/** @throws ForkRpcError; ApiError `engineUnavailable` or `cancelled` */
export async function readSent(
  fork: ForkAddress,
  sent: readonly SentRequest[],
  signal: AbortSignal,
): Promise<SentByTest> {
  const transactions: { hash: string; isFailed: boolean }[] = [];
  let failure: SentByTest['failure'];
  let gone = 0;
  const first = Math.max(0, sent.length - MOST_RECEIPTS);
  for (const one of sent.slice(first)) {
    if (one.kind === 'refused') {
      failure = one;
      continue;
    }
    const { hash } = one;
    const receipt = await forkRpc(fork, 'eth_getTransactionReceipt', [hash], signal);
    if (receipt === null) {
      gone++;
      continue;
    }
    const isFailed = (receipt as { status?: unknown }).status === '0x0';
    transactions.push({ hash, isFailed });
    if (isFailed) failure = { hash };
  }
  return { total: sent.length, transactions, failure, gone };
}
