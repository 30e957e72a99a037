import fc from 'fast-check';
import type { Fork } from '../../server/api/fork';
import { LIMITS } from '../../server/api/limits';
import type { Recording } from '../../server/api/recording';
import { call } from '../support/json-rpc';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork } from '../support/service';
import type { Tally, Target } from './campaign';
import { envelopeOf, must, mustNotLeak, type Envelope } from './checks';
import type { FuzzTarget } from './fuzz-target';
import { codeOf, hostileProgram, inputOf, type HostileProgram } from './hostile-programs';
import { sendHttp } from './send-http';

const MAX_MS = 60_000;
const GAS = '0x17d7840';
const CONTRACT = '0x00000000000000000000000000000000000c0de0';
const VIEWS = [
  'balance-change',
  'invocation-flow',
  'fund-flow',
  'state-diff',
  'gas-profile',
  'analysis',
  'recording',
  'source-locations',
] as const;
const SEARCHED = 'swap-two-hops';

interface Search {
  /** Breakpoints of each kind. */
  breakpoints: number;
  condition: string | undefined;
  message: string | undefined;
  direction: 'forwards' | 'backwards';
  mode: 'step' | 'continue';
}

export type TransactionScript =
  | { kind: 'transaction'; program: HostileProgram; views: string[] }
  | { kind: 'search'; search: Search };

const expressions = ['true', '1 == 2', 'msg.sender == address(0)', 'gasleft() > 5', 'nowhere > 1'];
const search: fc.Arbitrary<Search> = fc.record({
  breakpoints: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 500, max: 1_000 })),
  condition: fc.option(fc.constantFrom(...expressions), { nil: undefined }),
  message: fc.option(
    fc
      .tuple(fc.constantFrom('{msg.sender}', '{msg.data}', 'text', '{'), fc.nat({ max: 150 }))
      .map(([part, times]) => part.repeat(times)),
    { nil: undefined },
  ),
  direction: fc.constantFrom('forwards', 'backwards'),
  mode: fc.constantFrom('step', 'continue'),
});

/** Transactions by strangers that are large, and searches with many breakpoints: each is answered within a time, and blocks nothing. */
export class TransactionTarget implements Target<TransactionScript> {
  readonly known = [...VIEWS, 'search'];
  readonly scripts: fc.Arbitrary<TransactionScript> = fc.oneof(
    fc.record({
      kind: fc.constant('transaction' as const),
      program: hostileProgram,
      views: fc.uniqueArray(fc.constantFrom(...VIEWS), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('search' as const), search }),
  );
  readonly perRound = 20;
  #fork: Fork | undefined;
  #recording: Recording | undefined;

  constructor(private readonly place: FuzzTarget) {}

  async renew(): Promise<void> {
    const { service } = this.place;
    if (this.#fork) {
      const { data } = await service.request<{ projectId: string }[]>('GET', '/v1/projects');
      await service.request(
        'DELETE',
        `/v1/project/${data[0]!.projectId}/fork/${this.#fork.forkId}`,
      );
    }
    this.#fork = await createFork(service, { chainId: 31_337 });
    this.#recording = (
      await service.request<Recording>(
        'GET',
        `${this.#path('sandbox', sandboxHash(SEARCHED))}/recording`,
      )
    ).data;
    // What a service compiles and loads once is no finding.
    await this.#analyze({ kind: 'transfers', count: 10, size: 0 }, VIEWS);
    await this.place.check().catch(() => undefined);
  }

  async run(script: TransactionScript, tally: Tally): Promise<void> {
    if (script.kind === 'search') await this.#search(script.search, tally);
    else await this.#analyze(script.program, script.views, tally);
    await this.place.check();
  }

  async #analyze(program: HostileProgram, views: readonly string[], tally?: Tally): Promise<void> {
    const { rpc, forkId } = this.#fork!;
    await call(rpc, 'anvil_setCode', CONTRACT, codeOf(program));
    const [from] = await call<string[]>(rpc, 'eth_accounts');
    const sent = { from, to: CONTRACT, gas: GAS, data: inputOf(program) };
    const hash = await call(rpc, 'eth_sendTransaction', sent);
    for (const view of views) {
      const { answer } = await this.#send('GET', `${this.#path(forkId, hash)}/${view}`);
      const reason = answer.message.slice(0, 150);
      if (answer.code === 0) tally?.count(view, 'taken');
      else tally?.count(view, 'refused', reason);
    }
  }

  async #search(search: Search, tally: Tally): Promise<void> {
    const { breakpoints, condition, message, direction, mode } = search;
    const files = this.#recording!.contracts.flatMap((one) => one.files);
    const conditions = { ...(condition !== undefined && { condition }) };
    const lines = Array.from({ length: breakpoints }, (_, index) => ({
      id: index,
      file: files[index % files.length],
      line: 1 + (index % 80),
      ...conditions,
      ...(message !== undefined && { message }),
    }));
    const events = Array.from({ length: breakpoints }, (_, index) => ({
      id: index,
      name: '*',
      ...conditions,
    }));
    const from = direction === 'forwards' ? 0 : this.#recording!.steps - 1;
    const body = JSON.stringify({ from, direction, mode, lines, events });
    const path = `${this.#path('sandbox', sandboxHash(SEARCHED))}/recording/find`;
    const { answer, text } = await this.#send('POST', path, body);
    must(
      text.length < 3 * LIMITS.searchText + 20_000_000,
      `an answer of ${text.length} characters`,
    );
    if (answer.code === 0) tally.count('search', 'taken');
    else tally.count('search', 'refused', answer.message.slice(0, 150));
  }

  async #send(
    method: string,
    path: string,
    body?: string,
  ): Promise<{ answer: Envelope; text: string }> {
    const { service } = this.place;
    const headers = { 'Access-Key': service.key, 'Content-Type': 'application/json' };
    const started = performance.now();
    const { status, text } = await sendHttp(service.url, method, path, headers, body);
    must(performance.now() - started < MAX_MS, `${method} ${path} takes too long`);
    mustNotLeak(text, `${path} ${body ?? ''}`, [service.url, `${service.dataDir}/`]);
    // Some twenty transactions of 25 million gas with large call data are more than an engine's memory.
    return { answer: envelopeOf(status, text, 'engine.memoryMegabytes'), text };
  }

  readonly #path = (chain: string, hash: string): string =>
    `/v1/explorer/${chain}/transaction/${hash}`;

  close(): Promise<void> {
    return this.place.close();
  }
}
