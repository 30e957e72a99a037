import assert from 'node:assert/strict';
import type { Fork, ForkTransactions } from '../../server/api/fork';
import type { Snapshot } from '../../server/api/snapshot';
import { call, post, reply, type RpcReply } from '../support/json-rpc';
import type { Answer } from '../support/service';
import { ALICE, BOB, COUNTER } from '../integration/fork-upstream';
import type { Outcome } from './acknowledged-changes';
import { outcomeOf } from './acknowledged-changes';
import type { Subject } from './restarted-service';

const STRANGER = `0x${'99'.repeat(20)}`;
/** Above every base fee that this test sets: the engine drops waiting transactions once a block has a higher base fee. */
const FEES = { maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x0' };
/** Number of blocks that are compared. */
const WINDOW = 12;
/** Above this number of named snapshots most are deleted: a fork has a limit. */
const MANY_SNAPSHOTS = 60;

interface Block {
  number: string;
  hash: string;
  transactions: { hash: string; to: string | null }[];
}

/** The visible state of a fork. */
export interface Seen {
  blocks: Block[];
  /** Traces and receipts of the transactions in the blocks. */
  outcomes: unknown[];
  logs: unknown[];
  state: { balance: string; counter: string; automine: boolean; pool: unknown };
  snapshots: Snapshot[];
  list: ForkTransactions;
}

/** A change that was under way when the fault struck. */
export interface Attempt {
  what: string;
  outcome: Outcome;
  /** How often a later state contains the change; undefined: other changes can have the same effect. */
  timesIn: (seen: Seen) => number | undefined;
}

/** Makes random changes on one fork of a service. */
export class Workload {
  /** Hash of the newest block of each snapshot of `evm_snapshot` that must exist, by snapshot id, oldest first. */
  readonly #marks = new Map<string, string>();
  /** Hash of the newest block of each named snapshot, by snapshot id. */
  readonly #kept = new Map<string, string>();
  #attempts = 0;

  constructor(
    private readonly subject: Subject,
    private readonly path: string,
    private fork: Fork,
    private readonly below: (limit: number) => number,
  ) {}

  /** Continues with the restarted service. */
  async move(): Promise<void> {
    const { data } = await this.#rest<Fork>('GET', '');
    assert.equal(data.state, 'sleeping');
    this.fork = data;
  }

  /** Makes a random change. The fork may refuse it. */
  async change(): Promise<unknown> {
    const { below } = this;
    const { rpc } = this.fork;
    const from = [ALICE.address, BOB.address][below(2)];
    switch (below(13)) {
      case 0:
        return reply(rpc, 'anvil_setBalance', STRANGER, `0x${(below(1e9) + 1).toString(16)}`);
      case 1:
        return reply(rpc, 'evm_increaseTime', below(1000));
      case 2:
        return reply(rpc, 'anvil_mine', `0x${(below(4) + 1).toString(16)}`);
      case 3:
        return reply(rpc, 'anvil_setCoinbase', `0x${String(below(10)).repeat(40)}`);
      case 4:
        return reply(rpc, 'anvil_setNextBlockBaseFeePerGas', `0x${(below(1e9) + 7).toString(16)}`);
      case 5:
        return reply(rpc, 'evm_setAutomine', below(3) > 0);
      case 6:
        this.#marks.set(await call(rpc, 'evm_snapshot'), await this.#head());
        return;
      case 7:
        return this.#revert();
      case 8:
        return this.#changeNamed();
      case 9: {
        const { error } = await this.#bundle();
        // A bundle may only be refused, even if it needs a new engine.
        assert.ok(error === undefined || error.code === -32003, error?.message);
        return;
      }
      default:
        return reply(rpc, 'eth_sendTransaction', {
          ...FEES,
          from,
          to: COUNTER,
          gas: '0x186a0',
          ...(below(5) === 0 ? { data: '0xff' } : {}),
        });
    }
  }

  /** Begins a change. It settles even if the service does not answer. */
  async attempt(before: Seen): Promise<Attempt> {
    const { rpc, height } = this.fork;
    const text = `0xa${(++this.#attempts).toString(16).padStart(39, '0')}`;
    switch (this.below(4)) {
      case 0: {
        const outcome = await outcomeOfCall(this.#bundle(text));
        return { what: 'a bundle', outcome, timesIn: (seen) => timesTo(seen, text) };
      }
      case 1: {
        const transaction = { ...FEES, from: BOB.address, to: text, gas: '0x5208' };
        const outcome = await outcomeOfCall(reply(rpc, 'eth_sendTransaction', transaction));
        return { what: 'a transaction', outcome, timesIn: (seen) => timesTo(seen, text) };
      }
      case 2: {
        const path = `${this.path}/snapshots`;
        const asked = this.subject.service.request('POST', path, { body: { name: text } });
        return {
          what: 'a snapshot',
          outcome: await outcomeOf(asked),
          timesIn: ({ snapshots }) => snapshots.filter(({ name }) => name === text).length,
        };
      }
      default: {
        const outcome = await outcomeOfCall(reply(rpc, 'anvil_mine', '0x2'));
        const isIn = (seen: Seen): boolean => newest(seen, height) >= newest(before, height) + 2;
        return {
          what: 'two blocks',
          outcome,
          timesIn: (seen) => (outcome !== 'made' || isIn(seen) ? undefined : 0),
        };
      }
    }
  }

  /** @param from the first block, if it is older than the newest 12 */
  async seen(from = Infinity): Promise<Seen> {
    const { rpc, height } = this.fork;
    const head = Number(await call(rpc, 'eth_blockNumber'));
    const first = Math.max(Number(height) + 1, Math.min(from, head - WINDOW + 1));
    const blocks = (await this.#batch(
      Array.from({ length: Math.max(0, head - first + 1) }, (_, i) => [
        'eth_getBlockByNumber',
        `0x${(first + i).toString(16)}`,
        true,
      ]),
    )) as Block[];
    const outcomes = await this.#batch(
      blocks.flatMap(({ transactions }) =>
        transactions.flatMap(({ hash }) => [
          ['debug_traceTransaction', hash, { tracer: 'callTracer' }],
          ['eth_getTransactionReceipt', hash],
        ]),
      ),
    );
    const [logs, balance, counter, automine, pool] = (await this.#batch([
      ['eth_getLogs', { fromBlock: '0x1', toBlock: 'latest' }],
      ['eth_getBalance', STRANGER, 'latest'],
      ['eth_getStorageAt', COUNTER, '0x0', 'latest'],
      ['anvil_getAutomine'],
      ['txpool_content'],
    ])) as [unknown[], string, string, boolean, unknown];
    return {
      blocks,
      outcomes,
      logs,
      state: { balance, counter, automine, pool },
      snapshots: (await this.#rest<Snapshot[]>('GET', '/snapshots')).data,
      list: (await this.#rest<ForkTransactions>('GET', '/transactions?limit=200')).data,
    };
  }

  #bundle(to = STRANGER): Promise<RpcReply> {
    return reply(this.fork.rpc, 'eth_sendTransactions', [
      { ...FEES, from: ALICE.address, to: COUNTER },
      { ...FEES, from: BOB.address, to, value: '0x1' },
    ]);
  }

  async #revert(): Promise<void> {
    const { rpc, snapshotId } = this.fork;
    const ids = [snapshotId, ...this.#marks.keys()];
    const place = this.below(ids.length);
    const id = ids[place] ?? '';
    const hash = this.#marks.get(id);
    assert.equal(await call<boolean>(rpc, 'evm_revert', id), true, `snapshot ${id}`);
    if (hash !== undefined) assert.equal(await this.#head(), hash, `snapshot ${id}`);
    for (const gone of ids.slice(Math.max(1, place))) this.#marks.delete(gone);
    assert.equal(await call<boolean>(rpc, 'evm_revert', hash === undefined ? '0x0' : id), false);
  }

  async #changeNamed(): Promise<void> {
    const { data: all } = await this.#rest<Snapshot[]>('GET', '/snapshots');
    const one = all[this.below(all.length)];
    if (one === undefined || all.length < 5) {
      const body = { name: `n${this.below(99)}` };
      const { data } = await this.#rest<Snapshot>('POST', '/snapshots', body);
      this.#kept.set(data.snapshotId, await this.#head());
    } else if (all.length > MANY_SNAPSHOTS) {
      for (const { snapshotId, isDefault } of all.slice(0, -5)) {
        if (!isDefault) await this.#rest('DELETE', `/snapshots/${snapshotId}`);
      }
    } else if (this.below(3) === 0 && !one.isDefault) {
      await this.#rest('DELETE', `/snapshots/${one.snapshotId}`);
    } else {
      await this.#rest('POST', `/snapshots/${one.snapshotId}/revert`);
      // The unit tests of the history check which other snapshots remain.
      this.#marks.clear();
      const hash = this.#kept.get(one.snapshotId);
      if (hash !== undefined) assert.equal(await this.#head(), hash, one.name);
    }
  }

  async #head(): Promise<string> {
    return (await call<Block>(this.fork.rpc, 'eth_getBlockByNumber', 'latest', false)).hash;
  }

  async #rest<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
    const answer = await this.subject.service.request<T>(method, this.path + path, { body });
    assert.equal(answer.code, 0, answer.message);
    return answer;
  }

  async #batch(calls: readonly (readonly unknown[])[]): Promise<unknown[]> {
    if (calls.length === 0) return [];
    const requests = calls.map(([method, ...params], id) => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    }));
    const replies = (await post(this.fork.rpc, JSON.stringify(requests))) as RpcReply[];
    return replies.map(({ result, error }, i) => {
      assert.equal(error, undefined, `${String(calls[i]?.[0])}: ${error?.message ?? ''}`);
      return result;
    });
  }
}

/** JSON-RPC errors that describe a problem of the request, the fork or the service. */
const REFUSALS = [-32000, -32001, -32002, -32003, -32005];

async function outcomeOfCall(asked: Promise<RpcReply>): Promise<Outcome> {
  let answer: RpcReply;
  try {
    answer = await asked;
  } catch (error) {
    if (error instanceof SyntaxError) throw error; // not JSON
    return 'unanswered';
  }
  if (answer.error === undefined) return 'made';
  const { code, message } = answer.error;
  assert.ok(REFUSALS.includes(code), `${code}: ${message}`);
  return 'refused';
}

/** Number of the newest block, or of the fork point if the fork has no block of its own. */
const newest = ({ blocks }: Seen, height: string): number =>
  Number(blocks.at(-1)?.number ?? height);

function timesTo({ blocks, state }: Seen, to: string): number {
  const mined = blocks.flatMap(({ transactions }) => transactions.filter((one) => one.to === to));
  return mined.length + JSON.stringify(state.pool).split(`"to":"${to}"`).length - 1;
}
