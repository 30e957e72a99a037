import assert from 'node:assert/strict';
import WebSocket from 'ws';
import type { Fork } from '../../server/api/fork';
import { eventually } from '../support/eventually';
import { call, reply } from '../support/json-rpc';
import type { Answer } from '../support/service';
import { ALICE, at, RECOVERY_MS, type Team, type Way } from './team';

/** Answers by which a service asks for another attempt. */
const TRY_AGAIN = new Set([502, 503, 504]);
const FORK_NOT_FOUND = 40402;

/**
 * Makes changes on one fork, one after the other, each by a random node, and keeps what must be there by their answers. A change without
 * an answer, or with an error, may be there or not.
 */
export class ForkLedger {
  #fork!: Fork;
  /** Marks of the acknowledged transactions, in order. */
  #written: string[] = [];
  /** Marks of transactions that were sent and not acknowledged. Each is there once, or not at all. */
  #open = new Set<string>();
  /** Snapshots that exist. What was open by then may be in the snapshot, or not. */
  #snapshots: { id: string; written: readonly string[]; open: readonly string[] }[] = [];
  readonly #hashes = new Map<string, string>();
  #marks = 0;

  private constructor(
    private readonly team: Team,
    private readonly name: string,
    private readonly below: (limit: number) => number,
  ) {}

  static async open(
    team: Team,
    name: string,
    below: (limit: number) => number,
  ): Promise<ForkLedger> {
    const ledger = new ForkLedger(team, name, below);
    await ledger.#create();
    return ledger;
  }

  get fork(): Fork {
    return this.#fork;
  }

  /** Number of transactions that must be there. */
  get size(): number {
    return this.#written.length;
  }

