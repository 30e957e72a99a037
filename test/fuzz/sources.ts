import fc from 'fast-check';
import { StallMeter } from '../../server/kernel/metrics/stall-meter';
import { CodeSources } from '../../server/contracts/sources/code-sources';
import { SourcifySources } from '../../server/contracts/sources/verified/sourcify-sources';
import { VerifiedSources } from '../../server/contracts/sources/verified/verified-sources';
import { account, network } from '../support/analysis';
import { compileSource, deployedCode, SHOP, sourcifyAnswer } from '../support/compiled-source';
import { JsonService } from '../support/json-service';
import type { PauseLimit } from '../support/stalls';
import type { Tally, Target } from './campaign';
import { must, Stalled } from './checks';

const KINDS = ['map entries', 'map text', 'lines', 'files', 'names', 'types', 'values'] as const;

interface Edit {
  kind: (typeof KINDS)[number];
  count: number;
}

/** Most of a kind: an answer has up to 16 MiB. */
const MOST: Readonly<Record<Edit['kind'], number>> = {
  'map entries': 8_000_000,
  'map text': 4_000_000,
  lines: 4_000_000,
  files: 50_000,
  names: 3_000,
  types: 20_000,
  values: 3_000_000,
};
const SIGNAL = new AbortController().signal;

interface Answer {
  sources: Record<string, { content: string }>;
  runtimeBytecode: { sourceMap: string };
  storageLayout: { storage: unknown[]; types: Record<string, unknown> };
  more?: unknown;
}

/** Answers of a source service that are large in one direction: read or refused, and never in one piece that takes long. */
export class SourcesTarget implements Target<Edit[]> {
  readonly known = KINDS;
  readonly scripts = fc.array(
    fc
      .constantFrom(...KINDS)
      .chain((kind) =>
        fc.record({ kind: fc.constant(kind), count: fc.integer({ min: 1, max: MOST[kind] }) }),
      ),
    { minLength: 1, maxLength: 2 },
  );
  readonly perRound = 20;
  readonly #shop = compileSource('Shop', SHOP, { optimizer: { enabled: true, runs: 7 } });
  #pauses = 0;
  readonly #meter = new StallMeter(({ processorSeconds }) => {
    if (processorSeconds > this.accepted) this.#pauses++;
  });

  private constructor(
    private readonly service: JsonService,
    /** What the service answers. */
    private readonly served: { text: string },
    private readonly accepted: PauseLimit,
  ) {}

  static async open(accepted: PauseLimit): Promise<SourcesTarget> {
    const served = { text: '' };
    const service = await JsonService.start(() => ({ body: served.text }));
    return new SourcesTarget(service, served, accepted);
  }

  renew(): Promise<void> {
    return Promise.resolve();
  }

  async run(edits: Edit[], tally: Tally): Promise<void> {
    const answer = structuredClone(sourcifyAnswer(this.#shop)) as unknown as Answer;
    for (const edit of edits) enlarge(answer, edit);
    this.served.text = JSON.stringify(answer);
    await this.#meter.stop();
    this.#pauses = 0;
    this.#meter.resume();
    const isKnown = await this.#find();
    await new Promise((resolve) => setTimeout(resolve, 25)); // one interval of the meter
    for (const { kind } of edits) tally.count(kind, isKnown ? 'taken' : 'refused');
    if (this.#pauses > 0) throw new Stalled(this.#pauses, this.accepted);
  }

  async #find(): Promise<boolean> {
    const service = new SourcifySources({ url: this.service.url });
    const sources = new CodeSources({
      finders: [new VerifiedSources({ service, store: undefined })],
      isPrivate: () => false,
    });
    const executed = { address: account(1), code: deployedCode(this.#shop), isCreation: false };
    const program = await sources.programOf(network(), executed, SIGNAL);
    const layout = await sources.layoutOf(network(), executed, SIGNAL);
    must(program === undefined || program.map.at(0) !== undefined, 'the map has no first entry');
    return program !== undefined || layout !== undefined;
  }

  async close(): Promise<void> {
    await this.#meter.stop();
    await this.service.close();
  }
}

function enlarge(answer: Answer, { kind, count }: Edit): void {
  const { sources, runtimeBytecode, storageLayout } = answer;
  const list = (): number[] => Array.from({ length: count }, (_, index) => index);
  const file = (name: string): [string, { content: string }] => [name, { content: 'x' }];
  const edits: Record<Edit['kind'], () => void> = {
    'map entries': () => (runtimeBytecode.sourceMap += ';'.repeat(count)),
    'map text': () => (runtimeBytecode.sourceMap += `;${'0'.repeat(count)}:1`),
    lines: () => (sources['src/Lines.sol'] = { content: '\n'.repeat(count) }),
    files: () =>
      Object.assign(sources, Object.fromEntries(list().map((one) => file(`${one}.sol`)))),
    names: () =>
      Object.assign(sources, Object.fromEntries(list().map((one) => file(`a${'/.'.repeat(one)}`)))),
    types: () => {
      for (const one of list()) {
        const base = `t_${(one + 1) % count}`;
        storageLayout.types[`t_${one}`] = {
          encoding: 'dynamic_array',
          label: 'x[]',
          numberOfBytes: '32',
          base,
        };
      }
      storageLayout.storage.push({ label: 'x', offset: 0, slot: '9', type: 't_0' });
    },
    values: () => (answer.more = list().map(() => [])),
  };
  edits[kind]();
}
