import assert from 'node:assert/strict';
import type { Analysis } from '../../server/api/views';
import { NATIVE_ASSET } from '../../server/api/explorer';
import { AMSTERDAM_CASES } from '../fidelity/adversarial/amsterdam-cases';
import { addressOf, BOB, ETHER, planOf, type AdversarialCase } from '../fidelity/adversarial/case';
import { at } from '../fidelity/assembler';
import { ReferenceChain, type Executed } from '../fidelity/reference/chain';
import { ReferenceNodes } from '../fidelity/reference/node';
import { startService, type TestService } from '../support/service';

const SYSTEM_ADDRESS = `0x${'f'.repeat(39)}e`;

describe('a block of Amsterdam', function () {
  this.timeout(60_000);
  let nodes: ReferenceNodes;
  let service: TestService;
  const last = new Map<string, Executed>();

  before(async () => {
    nodes = await ReferenceNodes.start();
    const chains: object[] = [];
    for (const [index, one] of AMSTERDAM_CASES.entries()) {
      const chain = await ReferenceChain.play(planOf(one, 'amsterdam'));
      last.set(slugOf(one), chain.blocks.at(-1)!.transactions.at(-1)!);
      for (const debug of [false, true]) {
        chains.push({
          slug: `${debug ? 'debug' : 'plain'}-${index}`,
          chainId: 1,
          rpcUrls: [nodes.add(String(index), chain, debug)],
        });
      }
    }
    service = await startService({ config: { chains, prices: { source: 'none' } } });
  });
  after(async () => {
    await service.stop();
    await nodes.close();
  });

  const slugOf = (one: AdversarialCase): string => `plain-${AMSTERDAM_CASES.indexOf(one)}`;
  const caseOf = (eip: string): AdversarialCase =>
    AMSTERDAM_CASES.find(({ name }) => name.includes(eip))!;

  async function analysisOf(one: AdversarialCase, debug = false): Promise<Analysis> {
    const slug = slugOf(one);
    const hash = last.get(slug)!.transaction.hash ?? '';
    const chain = debug ? slug.replace('plain', 'debug') : slug;
    const path = `/v1/explorer/${chain}/transaction/${hash}/analysis?proof=wait`;
    const { code, message, data } = await service.request<Analysis>('GET', path);
    assert.equal(code, 0, `${one.name}: ${message}`);
    return data;
  }

  it('is executed by its own rules where its node has no debug API', async () => {
    const { verification } = await analysisOf(caseOf('EIP-7843'));
    const { level, executor, native, warnings } = verification ?? {};
    assert.deepEqual(
      { level, executor, native, warnings },
      { level: 'state-proved', executor: 'process', native: 'verified', warnings: undefined },
    );
  });

  it('lists transfer logs as events, and each transfer once', async () => {
    for (const debug of [false, true]) {
      const { fundFlow, dataMap, balanceChange } = await analysisOf(caseOf('EIP-7708'), debug);
      const events = Object.values(dataMap).flatMap((node) =>
        node.nodeType === 1 ? [node.event.contract] : [],
      );
      assert.deepEqual(
        events,
        Array.from({ length: 4 }, () => SYSTEM_ADDRESS),
      );
      assert.deepEqual(
        fundFlow?.map(({ from, to, asset, amount }) => [from, to, asset, amount]),
        [
          [addressOf(BOB), at('x'), NATIVE_ASSET, '0.000000000000000003'],
          [at('x'), at('dies'), NATIVE_ASSET, '0.000000000000000005'],
          [at('dies'), at('heir'), NATIVE_ASSET, '1.000000000000000005'],
          // Without a log (EIP-7708).
          [at('x'), at('x'), NATIVE_ASSET, '0.000000000000000006'],
          [at('x'), addressOf(BOB), NATIVE_ASSET, '0.000000000000000007'],
        ],
      );
      const heir = balanceChange?.find(({ account }) => account === at('heir'));
      assert.deepEqual(
        heir?.assets.map(({ address, rawAmount }) => [address, rawAmount]),
        [[NATIVE_ASSET, String(ETHER + 5n)]],
      );
    }
  });

  it('is not recorded', async () => {
    const { hash } = last.get('plain-0')!.transaction;
    const path = `/v1/explorer/plain-0/transaction/${hash}/recording`;
    const { status, code, message } = await service.request('GET', path);
    assert.deepEqual([status, code], [422, 42_203]);
    assert.match(message, /^block 1 of plain-0 follows the rules of Amsterdam, which no engine/);
  });

  it('has gas profiles whose parts add up, with the gas for state', async () => {
    for (const one of AMSTERDAM_CASES) {
      for (const debug of [false, true]) {
        const { gasProfile } = await analysisOf(one, debug);
        const { gasUsed, intrinsicGas, executionGas, refund, floorGas } = gasProfile!;
        assert.equal(gasUsed, Number(last.get(slugOf(one))!.gasUsed), one.name);
        const parts = [intrinsicGas, executionGas, refund, floorGas];
        if (debug && parts.includes(null)) continue; // The node lists no instructions.
        const [intrinsic = 0, execution = 0, refunded = 0, floor = 0] = parts.map(Number);
        assert.ok(!parts.includes(null), one.name);
        assert.equal(intrinsic + execution - refunded + floor, gasUsed, one.name);
      }
    }
  });
});
