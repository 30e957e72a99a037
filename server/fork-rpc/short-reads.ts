import { ApiError } from '../api/errors';
import { answerText, parseJson, resultAnswer } from '../ethereum/rpc-message';
import type { OpenFork } from '../forks/forks';
import { ConnectionTurns } from './connection-turns';
import { answerCall, resultNow, understoodCall, type OnInternal } from './fork-call';

/** A read that another node has passed on. */
export interface ShortRead {
  /** Of the fork's address. */
  secret: string;
  /** The JSON-RPC request. */
  text: string;
  /** Address of the client. */
  client: string | undefined;
}

/** @returns the answer; undefined if the read must come as a request: nothing was changed */
export type AnswerShort = (read: ShortRead) => string | Promise<string | undefined> | undefined;

/** Longest answer, in characters. */
const MAX_LENGTH = 64 * 1024;

/** Reads whose answers are short, as a rule. */
const NAMES = [
  ...['accounts', 'blockNumber', 'call', 'chainId', 'estimateGas', 'feeHistory', 'gasPrice'],
  ...['getBalance', 'getBlockByHash', 'getBlockByNumber', 'getCode', 'getStorageAt'],
  ...['getTransactionByHash', 'getTransactionCount', 'getTransactionReceipt'],
  'maxPriorityFeePerGas',
];
const SHORT = new RegExp(`^\\s*\\{[^]*"method"\\s*:\\s*"(eth_(${NAMES.join('|')})|net_version)"`);

/** Whether a request is probably a read with a short answer. A wrong guess costs time only: `answerShortRead` decides. */
export const mayBeShortRead = (text: string): boolean => SHORT.test(text);

/**
 * Executes a read of a fork that runs already. Does not wake it.
 * @param text a JSON-RPC request
 * @param isAllowed counts the call. @param onInternal receives errors that only the log may show
 * @returns the answer, the same as over HTTP; undefined for changes, batches, notifications, long answers, and reads that the fork refuses:
 * nothing was changed
 */
export function answerShortRead(
  fork: OpenFork,
  text: string,
  { isAllowed, onInternal }: { isAllowed: () => boolean; onInternal: OnInternal },
): ReturnType<AnswerShort> {
  try {
    const message = parseJson(text);
    const understood = understoodCall(message);
    if (!understood || understood.method.kind === 'write') return undefined;
    if (fork.now(isAwake) === undefined || !isAllowed()) return undefined;
    const result = resultNow(fork, understood);
    if (result !== undefined) return answerText(resultAnswer(understood.request.id, result));
    return executed(fork, message, onInternal).catch(() => undefined);
  } catch {
    return undefined;
  }
}

const isAwake = (): true => true;

async function executed(
  fork: OpenFork,
  message: unknown,
  onInternal: OnInternal,
): Promise<string | undefined> {
  let isRefused = false as boolean; // changed by `use`
  const watched: OpenFork = {
    ...fork,
    use: (task) =>
      fork.use(task).catch((error: unknown) => {
        isRefused ||= error instanceof ApiError;
        throw error;
      }),
  };
  const caller = { fork: watched, flow: { turns: new ConnectionTurns() }, onInternal };
  const answer = await answerCall(caller, message);
  if (isRefused || !answer) return undefined;
  const text = answerText(answer);
  return text.length > MAX_LENGTH ? undefined : text;
}
