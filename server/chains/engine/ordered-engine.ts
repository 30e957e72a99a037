import type { SendInTurn } from '../../evm/forms/engine';
import type { RpcCall, RpcCallOptions, RpcClient } from '../../evm/forms/json-rpc';
import { hasEffect, isSend, isThreaded, turnOf, type CallTurn } from './call-turn';
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
    const ask = async ({ turn, places }: Batch): Promise<void> => {
      const batch = places.flatMap((place) => calls[place] ?? []);
      const answers = await this.#ask(turn, batch, options, () => this.engine.requestAll(batch));
      for (const [i, answer] of answers.entries()) outcomes[places[i] ?? 0] = answer;
    };
    if (calls.some(hasEffect)) {
      for (const batch of orderedBatchesOf(calls, this.forkBlock)) await ask(batch);
    } else {
      await Promise.all(batchesOfReads(calls, this.forkBlock).map(ask));
    }
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
 * Groups the calls of a list with changes or sends, in order: each batch waits for the one before. Lookups and reads of the newest state
 * join the changes beside them. Each other call is sent alone, and so is each that the engine executes on a thread of its own: within one
 * message, it would run beside the calls after it.
 */
function orderedBatchesOf(calls: readonly RpcCall[], forkBlock: number | undefined): Batch[] {
  const batches: { turn: CallTurn; places: number[]; isJoined: boolean }[] = [];
  for (const [place, call] of calls.entries()) {
    const turn = turnOf(call, forkBlock);
    const isJoined = turn.kind !== 'older' && turn.kind !== 'numbered' && !isThreaded(call);
    const last = batches.at(-1);
    if (!isJoined || last?.isJoined !== true) batches.push({ turn, places: [place], isJoined });
    else {
      last.places.push(place);
      if (rank(turn) > rank(last.turn)) last.turn = turn;
    }
  }
  return batches;
}

const rank = ({ kind }: CallTurn): number => ['lookup', 'newest', 'change'].indexOf(kind);

/**
 * Groups calls that change nothing: reads of the newest state are sent together with lookups. Each other call is sent alone, since two of
 * them in one message could wait for each other.
 */
function batchesOfReads(calls: readonly RpcCall[], forkBlock: number | undefined): Batch[] {
  const turns = calls.map((call) => turnOf(call, forkBlock));
  const kind = turns.some((turn) => turn.kind === 'newest') ? 'newest' : 'lookup';
  const joined: Batch = { turn: { kind }, places: [] };
  const alone: Batch[] = [];
  for (const [place, turn] of turns.entries()) {
    if (turn.kind === 'newest' || turn.kind === 'lookup') joined.places.push(place);
    else alone.push({ turn, places: [place] });
  }
  return [joined, ...alone].filter(({ places }) => places.length > 0);
}
