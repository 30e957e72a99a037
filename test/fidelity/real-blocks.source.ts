import type { Recording } from '../../server/api/recording';
import { startService, type TestService } from '../support/service';
import { judgeForkOf, positionsOf } from './fork-positions';
import { NodeServer } from './node-server';
import { Random } from './random-programs/random';
import { readKonaBlocks } from './real-blocks/kona-files';
import { provedKonaBlock } from './real-blocks/kona-block';
import { answersOf } from './real-blocks/node';
import { provedOsakaBlocks } from './real-blocks/osaka-block';
import type { RealBlock, RealExecuted } from './real-blocks/real-block';
import { judgeTransaction } from './request-analyses';
import { KONA_BLOCKS, OSAKA_BLOCK, SEED } from './run-length';
import type { Judgement } from './verdict';
import { report, type Tally } from './verdict-counts';

/** Positions inside a block besides the start, after the first transaction, and the end. */
const SOME = 4;

/** Blocks of public chains, which are not part of this repository: they are read from given folders. */
export function realBlocks(tally: Tally): void {
  const osaka = OSAKA_BLOCK;
  describe('of mainnet', () => {
    if (osaka === undefined) it.skip('are not given (--osaka-block DIR)');
    else blocksOf('blocks of mainnet', () => provedOsakaBlocks(osaka), tally);
  });
  const kona = KONA_BLOCKS;
  describe('of OP Sepolia', () => {
    if (kona === undefined) {
      it.skip('are not given (--kona-blocks DIR)');
      return;
    }
    const read = async (): Promise<RealBlock[]> => {
      const proved: RealBlock[] = [];
      for (const stored of readKonaBlocks(kona)) proved.push(await provedKonaBlock(stored));
      return proved;
    };
    blocksOf('blocks of OP Sepolia', read, tally);
  });
}

function blocksOf(source: string, read: () => Promise<RealBlock[]>, tally: Tally): void {
  let blocks: readonly RealBlock[] = [];
  let nodes: NodeServer;
  let service: TestService;

  before(async function () {
    this.timeout(3_600_000);
    blocks = await read();
    nodes = await NodeServer.start();
    const chains = blocks.flatMap((block) =>
      [false, true].map((debug) => {
        const slug = slugOf(block, debug);
        const rpcUrls = [nodes.add(`/${slug}`, answersOf(block, debug))];
        return { slug, name: slug, chainId: block.chainId, rpcUrls };
      }),
    );
    service = await startService({ config: { chains, prices: { source: 'none' } } });
  });
  after(async () => {
    await service.stop();
    await nodes.close();
  });

  for (const debug of [false, true]) {
    const api = debug ? 'with' : 'without';
    it(`are answered correctly or marked, ${api} debug API`, async function () {
      this.timeout(3_600_000);
      const from = tally.notes.length;
      await eachTransaction(async (block, executed, name) => {
        const slug = slugOf(block, debug);
        const judged = await judgeTransaction(service, slug, executed, block.coinbase);
        tally.add({ source, hardfork: block.hardfork, debug }, name, judged);
      });
      report(tally, from);
    });

    it(`are recorded as executed, ${api} debug API`, async function () {
      this.timeout(3_600_000);
      const from = tally.notes.length;
      await eachTransaction(async (block, executed, name) => {
        const state = await judgeRecording(service, slugOf(block, debug), executed);
        const row = { source: `recordings of ${source}`, hardfork: block.hardfork, debug };
        tally.add(row, name, { state });
      });
      report(tally, from);
    });
  }

  it('are forked at positions', async function () {
    this.timeout(3_600_000);
    const from = tally.notes.length;
    const random = new Random(SEED ?? 1);
    for (const block of blocks) {
      const { chainId, transactions, state, answered, hardfork } = block;
      const forked = { chainId, transactions, state, number: answered.block.header.number };
      for (const position of positionsOf(forked, random, SOME)) {
        const judged = await judgeForkOf(service, slugOf(block, false), forked, position);
        const row = { source: `forks inside ${source}`, hardfork, debug: false };
        tally.add(row, `${block.slug}, position ${position}`, { state: judged });
      }
    }
    report(tally, from);
  });

  async function eachTransaction(
    judge: (block: RealBlock, executed: RealExecuted, name: string) => Promise<void>,
  ): Promise<void> {
    for (const block of blocks) {
      for (const executed of block.transactions) {
        await judge(block, executed, `${block.slug}, transaction ${executed.index}`);
      }
    }
  }
}

const slugOf = ({ slug }: RealBlock, debug: boolean): string => (debug ? `${slug}-debug` : slug);

/** A recording has as many steps as the reference executed, and its gas and status. */
async function judgeRecording(
  service: TestService,
  chain: string,
  { transaction, instructions, gasUsed, status }: RealExecuted,
): Promise<Judgement> {
  const path = `/v1/explorer/${chain}/transaction/${transaction.hash ?? ''}/recording`;
  const { code, message, data } = await service.request<Recording>('GET', path);
  if (code !== 0) return { verdict: 'marked', why: `${code} ${message}` };
  const [wanted, found] = [
    { steps: instructions, gasUsed: Number(gasUsed), status },
    { steps: data.steps, gasUsed: data.gasUsed, status: data.status },
  ].map((facts) => JSON.stringify(facts));
  if (wanted === found) return { verdict: 'right' };
  const isClaimed = data.verification.level === 'receipt';
  return {
    verdict: isClaimed ? 'wrong' : 'marked',
    why: `expected ${wanted}, answered ${found}`,
  };
}
