import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Fork } from '../../server/api/fork';
import { call } from '../support/json-rpc';
import { createFork } from '../support/service';
import type { Tally, Target } from './campaign';
import { must, mustNotLeak } from './checks';
import { MARKER, type FuzzTarget } from './fuzz-target';
import { ForkValues } from './rpc-references';
import { METHOD_NAMES, rpcScripts, type RpcScript, type RpcStep } from './rpc-calls';
import { sendHttp } from './send-http';

/** Milliseconds. Longer than a send waits for its receipt. */
const MAX_MS = 40_000;
const INTERNAL = -32603;
const INVALID_REQUEST = -32600;
/** A fork at the end of a block, one inside a block, and one with its own chain id. */
const FORKS = [{ height: '0x8' }, { height: '0x9', position: 1 }, { antiReplay: true }];

interface Answer {
  jsonrpc?: unknown;
  id?: unknown;
  result?: unknown;
  error?: { code?: unknown; message?: unknown };
}

/** The JSON-RPC address of a fork: HTTP and WebSocket, single requests and batches. */
export class RpcTarget implements Target<RpcScript> {
  readonly known = METHOD_NAMES;
  readonly scripts = rpcScripts;
  readonly perRound = 40;
  #id = 0;
  #fork: Fork | undefined;
  #values = new ForkValues();
  #project = '';
  #socket: WebSocket | undefined;
  readonly #waiting = new Map<unknown, (answer: Answer) => void>();

  constructor(private readonly place: FuzzTarget) {}

