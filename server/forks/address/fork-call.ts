import { ApiError, changeUnanswered } from '../../api/errors';
import { EngineEndedError } from '../../evm/forms/engine-ended-error';
import { RpcError, type RpcCall } from '../../evm/forms/json-rpc';
import type { OpenFork } from '../life/forks';
import { LaterResult, type Check, type ForkMethod } from '../methods/fork-method';
import { forkMethod } from '../methods/fork-methods';
import { isLostState } from '../reads/lost-state';
import type { RunningFork } from '../reads/running-fork';
import { ChangeUndoneError } from '../writes/change-undone-error';
import { NO_BYTES, type ReservedBytes } from './byte-budget';
import { hasEnded, requireMemory } from './engine-end';
import { ExactId } from '../../evm/forms/exact-ids';
import type { CallFlow } from './fork-budgets';
import {
  answerText,
  errorAnswer,
  idOf,
  parseRequest,
  resultAnswer,
  type RpcAnswer,
  type RpcId,
  type RpcRequest,
} from '../../evm/forms/rpc-message';

/** Receives errors that only the log may show. */
export type OnInternal = (error: unknown) => void;

/** A client of a fork, on one connection. */
export interface Caller {
  fork: OpenFork;
  flow: CallFlow;
  onInternal: OnInternal;
}

/** What the execution of one call needs of its caller. */
type Calling = Omit<Caller, 'flow'> & { flow: Pick<CallFlow, 'turns'> };

/** Methods that the engine executes one at a time, like changes: reads of older state hold a lock. */
const ONE_AT_A_TIME = /^(debug|ots|trace)_/;

/** @throws ApiError forkNotFound if the fork is deleted during the call */
async function run({ fork, flow }: Calling, { method: name, params }: RpcCall): Promise<unknown> {
  const method = forkMethod({ method: name, params });
  const isSerial = method.kind === 'write' || ONE_AT_A_TIME.test(name);
  try {
    const result = await flow.turns.run(isSerial, () => runOnEngine(fork, method));
    return result instanceof LaterResult ? await result.settle(fork) : result;
  } catch (error) {
    // The engine ended because the fork was deleted.
    fork.deleted.throwIfAborted();
    throw error;
  }
}

type Attempt = { result: unknown } | { error: unknown; repeatable: boolean };

async function runOnEngine(fork: OpenFork, method: ForkMethod): Promise<unknown> {
  const first = await fork.use<Attempt>(async (awake) => {
    try {
      return { result: await execute(awake, method) };
    } catch (error) {
      if (error instanceof ChangeUndoneError && error.isRepeatable)
        return { error, repeatable: true };
      if (isLostState(awake, error)) {
        await awake.process.stop();
        return { error, repeatable: true };
      }
      if (!(error instanceof EngineEndedError) || !(await hasEnded(awake.process))) throw error;
      await requireMemory(awake.process);
      return { error, repeatable: method.kind !== 'write' };
    }
  });
  if ('result' in first) return first.result;
  // The engine ended. The next engine repeats reads, and changes that are not in the journal. For other changes it is unknown whether they
  // were made.
  return fork.use((awake) => {
    if (first.repeatable) return execute(awake, method);
    throw changeUnanswered({ cause: first.error });
  });
}

async function execute(awake: RunningFork, method: ForkMethod): Promise<unknown> {
  switch (method.kind) {
    case 'known':
      return method.result(awake);
    case 'pass': {
      const { call, replayed } = method;
      await method.check?.(awake);
      return replayed && awake.replayed
        ? replayed(awake, awake.replayed, call.params)
        : awake.engine.request(call.method, call.params);
    }
    case 'read':
    case 'write':
      return method.run(awake);
  }
}

/** Executes one call. @returns undefined for a notification */
async function answerCall(caller: Calling, message: unknown): Promise<RpcAnswer | undefined> {
  let id: RpcRequest['id'] = idOf(message);
  try {
    const request = parseRequest(message);
    id = request.id;
    const result = await run(caller, request);
    return id === undefined ? undefined : resultAnswer(id, result);
  } catch (error) {
    return id === undefined ? undefined : errorAnswer(id, error, caller.onInternal);
  }
}

/** The answer as text, and the bytes that it reserves until it is sent. */
export interface AnswerText {
  /** Undefined for a notification. */
  text: string | undefined;
  reserved: ReservedBytes;
}

/**
 * Begins one call as soon as there is room for its answer. The caller releases the reserved bytes when the answer is sent.
 * @returns when the call has begun
 */
export async function beginCall(
  caller: Caller,
  message: unknown,
): Promise<{ answer: Promise<AnswerText> }> {
  const { flow, onInternal } = caller;
  let reserved: ReservedBytes;
  try {
    reserved = await flow.begin(methodOf(message));
  } catch (error) {
    const text = answerText(errorAnswer(idOf(message), error, onInternal));
    return { answer: Promise.resolve({ text, reserved: NO_BYTES }) };
  }
  const answer = answerCall(caller, message).then((value) => {
    const text = value && answerText(value);
    reserved.resize(text?.length ?? 0);
    return { text, reserved };
  });
  return { answer };
}

const methodOf = (message: unknown): string =>
  String((message as { method?: unknown } | null | undefined)?.method);

/** Whether a message requests a change. */
export function isChange(message: unknown): boolean {
  try {
    return forkMethod(parseRequest(message)).kind === 'write';
  } catch (error) {
    requireRefusal(error);
    return false;
  }
}

/** A request, and how the fork executes it. */
export interface UnderstoodCall {
  request: RpcRequest & { id: RpcId };
  method: ForkMethod;
}

/** @returns undefined for notifications, and for malformed or refused messages: `beginCall` reports their errors */
export function understoodCall(message: unknown): UnderstoodCall | undefined {
  try {
    const { id, ...call } = parseRequest(message);
    return id === undefined ? undefined : { request: { id, ...call }, method: forkMethod(call) };
  } catch (error) {
    requireRefusal(error);
    return undefined;
  }
}

/** @throws the error, unless it refuses a message: anything else is a mistake of ours */
function requireRefusal(error: unknown): void {
  if (!(error instanceof RpcError) && !(error instanceof ApiError)) throw error;
}

/**
 * The result of a call that a running fork can answer at once, without its engine.
 * @returns undefined for any other call, and for one that fails
 */
export function resultNow(fork: OpenFork, { method }: UnderstoodCall): unknown {
  if (method.kind !== 'known' && !isPlain(fork, method)) return undefined;
  return fork.now((awake) => {
    if (method.kind === 'pass') return method.check ? undefined : awake.process.kept(method.call);
    try {
      return method.result(awake);
    } catch {
      return undefined; // it is executed again as any other call, which reports the error
    }
  });
}

/** A call that can be sent to the engine as it was received. */
export interface PlainCall {
  call: RpcCall;
  check?: Check;
}

/** @returns undefined for a call that is not plain */
export function plainCall(
  fork: OpenFork,
  { request, method }: UnderstoodCall,
): PlainCall | undefined {
  if (!isPlain(fork, method) || request.id instanceof ExactId) return undefined;
  const { call } = method;
  return call.method === request.method && call.params === request.params ? method : undefined;
}

const isPlain = (
  fork: OpenFork,
  method: ForkMethod,
): method is Extract<ForkMethod, { kind: 'pass' }> =>
  method.kind === 'pass' && !(fork.isInside && method.replayed);
