import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { CaseShown } from '../../server/api/case-content';
import type { OpenCaseView } from '../../server/api/cases';
import { API_ERRORS } from '../../server/api/errors';
import { readContainer, writeContainer } from '../../server/cases/container/container';
import { keptFilters, readKept } from '../../extension/debugger/adapter/kept-breakpoints';
import { BookError } from '../../server/client/book/book';
import { parseBook } from '../../server/client/book/parse-book';
import { sandboxHash } from '../support/sandbox-hashes';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import type { Tally, Target } from './campaign';
import { must } from './checks';
import type { FuzzTarget } from './fuzz-target';
import { hostileValue, mutated, mutation, type Mutation } from './hostile-values';

/** Damage to the bytes of the file, or another content with right hashes. */
interface Edit {
  /** Of the case files. */
  file: number;
  how: 'cut' | 'flip' | 'append' | 'mutate' | 'replace';
  entry: number;
  at: number;
  change: Mutation;
  value: unknown;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  file: fc.nat(),
  how: fc.constantFrom('cut', 'flip', 'append', 'mutate', 'mutate', 'replace'),
  entry: fc.nat(),
  at: fc.nat(),
  change: mutation,
  value: hostileValue,
});

type CaseEntries = ReadonlyMap<string, Buffer>;

const HASH = sandboxHash('exploit-reentrancy');
const ACCOUNT = `0x${'c3'.repeat(20)}`;
const CALL = { from: ACCOUNT, to: `0x${'be'.repeat(20)}`, data: '0x', height: '0x8' };
const SHOWN = {
  comparison: { kind: 'comparison' },
  debugger: {
    kind: 'debugger',
    step: 40,
    build: 'executed',
    breakpoints: [
      { source: 'contracts/Vault.sol', line: 12, condition: 'amount > 5', logMessage: '{amount}' },
      { function: 'Vault.withdraw', hitCondition: '> 2', isDisabled: true },
      { address: ACCOUNT, slot: `0x${'0'.repeat(64)}`, access: 'write', name: 'total' },
      { contract: 0, pc: 7, name: 'Vault' },
    ],
  },
  notebook: {
    kind: 'notebook',
    name: 'story.forklens-book.md',
    text: `---\nnetwork: sandbox\n---\n# What happened\n\n\`\`\`analyze\n${HASH}\n\`\`\`\n`,
  },
} as const;

const REFUSED = API_ERRORS.caseRefused.code;
const INTERNAL = API_ERRORS.internal.code;
const MAX_MS = 20_000;

/** Case files of anyone: each is refused with the reason, or opened, and then no operation on it fails inside the service. */
export class CasesTarget implements Target<Edit> {
  readonly scripts = edit;
  readonly perRound = 25;
  readonly known = [
    'case.json',
    'answers.jsonl',
    'known.json',
    'proof.json',
    'bytes',
    ...Object.keys(SHOWN).map((kind) => `shown.json, ${kind}`),
  ];
  readonly #files: CaseEntries[] = [];

  private constructor(
    private readonly target: FuzzTarget,
    private readonly folder: string,
  ) {}

  static async open(target: FuzzTarget): Promise<CasesTarget> {
    const opened = new CasesTarget(target, await makeTemporaryDirectory());
    const analyses = [{ chain: 'sandbox', transaction: HASH }];
    await opened.#add({ analyses, prove: true });
    const compared = [...analyses, { chain: 'sandbox', simulation: CALL, title: 'a call' }];
    await opened.#add({ analyses: compared, shown: SHOWN.comparison });
    await opened.#add({ analyses, shown: SHOWN.debugger });
    await opened.#add({ analyses, shown: SHOWN.notebook });
    return opened;
  }

  renew(): Promise<void> {
    return Promise.resolve();
  }