  async renew(seed: number): Promise<void> {
    const { service } = this.place;
    this.#socket?.terminate();
    this.#socket = undefined;
    if (this.#fork) {
      await service.request('DELETE', `/v1/project/${this.#project}/fork/${this.#fork.forkId}`);
    }
    this.#project = (
      await service.request<{ projectId: string }[]>('GET', '/v1/projects')
    ).data[0]!.projectId;
    this.#fork = await createFork(service, {
      chainId: 31_337,
      ...FORKS[Math.abs(seed) % FORKS.length],
    });
    this.#values = await ForkValues.of(this.#fork.rpc);
  }

  async run(script: RpcScript, tally: Tally): Promise<void> {
    switch (script.kind) {
      case 'calls':
        for (const one of script.calls) {
          const sent = this.#message(one);
          this.#judge(
            one,
            sent.id,
            await this.#ask(script.over, sent, sent.id),
            JSON.stringify(sent),
            tally,
          );
        }
        break;
      case 'batch':
        await this.#batch(script.calls, script.over, tally);
        break;
      case 'text':
      case 'value':
        await this.#odd(script.kind === 'text' ? script.text : JSON.stringify(script.value), tally);
    }
    await this.#checkFork();
    await this.place.check();
  }

  #message({ method, params }: RpcStep): { id: string } & RpcStep & { jsonrpc: string } {
    return {
      jsonrpc: '2.0',
      id: `case ${this.#id++}`,
      method,
      params: this.#values.resolved(params),
    };
  }

  async #batch(calls: RpcStep[], over: 'http' | 'socket', tally: Tally): Promise<void> {
    const sent = calls.map((one) => this.#message(one));
    const text = JSON.stringify(sent);
    const answer = (await this.#ask(over, sent, sent[0]!.id)) as unknown as Answer[];
    // A batch that is nested too deep is refused as a whole.
    if (!Array.isArray(answer) && (answer as Answer).error?.code === INVALID_REQUEST) return;
    must(Array.isArray(answer), `a batch is answered by ${JSON.stringify(answer).slice(0, 300)}`);
    must(answer.length === sent.length, `${sent.length} requests have ${answer.length} answers`);
    for (const [index, { id }] of sent.entries()) {
      const own = answer.find((one) => one.id === id) ?? answer[index]!;
      this.#judge(calls[index]!, id, own, text, tally);
    }
  }

  /** Sends a text that is not a request. It must get an answer, or none if it is a notification. */
  async #odd(text: string, tally: Tally): Promise<void> {
    const { origin, pathname } = new URL(this.#fork!.rpc);
    const got = await sendHttp(
      origin,
      'POST',
      pathname,
      { 'Content-Type': 'application/json' },
      text,
    );
    must(
      [200, 204, 400, 413].includes(got.status),
      `HTTP ${got.status}: ${got.text.slice(0, 300)}`,
    );
    mustNotLeak(got.text, text);
    tally.count('no request', got.text.includes('"error"') ? 'refused' : 'taken');
    if (got.status === 204) return;
    const answers = [JSON.parse(got.text) as Answer | Answer[]].flat();
    for (const answer of answers) mustBeAnswer(answer);
  }

  #judge(step: RpcStep, id: unknown, answer: Answer, request: string, tally: Tally): void {
    const name = typeof step.method === 'string' ? step.method : 'no method';
    mustNotLeak(JSON.stringify(answer), request);
    mustBeAnswer(answer);
    // The id of a request with members of the wrong type may be null.
    must(
      answer.id === id || answer.id === null,
      `${name} is answered with the id ${JSON.stringify(answer.id)}`,
    );
    if (answer.error === undefined) {
      this.#values.note(name, answer.result);
      tally.count(name, 'taken');
    } else tally.count(name, 'refused', String(answer.error.message).slice(0, 150));
  }

  async #ask(over: 'http' | 'socket', sent: unknown, id: unknown): Promise<Answer> {
    const text = JSON.stringify(sent);
    const started = performance.now();
    const answer = await (over === 'http' ? this.#overHttp(text) : this.#overSocket(text, id));
    const took = performance.now() - started;
    must(took < MAX_MS, `${text.slice(0, 500)} takes ${Math.round(took)} ms`);
    return answer;
  }

  async #overHttp(text: string): Promise<Answer> {
    const { origin, pathname } = new URL(this.#fork!.rpc);
    const got = await sendHttp(
      origin,
      'POST',
      pathname,
      { 'Content-Type': 'application/json' },
      text,
    );
    must(
      [200, 400].includes(got.status),
      `HTTP ${got.status} for ${text.slice(0, 300)}: ${got.text.slice(0, 300)}`,
    );
    return JSON.parse(got.text) as Answer;
  }

  async #overSocket(text: string, id: unknown): Promise<Answer> {
    const socket = await this.#open();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`no answer over the WebSocket to ${text.slice(0, 500)}`));
      }, MAX_MS);
      socket.once('close', (code) => {
        clearTimeout(timer);
        reject(new Error(`the WebSocket is closed (${code}) by ${text.slice(0, 500)}`));
      });
      const settle = (answer: Answer): void => {
        clearTimeout(timer);
        socket.removeAllListeners('close');
        this.#waiting.delete(id);
        this.#waiting.delete(null);
        resolve(answer);
      };
      this.#waiting.set(id, settle);
      this.#waiting.set(null, settle);
      socket.send(text);
    });
  }

  async #open(): Promise<WebSocket> {
    if (this.#socket?.readyState === WebSocket.OPEN) return this.#socket;
    const socket = new WebSocket(this.#fork!.rpc.replace('http', 'ws'));
    this.#waiting.clear();
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      const answer = JSON.parse(data.toString()) as Answer | Answer[];
      if (!Array.isArray(answer) && 'params' in answer) return; // a notification of a subscription
      const ids = [answer].flat().map(({ id }) => id);
      const settle = ids.map((id) => this.#waiting.get(id)).find(Boolean);
      settle?.(answer as Answer);
    });
    await once(socket, 'open');
    this.#socket = socket;
    return socket;
  }

  /** Checks that the fork answers, accepts a change, and keeps it. */
  async #checkFork(): Promise<void> {
    const { rpc } = this.#fork!;
    const balance = `0x${(this.#id + 1).toString(16)}`;
    await call(rpc, 'anvil_setBalance', MARKER, balance);
    const read = await call(rpc, 'eth_getBalance', MARKER, 'latest');
    must(read === balance, `the balance is ${read} after it was set to ${balance}`);
  }

  async close(): Promise<void> {
    this.#socket?.terminate();
    await this.place.close();
  }
}

function mustBeAnswer(answer: Answer): void {
  const shown = JSON.stringify(answer).slice(0, 500);
  must(answer.jsonrpc === '2.0' && 'id' in answer, `no JSON-RPC answer: ${shown}`);
  must(
    'result' in answer !== 'error' in answer,
    `neither a result nor an error, or both: ${shown}`,
  );
  const { error } = answer;
  if (error === undefined) return;
  must(Number.isInteger(error.code) && error.code !== 0, `no code of an error: ${shown}`);
  must(typeof error.message === 'string' && error.message !== '', `no message: ${shown}`);
  must(error.code !== INTERNAL, `an internal error: ${shown}`);
}
