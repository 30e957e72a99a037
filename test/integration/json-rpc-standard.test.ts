import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { call } from '../support/json-rpc';
import { METHODS } from '../support/json-rpc-standard/methods';
import { createJsonRpcFixture, type JsonRpcFixture } from '../support/json-rpc-standard/fixture';
import { judge, type Verdict } from '../support/json-rpc-standard/standard-case';
import { PROJECT, TestForks } from './fork-service';
import {
  ALICE,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

const REFERENCE = new URL('../../server/JSON-RPC.md', import.meta.url);
const BEGIN = '<!-- table: made by test/integration/json-rpc-standard.test.ts -->';
const END = '<!-- end of table -->';
const KEYS = [{ address: COUNTER, storageKeys: [`0x${'0'.repeat(64)}`] }];

/** Titles of cases, grouped by their results. */
interface Row {
  method: string;
  titles: readonly string[];
  ours: readonly Verdict[];
  bare: readonly Verdict[];
}

describe('the JSON-RPC standard (execution-apis)', () => {
  let engines: TestEngines;
  let service: TestForks;
  let ours: JsonRpcFixture;
  let bare: JsonRpcFixture;
  const rows: Row[] = [];

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    await chain.mine();
    const originals: string[] = [];
    for (const parts of [
      { type: 0 },
      { type: 1, accessList: KEYS },
      { type: 2 },
      { to: null, data: '0x600a600a6000' },
      { data: '0xff' },
    ]) {
      originals.push(await chain.send(ALICE, { to: COUNTER, ...parts }));
    }
    await chain.mine();
    await chain.mine();
    service = await TestForks.open(engines, ethChain(chain.engine.url));
    const fork = await service.create({ height: '0x3' });
    ours = await createJsonRpcFixture(fork.rpc, originals);
    const engine = await engines.start({
      chainId: 1,
      hardfork: 'prague',
      upstream: { url: chain.engine.url, blockNumber: 3, isAsked: () => false },
    });
    await call(engine.url, 'anvil_autoImpersonateAccount', true);
    bare = await createJsonRpcFixture(engine.url, originals, () => call(engine.url, 'evm_mine'));
  });
  after(async () => {
    await service.forks.deleteAllOf(PROJECT);
    await service.close();
    await engines.close();
  });

  for (const { method, cases } of METHODS) {
    it(method, async () => {
      const row = {
        method,
        titles: cases.map(({ title }) => title),
        ours: [] as Verdict[],
        bare: [] as Verdict[],
      };
      for (const one of cases) {
        row.ours.push(await judge(method, one, ours));
        row.bare.push(await judge(method, one, bare));
      }
      rows.push(row);
      const wrong = row.ours.flatMap((verdict, index) =>
        typeof verdict === 'object' ? [[row.titles[index], verdict.instead]] : [],
      );
      assert.deepEqual(wrong, []);
    });
  }

  it('matches the table of server/JSON-RPC.md', async () => {
    assert.equal(rows.length, METHODS.length);
    const made = table(rows);
    const text = await readFile(REFERENCE, 'utf8');
    const [before, rest] = text.split(BEGIN) as [string, string];
    const [written, after] = rest.split(END) as [string, string];
    if (process.env['UPDATE_GOLDENS'] !== undefined) {
      await writeFile(REFERENCE, `${before}${BEGIN}\n\n${made}\n\n${END}${after}`);
      return;
    }
    assert.equal(written.trim(), made);
  });
});

function table(rows: readonly Row[]): string {
  return [
    '| method | the standard, as tried | a fork | bare anvil 1.5.1 |',
    '| --- | --- | --- | --- |',
    ...rows.map(
      ({ method, titles, ours, bare }) =>
        `| \`${method}\` | ${grouped(titles)} | ${verdictText(titles, ours)} | ${verdictText(titles, bare)} |`,
    ),
  ].join('\n');
}

/** `own 0`, `own 1` … as one entry. */
const grouped = (titles: readonly string[]): string =>
  [...new Set(titles.map((title) => title.replace(/ \d+$/, '')))].join('; ');

function verdictText(titles: readonly string[], verdicts: readonly Verdict[]): string {
  const of = (is: (verdict: Verdict) => boolean): string[] =>
    titles.filter((_, index) => is(verdicts[index] ?? 'ok'));
  const refused = of((verdict) => verdict === 'refused');
  const wrong = of((verdict) => typeof verdict === 'object');
  return [
    ...(wrong.length + refused.length === 0 ? ['yes'] : []),
    ...(refused.length === 0 ? [] : [`refused: ${grouped(refused)}`]),
    ...(wrong.length === 0 ? [] : [`no: ${grouped(wrong)}`]),
  ].join('; ');
}