  async run(one: Edit, tally: Tally): Promise<void> {
    const file = this.#pathOf('other');
    const { bytes, kind } = await this.#edited(one);
    await writeFile(file, bytes);
    const { service } = this.target;
    const started = performance.now();
    const verified = await service.request('POST', '/v1/case/verify', { body: { file } });
    must(verified.code !== INTERNAL, `verified: ${verified.message}`);
    const opened = await service.request<OpenCaseView>('POST', '/v1/case', { body: { file } });
    const isRefused = opened.code === REFUSED;
    must(isRefused || opened.code === 0, `opened: ${opened.code} ${opened.message}`);
    tally.count(kind, isRefused ? 'refused' : 'taken');
    if (!isRefused) await this.#look(opened.data);
    must(performance.now() - started < MAX_MS, 'it takes too long');
    await this.target.check();
  }

  async close(): Promise<void> {
    await this.target.close();
    await removeDirectory(this.folder);
  }

  async #add(body: object): Promise<void> {
    const file = this.#pathOf('whole');
    const { message } = await this.target.service.request('POST', '/v1/cases', {
      body: { ...body, file },
    });
    must(message === 'OK', message);
    this.#files.push((await readContainer(file)).entries);
  }

  async #look({ chain, analyses, shown }: OpenCaseView): Promise<void> {
    for (const analysis of analyses) {
      const base = `/v1/explorer/${analysis.chain}`;
      if ('transaction' in analysis) {
        for (const view of ['analysis', 'source-locations', 'recording']) {
          await this.#read('GET', `${base}/transaction/${analysis.transaction}/${view}`);
        }
      } else await this.#read('POST', `${base}/simulate`, analysis.simulation);
    }
    if (shown) showInEditor(shown);
    await this.#read('GET', '/v1/cases');
    const { code, message } = await this.target.service.request('DELETE', `/v1/case/${chain}`);
    must(code === 0, `closed: ${message}`);
  }

  async #read(method: 'GET' | 'POST', path: string, body?: object): Promise<void> {
    const options = body && { body };
    const { code, message } = await this.target.service.request(method, path, options);
    must(code !== INTERNAL, `${path}: ${message}`);
  }

  async #edited(one: Edit): Promise<{ bytes: Buffer; kind: string }> {
    const { how, file, entry, at, change, value } = one;
    const whole = this.#files[file % this.#files.length]!;
    const names = [...whole.keys()];
    const name = names[entry % names.length]!;
    const text = String(whole.get(name));
    if (how === 'mutate' || how === 'replace') {
      const content = how === 'replace' ? JSON.stringify(value) : mutatedText(text, at, change);
      const entries = new Map([...whole, [name, Buffer.from(content)]]);
      const kind = name === 'shown.json' ? `${name}, ${kindOf(text)}` : name;
      return { bytes: (await writeContainer(entries)).bytes, kind };
    }
    const { bytes } = await writeContainer(whole);
    const flipped = Buffer.from(bytes);
    flipped[at % flipped.length]! ^= 1 << (at % 7);
    const damaged = {
      cut: () => bytes.subarray(0, at % bytes.length),
      flip: () => flipped,
      append: () => Buffer.concat([bytes, Buffer.from(JSON.stringify(value))]),
    }[how]();
    return { bytes: damaged, kind: 'bytes' };
  }

  #pathOf(name: string): string {
    return join(this.folder, `${name}.forklens`);
  }
}

/** What the editor makes of what a case shows. */
function showInEditor(shown: CaseShown): void {
  if (shown.kind === 'notebook') {
    try {
      parseBook(shown.text);
    } catch (error) {
      must(error instanceof BookError, `the notebook: ${String(error)}`);
    }
  } else if (shown.kind === 'debugger') {
    const { build = 'executed' } = shown;
    const breakpoints = shown.breakpoints.filter((one) => 'slot' in one || 'pc' in one);
    const filters = keptFilters(readKept({ build, breakpoints }));
    must(filters.length === breakpoints.length, 'a breakpoint is lost');
  }
}

const kindOf = (shown: string): string => (JSON.parse(shown) as CaseShown).kind;

/** Changes one value of a document, or of one of its lines. */
function mutatedText(text: string, at: number, change: Mutation): string {
  const lines = text.split('\n');
  const index = at % Math.max(1, lines.length - 1);
  lines[index] = JSON.stringify(mutated(JSON.parse(lines[index]!), change));
  return lines.join('\n');
}
