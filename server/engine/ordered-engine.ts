import type { SendInTurn } from '../ethereum/engine';
import type { RpcCall, RpcCallOptions, RpcClient } from '../ethereum/json-rpc';
import { isSend, turnOf, type CallTurn } from './call-turn';
import { EngineTurns } from './engine-turns';
import { cancellableRequest } from './cancellable-request';
import { CachedReads } from './cached-reads';

type Outcome = PromiseSettledResult<unknown>;

/** Calls that share one turn, as indexes into all calls. */
interface Batch {
  turn: CallTurn;
  places: number[];
}

/**
 * The one way to an engine: sends each call when the engine can take it; see `EngineTurns`. A call whose client gives up keeps its turn
 * until the engine has answered, however long that takes, since the engine goes on with it and holds its locks.
 */
export class OrderedEngine implements RpcClient {
  readonly #turns: EngineTurns;
  readonly #kept = new CachedReads();
  #calls = 0;

  /** @param forkBlock number of the block that the engine forked from */
  constructor(
    private readonly engine: RpcClient,
    private readonly forkBlock: number | undefined,
  ) {
    this.#turns = new EngineTurns(async () => Number(await engine.request('eth_blockNumber', [])));
  }

  /** Whether a call is under way that has not been answered yet. */
  get isCalled(): boolean {
    return this.#calls > 0;
  }

  async request(
    method: string,
    params: readonly unknown[],
    options?: RpcCallOptions,
  ): Promise<unknown> {
    const call = { method, params };
    const kept = this.#kept.get(call);
    if (kept !== undefined) return kept;
    return this.#ask(turnOf(call, this.forkBlock), [call], options, async () => {
      const keep = this.#kept.recorder(call);
      const result = await this.engine.request(method, params);
      keep?.(result);
      return result;
    });
  }

  /** As `Engine.kept`. */
  kept(call: RpcCall): string | undefined {
    return this.#kept.get(call);
  }

  async requestAll(calls: readonly RpcCall[], options?: RpcCallOptions): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    await Promise.all(
      batchesOf(calls, this.forkBlock).map(async ({ turn, places }) => {
        const batch = calls.filter((_, index) => places.includes(index));
        const answers = await this.#ask(turn, batch, options, () => this.engine.requestAll(batch));
        for (const [i, answer] of answers.entries()) outcomes[places[i] ?? 0] = answer;
      }),
    );
    return outcomes;
  }

  /** As `Engine.inTurn`. */
  inTurn<T>(call: RpcCall, send: SendInTurn<T>): Promise<T> {
    return this.#run(turnOf(call, this.forkBlock), [call], async () => {
      const end = this.#begin();
      return send(end, this.#kept.recorder(call)).finally(end);
    });
  }

  #ask<T>(
    turn: CallTurn,
    calls: readonly RpcCall[],
    options: RpcCallOptions | undefined,
    send: () => Promise<T>,
  ): Promise<T> {
    const methods = calls.map(({ method }) => method);
    return cancellableRequest(methods, options, (begin) =>
      this.#run(turn, calls, () => begin(() => this.#answered(send))),
    );
  }

  #run<T>(turn: CallTurn, calls: readonly RpcCall[], work: () => Promise<T>): Promise<T> {
    const done = this.#turns.run(turn, work);
    const mayChange = turn.kind === 'change' || calls.some(isSend);
    return mayChange ? done.finally(this.#kept.change()) : done;
  }

  async #answered<T>(send: () => Promise<T>): Promise<T> {
    const end = this.#begin();
    try {
      return await send();
    } finally {
      end();
    }
  }

  /** Counts a call. @returns call it to stop counting the call */
  #begin(): () => void {
    let isRunning = true;
    this.#calls++;
    return () => {
      if (isRunning) this.#calls--;
      isRunning = false;
    };
  }
}

/**
 * Groups the calls of one message. If there are changes, they are sent together with lookups and reads of the newest state, in order. Else
 * the reads of the newest state are sent together with the lookups. Each other call is sent alone: the engine executes some methods on
 * threads of their own, so that two calls of one message could wait for each other.
 */
function batchesOf(calls: readonly RpcCall[], forkBlock: number | undefined): Batch[] {
  const turns = calls.map((call) => turnOf(call, forkBlock));
  const kinds = (['change', 'newest', 'lookup'] as const).filter((kind) =>
    turns.some((turn) => turn.kind === kind),
  );
  const [kind = 'lookup'] = kinds;
  const joined: Batch = { turn: { kind }, places: [] };
  const alone: Batch[] = [];
  for (const [index, turn] of turns.entries()) {
    if (kinds.some((one) => one === turn.kind)) joined.places.push(index);
    else alone.push({ turn, places: [index] });
  }
  return [joined, ...alone].filter(({ places }) => places.length > 0);
}