  /** Number of the newest block that must be there. */
  get head(): number {
    return Number(this.#fork.height) + this.size;
  }

  /** One random change or read. */
  async step(): Promise<void> {
    const choice = this.below(40);
    if (choice < 24) await this.send();
    else if (choice < 28) await this.snapshot();
    else if (choice < 31) await this.revert();
    else if (choice < 36) await this.readHead();
    else if (choice < 39) await this.#analyze();
    else await this.#replace();
  }

  /** Sends a transaction with a mark of its own. @returns whether it was acknowledged */
  async send(node: Way = this.#node()): Promise<boolean> {
    const mark = `0x${(++this.#marks).toString(16).padStart(64, '0')}`;
    this.#open.add(mark);
    const hash = await this.#ask(node, 'eth_sendTransaction', {
      from: ALICE,
      to: ALICE,
      data: mark,
    });
    if (typeof hash !== 'string') return false;
    this.#open.delete(mark);
    this.#written.push(mark);
    this.#hashes.set(mark, hash);
    return true;
  }

  /** Sends until a transaction is acknowledged: after a fault, the fork takes changes again. */
  async sendOne(): Promise<void> {
    await eventually(async () => {
      assert.ok(await this.send(), `${this.name}: no change is acknowledged`);
    }, RECOVERY_MS);
  }

  async snapshot(): Promise<void> {
    const id = await this.#ask(this.#node(), 'evm_snapshot');
    if (typeof id !== 'string') return;
    this.#snapshots.push({ id, written: [...this.#written], open: [...this.#open] });
  }

  /** Reverts to a random snapshot, if there is one. */
  async revert(): Promise<void> {
    const index = this.below(this.#snapshots.length || 1);
    const snapshot = this.#snapshots[index];
    if (!snapshot) return;
    const answer = await this.#ask(this.#node(), 'evm_revert', snapshot.id);
    assert.notEqual(answer, false, `${this.name}: snapshot ${snapshot.id} is lost`);
    this.#snapshots.splice(index);
    for (const mark of snapshot.open) this.#open.add(mark);
    const reverted = [...snapshot.written];
    if (answer === true) this.#written = reverted;
    else await this.#settle([this.#written, reverted]);
  }

  /** @throws AssertionError if the head is another one than the acknowledged changes say. Nothing is read while one of them is unknown. */
  async readHead(): Promise<void> {
    if (this.#open.size > 0) return;
    const node = this.#node();
    const head = await this.#ask(node, 'eth_blockNumber');
    if (typeof head !== 'string' || Number(head) === this.head) return;
    const found = await this.#found(node);
    const fault = this.#faultIn(found, this.#written) ?? 'the transactions are those acknowledged';
    assert.fail(`${this.name}: head ${Number(head)} instead of ${this.head}; then: ${fault}`);
  }

  /** @throws AssertionError if something acknowledged is missing or doubled, or something is there that nobody sent */
  async check(node: Way = this.#node()): Promise<void> {
    const found = await this.#found(node);
    const fault = this.#faultIn(found, this.#written);
    if (fault !== undefined) assert.fail(`${this.name}: ${fault}`);
    this.#adopt(found);
  }

  /** @throws AssertionError if a subscription by some node does not tell of a new block */
  async checkSubscription(): Promise<void> {
    const socket = new WebSocket(at(this.#node(), this.#fork).replace('http', 'ws'));
    const heads: string[] = [];
    const subscribed = new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (data: Buffer) => {
        const { id, params } = JSON.parse(data.toString()) as {
          id?: number;
          params?: { result: { number: string } };
        };
        if (id === 1) resolve();
        if (params) heads.push(params.result.number);
      });
    });
    socket.on('open', () => {
      const params = ['newHeads'];
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }));
    });
    try {
      await subscribed;
      await this.sendOne();
      await this.check();
      const head = `0x${this.head.toString(16)}`;
      await eventually(() => {
        assert.ok(heads.includes(head));
      }, RECOVERY_MS);
    } finally {
      socket.terminate();
    }
  }

  async #create(): Promise<void> {
    const create = () => this.team.createFork(this.#node(), this.name);
    this.#fork = await eventually(create, RECOVERY_MS);
    this.#written = [];
    this.#open.clear();
    this.#snapshots = [];
  }

  /** Finds out what a change without an acknowledgement did. */
  async #settle(possible: readonly string[][]): Promise<void> {
    // A later change that is acknowledged: nothing that was sent before is under way any more.
    this.#written = [];
    await this.sendOne();
    const [last] = this.#written.splice(0);
    const found = await this.#found(this.#node());
    const faults = possible.map((one) => this.#faultIn(found, [...one, last!]));
    assert.ok(faults.includes(undefined), `${this.name}: ${faults.join('; or ')}`);
    this.#adopt(found);
  }

  async #analyze(): Promise<void> {
    const mark = this.#written.at(-1);
    const hash = mark === undefined ? undefined : this.#hashes.get(mark);
    if (hash === undefined) return;
    const path = `/v1/explorer/${this.#fork.forkId}/transaction/${hash}/balance-change`;
    const answer = await this.#request('GET', path);
    if (!answer || TRY_AGAIN.has(answer.status)) return;
    assert.equal(answer.code, 0, `${this.name}: ${answer.message}`);
  }

  async #replace(): Promise<void> {
    const path = `/v1/project/${this.team.project}/fork/${this.#fork.forkId}`;
    await eventually(async () => {
      const answer = await this.#request('DELETE', path);
      assert.ok(answer && [0, FORK_NOT_FOUND].includes(answer.code), `${this.name} is not deleted`);
    }, RECOVERY_MS);
    const answer = await this.#request('GET', path);
    if (answer && !TRY_AGAIN.has(answer.status)) assert.equal(answer.code, FORK_NOT_FOUND);
    await this.#create();
  }

  /** Marks of the transactions in all blocks of the fork. */
  async #found(node: Way): Promise<string[]> {
    const address = at(node, this.#fork);
    const head = Number(await eventually(() => call(address, 'eth_blockNumber'), RECOVERY_MS));
    const found: string[] = [];
    for (let number = Number(this.#fork.height) + 1; number <= head; number++) {
      const read = () =>
        call<{ transactions: { input: string }[] }>(
          ...([address, 'eth_getBlockByNumber', `0x${number.toString(16)}`, true] as const),
        );
      const { transactions } = await eventually(read, RECOVERY_MS);
      found.push(...transactions.map(({ input }) => input));
    }
    return found;
  }

  #faultIn(found: readonly string[], written: readonly string[]): string | undefined {
    if (new Set(found).size < found.length) return 'a transaction is there twice';
    const missing = written.filter((mark) => !found.includes(mark));
    if (missing.length > 0) return `acknowledged, and missing: ${missing.join(', ')}`;
    const strange = found.filter((mark) => !written.includes(mark) && !this.#open.has(mark));
    if (strange.length > 0) return `there, and never sent or reverted: ${strange.join(', ')}`;
    const kept = found.filter((mark) => written.includes(mark));
    return kept.every((mark, index) => mark === written[index]) ? undefined : 'in another order';
  }

  #adopt(found: readonly string[]): void {
    this.#written = [...found];
    for (const mark of found) this.#open.delete(mark);
  }

  #node(): Way {
    const { ways } = this.team;
    return ways[this.below(ways.length)]!;
  }

  /** @returns undefined for an error, or without an answer */
  async #ask(node: Way, method: string, ...params: unknown[]): Promise<unknown> {
    const answer = await reply(at(node, this.#fork), method, ...params).catch(() => undefined);
    return answer?.result;
  }

  #request(method: string, path: string): Promise<Answer | undefined> {
    return this.team.request(this.#node(), method, path).catch(() => undefined);
  }
}
