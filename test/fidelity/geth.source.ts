import assert from 'node:assert/strict';
import { startService, type TestService } from '../support/service';
import { judgeTransaction } from './request-analyses';
import { GETH_CASES } from './run-length';
import { loadGethCases, type GethCase } from './geth/cases';
import { referenceDifference } from './geth/compare';
import { eachOf } from './parallel';
import { recordedOf, requirePlaces } from './recorded-steps';
import { ReferenceNodes } from './reference/node';
import { report, type Tally } from './verdict-counts';

const SOURCE = 'go-ethereum’s tracer cases';

/** The cases are LGPL-3.0 and not part of this repository; they are read from a given folder. */
export function gethCases(tally: Tally): void {
  if (GETH_CASES === undefined) {
    it.skip('are not given (--geth-cases DIR)');
    return;
  }
  const folder = GETH_CASES;
  let cases: GethCase[] = [];
  let nodes: ReferenceNodes | undefined;
  let service: TestService | undefined;

  before(async function () {
    this.timeout(240_000);
    cases = await loadGethCases(folder);
    assert.ok(cases.length > 0, `no cases below ${folder}`);
    nodes = await ReferenceNodes.start();
    const chains: object[] = [];
    for (const [index, { name, chain, hardfork }] of cases.entries()) {
      for (const debug of [false, true]) {
        const rpcUrls = [nodes.add(name, chain, debug)];
        const { chainId } = chain;
        chains.push({
          slug: slugOf(index, debug),
          chainId,
          rpcUrls,
          nativeSymbol: 'ETH',
          hardfork,
        });
      }
    }
    service = await startService({ config: { chains, prices: { source: 'none' } } });
  });
  after(async () => {
    await service?.stop();
    await nodes?.close();
  });

  it('are executed by the reference as go-ethereum recorded them', () => {
    for (const one of cases) assert.equal(referenceDifference(one), undefined, one.name);
  });

  for (const debug of [false, true]) {
    it(`are answered correctly or marked, ${debug ? 'with' : 'without'} debug API`, async function () {
      this.timeout(600_000);
      const from = tally.notes.length;
      await eachOf(cases, async ({ name, hardfork, block, executed }, index) => {
        const slug = slugOf(index, debug);
        const judged = await judgeTransaction(service!, slug, executed, block.context.coinbase);
        tally.add({ source: SOURCE, hardfork, debug }, name, judged);
      });
      report(tally, from);
    });
  }

  it('have places for the steps of their recordings, or their code says why not', async function () {
    this.timeout(600_000);
    await eachOf(recordedOf(cases), ({ executed }, index) =>
      requirePlaces(service!, slugOf(index, true), executed.transaction.hash ?? ''),
    );
  });
}

const slugOf = (index: number, debug: boolean): string => `case-${index}${debug ? '-debug' : ''}`;
