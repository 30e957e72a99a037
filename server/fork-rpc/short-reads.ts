import { ApiError } from '../api/errors';
import type { AnswerReader, Engine } from '../ethereum/engine';
import { answerText, parseJson, resultAnswer } from '../ethereum/rpc-message';
import type { OpenFork } from '../forks/forks';
import { ConnectionTurns } from './connection-turns';
import { checkAnswer } from './engine-pipe';
import {
  answerCall,
  plainCall,
  resultNow,
  understoodCall,
  type OnInternal,
  type PlainCall,
} from './fork-call';

/** Longest answer, in bytes or characters. */
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
): string | Promise<string | undefined> | undefined {
  try {
    const message = parseJson(text);
    const understood = understoodCall(message);
    if (!understood || understood.method.kind === 'write') return undefined;
    if (fork.now(isAwake) === undefined || !isAllowed()) return undefined;
    const result = resultNow(fork, understood);
    if (result !== undefined) return answerText(resultAnswer(understood.request.id, result));
    const plain = plainCall(fork, understood);
    const answer = plain ? passed(fork, plain, text) : executed(fork, message, onInternal);
    return answer.catch(() => undefined);
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

function passed(
  fork: OpenFork,
  { call, check }: PlainCall,
  text: string,
): Promise<string | undefined> {
  return fork.use(async (awake) => {
    await check?.(awake);
    const { process } = awake;
    return process.inTurn(call, (onAnswer, keep) => shortAnswer(process, text, onAnswer, keep));
  });
}

/** Rejects if the engine does not answer, or with an error that clients do not know. */
function shortAnswer(
  engine: Engine,
  text: string,
  onAnswer: () => void,
  keep: ((result: unknown) => void) | undefined,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const reader: AnswerReader = {
      onStart: onAnswer,
      onPiece: (piece) => {
        length += piece.length;
        if (length <= MAX_LENGTH) pieces.push(piece);
      },
      onEnd: () => {
        if (length > MAX_LENGTH) {
          resolve(undefined);
          return;
        }
        const [first] = pieces;
        const body = pieces.length === 1 && first ? first : Buffer.concat(pieces);
        const failure = checkAnswer(body, keep, engine.chain);
        if (failure) reject(failure);
        else resolve(body.toString());
      },
      onError: reject,
    };
    engine.send(text, reader);
  });
}
