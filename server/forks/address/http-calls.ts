import type { ServerResponse } from 'node:http';
import { ApiError, engineEnded } from '../../api/errors';
import type { Engine } from '../../evm/forms/engine';
import { RpcError } from '../../evm/forms/json-rpc';
import { answerText, errorAnswer, idOf, resultAnswer } from '../../evm/forms/rpc-message';
import type { OpenFork } from '../life/forks';
import {
  nameAnswer,
  REQUEST_ID_HEADER,
  type RequestTrace,
} from '../../kernel/requests/request-trace';
import { hasEnded, requireMemory } from './engine-end';
import { EnginePipe } from './engine-pipe';
import type { CallFlow } from './fork-budgets';
import {
  beginCall,
  plainCall,
  type OnInternal,
  type PlainCall,
  type UnderstoodCall,
} from './fork-call';
import { ANSWER, send, sendBatch, sendShort, sendText } from './http-answers';
import { withRetryAfter } from './retry-after';
import { watchMoves, type PassOn } from './watch-moves';

/** A connection to a fork. */
export interface Client {
  fork: OpenFork;
  flow: CallFlow;
}

/** A request whose body is read. */
export interface Posted {
  response: ServerResponse;
  text: string;
  /** The parsed text. */
  message: unknown;
  /** Undefined: the message is a batch, a notification or not a valid request. */
  understood: UnderstoodCall | undefined;
  passOn: PassOn | undefined;
  trace: RequestTrace | undefined;
}

/** A plain call that is passed to the engine. */
interface Passed extends Pick<Posted, 'message' | 'text' | 'trace'> {
  isPassedOn: () => boolean;
}

/** Answers requests over HTTP, single and batch. */
export class HttpCalls {
  readonly #pipe = new EnginePipe();

  /** @param onInternal receives errors that only the log may show */
  constructor(private readonly onInternal: OnInternal) {}

  async answer({ fork, flow }: Client, posted: Posted): Promise<void> {
    const { response, text, message, understood, passOn, trace } = posted;
    const { onInternal } = this;
    const watched = passOn ? watchMoves(fork) : undefined;
    const caller = { fork: withRetryAfter(watched?.fork ?? fork, response), flow, onInternal };
    const isPassedOn = (): boolean => {
      if (!passOn || watched?.hasMoved() !== true) return false;
      response.removeHeader('retry-after');
      passOn(text);
      return true;
    };
    const plain = understood && plainCall(fork, understood);
    if (plain) {
      await flow.turns.run(false, () =>
        this.#pass(caller.fork, plain, { message, text, trace, isPassedOn }, response),
      );
      return;
    }
    nameAnswer(response, trace);
    if (Array.isArray(message)) {
      // The calls of a batch are answered one by one, so it is passed on whole or not at all.
      if (watched) await caller.fork.use(nothing).catch(nothing);
      if (!isPassedOn()) await sendBatch(caller, message, response);
      return;
    }
    const { text: answer, reserved } = await (await beginCall(caller, message)).answer;
    if (isPassedOn()) reserved.release();
    else await sendText(response, 200, answer).finally(reserved.release);
  }

  /** Passes a request to the engine and its answer back without parsing, unless the answer is kept. */
  async #pass(
    fork: OpenFork,
    { call, check }: PlainCall,
    { message, text, trace, isPassedOn }: Passed,
    response: ServerResponse,
  ): Promise<void> {
    const headers = trace ? { ...ANSWER, [REQUEST_ID_HEADER]: trace.id } : ANSWER;
    const pass = async (engine: Engine): Promise<void> => {
      const kept = engine.kept(call);
      if (kept !== undefined) {
        sendShort(response, 200, answerText(resultAnswer(idOf(message), kept)), trace);
        return;
      }
      await engine.inTurn(call, (onAnswer, keep) =>
        this.#pipe.pass(engine, text, response, headers, onAnswer, keep),
      );
    };
    try {
      const ended = await fork.use(async (awake) => {
        const { process } = awake;
        try {
          await check?.(awake);
          await pass(process);
          return false;
        } catch (error) {
          if (error instanceof RpcError || isUnreachable(error)) throw error;
          if (response.headersSent || !(await hasEnded(process))) throw error;
          await requireMemory(process);
          return true;
        }
      });
      if (!ended) return;
      // The call only reads, so the next engine can repeat it.
      await fork.use(({ process }) => pass(process));
    } catch (error) {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      if (isPassedOn()) return;
      const isKnown = error instanceof ApiError || error instanceof RpcError;
      const known = isKnown ? error : engineEnded({ cause: error });
      nameAnswer(response, trace);
      send(response, 200, errorAnswer(idOf(message), known, this.onInternal));
    }
  }
}

const nothing = (): Promise<void> => Promise.resolve();

const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError && error.kind === 'upstreamUnreachable';
