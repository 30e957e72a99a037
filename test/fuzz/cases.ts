import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { OpenCaseView } from '../../server/api/cases';
import { API_ERRORS } from '../../server/api/errors';
import { readContainer, writeContainer } from '../../server/cases/container/container';
import { sandboxHash } from '../support/sandbox-hashes';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import type { Tally, Target } from './campaign';
import { must } from './checks';
import type { FuzzTarget } from './fuzz-target';
import { hostileValue, mutated, mutation, type Mutation } from './hostile-values';

/** Damage to the bytes of the file, or another content with right hashes. */
interface Edit {
  how: 'cut' | 'flip' | 'append' | 'mutate' | 'replace';
  entry: number;
  at: number;
  change: Mutation;
  value: unknown;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  how: fc.constantFrom('cut', 'flip', 'append', 'mutate', 'mutate', 'replace'),
  entry: fc.nat(),
  at: fc.nat(),
  change: mutation,
  value: hostileValue,
});

const REFUSED = API_ERRORS.caseRefused.code;
const INTERNAL = API_ERRORS.internal.code;
const MAX_MS = 20_000;

/** Case files of anyone: each is refused with the reason, or opened, and then no operation on it fails inside the service. */
export class CasesTarget implements Target<Edit> {
  readonly scripts = edit;
  readonly perRound = 25;
  readonly known = ['case.json', 'answers.jsonl', 'known.json', 'proof.json', 'bytes'];
  readonly #hash = sandboxHash('exploit-reentrancy');
  #entries: ReadonlyMap<string, Buffer> = new Map();

  private constructor(
    private readonly target: FuzzTarget,
    private readonly folder: string,
  ) {}

  static async open(target: FuzzTarget): Promise<CasesTarget> {
    const opened = new CasesTarget(target, await makeTemporaryDirectory());
    const file = opened.#pathOf('whole');
    const path = `/v1/explorer/sandbox/transaction/${opened.#hash}/case`;
    const { message } = await target.service.request('POST', path, { body: { file, prove: true } });
    must(message === 'OK', message);
    opened.#entries = (await readContainer(file)).entries;
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

  async #look({ chain, transaction }: OpenCaseView): Promise<void> {
    const { service } = this.target;
    for (const view of ['analysis', 'source-locations', 'recording']) {
      const path = `/v1/explorer/${chain}/transaction/${transaction ?? this.#hash}/${view}`;
      const { code, message } = await service.request('GET', path);
      must(code !== INTERNAL, `${view}: ${message}`);
    }
    const { code, message } = await service.request('DELETE', `/v1/case/${chain}`);
    must(code === 0, `closed: ${message}`);
  }

  async #edited({ how, entry, at, change, value }: Edit): Promise<{ bytes: Buffer; kind: string }> {
    const names = [...this.#entries.keys()];
    const kind = names[entry % names.length]!;
    const text = String(this.#entries.get(kind));
    if (how === 'mutate' || how === 'replace') {
      const content = how === 'replace' ? JSON.stringify(value) : mutatedText(text, at, change);
      const entries = new Map([...this.#entries, [kind, Buffer.from(content)]]);
      return { bytes: (await writeContainer(entries)).bytes, kind };
    }
    const { bytes } = await writeContainer(this.#entries);
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

/** Changes one value of a document, or of one of its lines. */
function mutatedText(text: string, at: number, change: Mutation): string {
  const lines = text.split('\n');
  const index = at % Math.max(1, lines.length - 1);
  lines[index] = JSON.stringify(mutated(JSON.parse(lines[index]!), change));
  return lines.join('\n');
}
