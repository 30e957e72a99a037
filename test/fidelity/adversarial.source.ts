import assert from 'node:assert/strict';
import { startService, type TestService } from '../support/service';
import { judgeFork, positionsOf } from './fork-positions';
import { Random } from './random-programs/random';
import { judgeTransaction } from './request-analyses';
import { ADVERSARIAL_CASES } from './adversarial/cases';
import { appliesTo, planOf, type AdversarialCase } from './adversarial/case';
import { eachOf } from './parallel';
import { ReferenceChain, type PlayedBlock } from './reference/chain';
import { ReferenceNodes } from './reference/node';
import { ALL_HARDFORKS, type PlannedHardfork } from './reference/plan';
import { FORM } from './run-length';
import { report, type Tally } from './verdict-counts';
import { expectedNets } from './expected-changes';

const SOURCE = 'adversarial blocks';
const FORKS = 'forks inside adversarial blocks';
/** Seed of the positions of forks. */
const SEED = 1;
/** The short form omits the hardforks that differ least from a neighbouring one. */
const PLAYED: readonly PlannedHardfork[] =
  FORM === 'long' ? ALL_HARDFORKS : ['berlin', 'shanghai', 'prague', 'osaka', 'amsterdam'];

interface Played {
  one: AdversarialCase;
  hardfork: PlannedHardfork;
  slug: string;
  last: PlayedBlock;
}

/** Handcrafted blocks, each played by the reference on a separate chain. */
export function adversarialBlocks(
  tally: Tally,
  hardforks = PLAYED,
  isPlayed: (one: AdversarialCase, hardfork: PlannedHardfork) => boolean = () => true,
): void {
  const played: Played[] = [];
  let nodes: ReferenceNodes;
  let service: TestService;

  before(async function () {
    this.timeout(300_000);
    nodes = await ReferenceNodes.start();
    const chains: object[] = [];
    for (const hardfork of hardforks) {
      for (const [index, one] of ADVERSARIAL_CASES.entries()) {
        if (!appliesTo(one, hardfork) || !isPlayed(one, hardfork)) continue;
        const chain = await ReferenceChain.play(planOf(one, hardfork));
        const slug = `${hardfork}-${index}`;
        played.push({ one, hardfork, slug, last: chain.blocks.at(-1)! });
        for (const debug of [false, true]) {
          chains.push({
            slug: slugOf(slug, debug),
            chainId: 1,
            rpcUrls: [nodes.add(slug, chain, debug)],
            nativeSymbol: 'ETH',
            // Its headers prove it.
            ...(hardfork === 'amsterdam' ? {} : { hardfork }),
          });
        }
      }
    }
    service = await startService({ config: { chains, prices: { source: 'none' } } });
  });
  after(async () => {
    await service.stop();
    await nodes.close();
  });

  it('have the handcrafted results on the reference', () => {
    for (const { one, hardfork, last } of played) {
      // The amounts of older cases that depend on gas are others since EIP-8037.
      if (one.byReference || (hardfork === 'amsterdam' && one.since !== hardfork)) continue;
      const target = last.transactions.at(one.target ?? -1)!;
      const nets = expectedNets(target, last.context.coinbase);
      assert.deepEqual(Object.fromEntries(nets), one.nets, `${hardfork}: ${one.name}`);
    }
  });

  for (const debug of [false, true]) {
    it(`are answered correctly or marked, ${debug ? 'with' : 'without'} debug API`, async function () {
      this.timeout(600_000);
      const before = tally.notes.length;
      await eachOf(played, async ({ one, hardfork, slug, last }) => {
        const target = last.transactions.at(one.target ?? -1)!;
        for (const executed of FORM === 'long' ? last.transactions : [target]) {
          const { coinbase } = last.context;
          const judged = await judgeTransaction(service, slugOf(slug, debug), executed, coinbase);
          const name = `${one.name}, transaction ${executed.index}`;
          tally.add({ source: SOURCE, hardfork, debug }, name, judged);
        }
      });
      report(tally, before);
    });
  }

  // The other hardforks have forks inside busy blocks, whose node does not execute Osaka; those of Amsterdam are refused.
  if (!hardforks.includes('osaka')) return;
  it('are forked at each of some positions of blocks of Osaka', async function () {
    this.timeout(600_000);
    const before = tally.notes.length;
    const random = new Random(SEED);
    const forks = played
      .filter(({ hardfork }) => hardfork === 'osaka')
      .filter(({ one }) => FORM === 'long' || one.since === 'osaka')
      .flatMap((block) =>
        positionsOf(block.last, random, 1).map((position) => ({ ...block, position })),
      );
    await eachOf(forks, async ({ one, hardfork, slug, last, position }) => {
      const state = await judgeFork(service, slug, last, position);
      const name = `${one.name}, position ${position}`;
      tally.add({ source: FORKS, hardfork, debug: false }, name, { state });
    });
    report(tally, before);
  });
}

const slugOf = (slug: string, debug: boolean): string => (debug ? `${slug}-debug` : slug);
