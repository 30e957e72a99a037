import { ApiError } from '../api/errors';
import { EngineUnanswered } from '../ethereum/engine-unanswered';
import { RpcError, type RpcCall } from '../ethereum/json-rpc';
import type { OpenFork } from '../forks/forks';
import type { ForkMethod } from '../forks/methods/fork-method';
import { forkMethod } from '../forks/methods/fork-methods';
import type { RunningFork } from '../forks/reads/running-fork';
import { ChangeUndone } from '../forks/writes/change-undone';
import { hasEnded } from './engine-end';
import {
  errorAnswer,
  idOf,
  parseRequest,
  resultAnswer,
  RPC_CODES,
  type RpcAnswer,
  type RpcRequest,
} from './rpc-message';

const MAX_BATCH = 1_000;

/** Told of errors that only the log may show. */
export type OnInternal = (error: unknown) => void;

/** @throws ApiError forkNotFound where the fork is deleted meanwhile */
async function run(fork: OpenFork, method: ForkMethod): Promise<unknown> {
  try {
    return await runOnEngine(fork, method);
  } catch (error) {
    // Its engine ended with it.
    fork.deleted.throwIfAborted();
    throw error;
  }
}

type Attempt = { result: unknown } | { error: unknown; repeatable: boolean };

async function runOnEngine(fork: OpenFork, method: ForkMethod): Promise<unknown> {
  const first = await fork.use<Attempt>(async (awake) => {
    try {
      return { result: await carryOut(awake, method) };
    } catch (error) {
      if (error instanceof ChangeUndone && error.isRepeatable) return { error, repeatable: true };
      if (!(error instanceof EngineUnanswered) || !(await hasEnded(awake.process))) throw error;
      return { error, repeatable: method.kind !== 'write' };
    }
  });
  if ('result' in first) return first.result;
  // The engine ended. The next one repeats what only reads, and a change that is not in the journal; of others nobody knows how far they came.
  return fork.use((awake) => {
    if (first.repeatable) return carryOut(awake, method);
    throw new ApiError(
      'engineUnavailable',
      "the fork's engine ended before it answered; look whether the change was made, and ask again",
      { cause: first.error },
    );
  });
}

async function carryOut(awake: RunningFork, method: ForkMethod): Promise<unknown> {
  switch (method.kind) {
    case 'known':
      return method.result(awake);
    case 'pass': {
      const { call, replayed } = method;
      return replayed && awake.replayed
        ? replayed(awake, awake.replayed, call.params)
        : awake.engine.request(call.method, call.params);
    }
    case 'read':
    case 'write':
      return method.run(awake);
  }
}

/** Carries out one call. @returns undefined for a notification */
export async function answerCall(
  fork: OpenFork,
  message: unknown,
  onInternal: OnInternal,
): Promise<RpcAnswer | undefined> {
  let id: RpcRequest['id'] = idOf(message);
  try {
    const request = parseRequest(message);
    id = request.id;
    const result = await run(fork, forkMethod(request));
    return id === undefined ? undefined : resultAnswer(id, result);
  } catch (error) {
    return id === undefined ? undefined : errorAnswer(id, error, onInternal);
  }
}

/** Reads side by side, but each change in its place: what follows it sees it done. */
export async function answerBatch(
  fork: OpenFork,
  messages: readonly unknown[],
  onInternal: OnInternal,
): Promise<RpcAnswer | RpcAnswer[] | undefined> {
  if (messages.length === 0 || messages.length > MAX_BATCH) {
    const reason = `the batch has ${messages.length} requests; accepted: 1 to ${MAX_BATCH}`;
    return errorAnswer(null, new RpcError(RPC_CODES.invalidRequest, reason));
  }
  const answers: Promise<RpcAnswer | undefined>[] = [];
  for (const message of messages) {
    const changes = isChange(message);
    if (changes) await Promise.all(answers);
    const answer = answerCall(fork, message, onInternal);
    answers.push(answer);
    if (changes) await answer;
  }
  const sent = (await Promise.all(answers)).filter((answer) => answer !== undefined);
  return sent.length === 0 ? undefined : sent;
}

function isChange(message: unknown): boolean {
  try {
    return forkMethod(parseRequest(message)).kind === 'write';
  } catch {
    return false;
  }
}

/** The call can go to the engine as it was received. */
export function isPlain(fork: OpenFork, call: RpcCall): boolean {
  const method = forkMethod(call);
  return (
    method.kind === 'pass' &&
    !(fork.isInside && method.replayed) &&
    method.call.method === call.method &&
    method.call.params === call.params
  );
}
