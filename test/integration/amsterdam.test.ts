import assert from 'node:assert/strict';
import type { Disassembly, Recording } from '../../server/api/recording';
import type { Analysis } from '../../server/api/views';
import { NATIVE_ASSET } from '../../server/api/explorer';
import { AMSTERDAM_CASES } from '../fidelity/adversarial/amsterdam-cases';
import {
  addressOf,
  BOB,
  ETHER,
  planOf,
  word,
  type AdversarialCase,
} from '../fidelity/adversarial/case';
import { toQuantity } from '../../server/evm/forms/quantity';
import { assemble, at } from '../fidelity/assembler';
import { ReferenceChain, type Executed } from '../fidelity/reference/chain';
import { ReferenceNodes } from '../fidelity/reference/node';
import { RecordedSession } from '../support/recordings';
import { startService, type Answer, type TestService } from '../support/service';

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
    service = await startService({ counted: true, config: { chains, prices: { source: 'none' } } });
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

  const simulate = (one: AdversarialCase, body: object): Promise<Answer<Analysis>> =>
    service.request('POST', `/v1/explorer/${slugOf(one)}/simulate`, {
      body: { from: addressOf(BOB), ...body },
    });

  it('is the place of simulations by its own rules, before, between and after its transactions', async () => {
    const one = caseOf('transfer to a new account');
    for (const position of [0, 1, 2]) {
      const call = { to: at('nobody'), value: '8', gasPrice: '10000000000', position };
      const { code, message, data } = await simulate(one, call);
      assert.equal(code, 0, message);
      const { simulation, gasProfile, balanceChange } = data;
      const { method, executor, native, warnings = [] } = simulation!;
      assert.deepEqual([method, executor, native], ['replay', 'process', 'verified']);
      assert.match(warnings.join(), /^the rules of Amsterdam are not final/);
      // The account exists after the last transaction of the block: there is no new state.
      assert.equal(gasProfile!.gasUsed, position === 2 ? 21_000 : 204_600);
      const nobody = balanceChange?.find(({ account }) => account === at('nobody'));
      assert.deepEqual(
        nobody?.assets.map(({ rawAmount }) => rawAmount),
        ['8'],
      );
    }
  });

  it('is simulated with overrides, authorizations and without a price', async () => {
    const one = caseOf('EIP-7843');
    const code = assemble('slotnum 0 mstore basefee 32 mstore number 64 mstore 96 0 return');
    const { data } = await simulate(one, {
      to: at('new'),
      stateOverrides: { [at('new')]: { code } },
      blockOverrides: { number: '0x77' },
    });
    const [top] = Object.values(data.dataMap);
    assert.ok(top?.nodeType === 0);
    assert.equal(
      top.invocation.output,
      `0x${[1_003n, 0n, 0x77n].map((n) => word(n).slice(2)).join('')}`,
    );
    const authorized = caseOf('authorization of an account');
    const mined = last.get(slugOf(authorized))!;
    const [authorization] = mined.transaction.authorizationList ?? [];
    const { signature, nonce, chainId, address } = authorization!;
    const { r, s, yParity } = signature;
    const signed = {
      address,
      r,
      s,
      nonce: toQuantity(nonce),
      chainId: toQuantity(chainId),
      yParity: toQuantity(yParity),
    };
    const again = await simulate(authorized, {
      to: at('x'),
      position: 0,
      maxFeePerGas: '10000000000',
      authorizationList: [signed],
    });
    assert.equal(again.data.gasProfile?.gasUsed, Number(mined.gasUsed));
  });

  it('refuses what no block could contain', async () => {
    const call = { to: at('x'), value: String(100n * ETHER) };
    const { status, code, message } = await simulate(caseOf('EIP-7843'), call);
    assert.deepEqual([status, code], [422, 42_200]);
    assert.match(message, /^the transaction cannot be executed: sender doesn't have enough funds/);
  });

  it('is recorded as its receipts say, with and without a debug API', async () => {
    for (const one of AMSTERDAM_CASES) {
      for (const debug of [false, true]) {
        const slug = slugOf(one);
        const { transaction, gasUsed, status } = last.get(slug)!;
        const chain = debug ? slug.replace('plain', 'debug') : slug;
        const path = `/v1/explorer/${chain}/transaction/${transaction.hash}/recording`;
        const { code, message, data } = await service.request<Recording>('GET', path);
        assert.equal(code, 0, `${one.name}: ${message}`);
        const { verification } = data;
        assert.deepEqual(
          [verification, data.gasUsed, data.status],
          [{ level: 'receipt' }, Number(gasUsed), status],
          one.name,
        );
      }
    }
  });

  it('is recorded with unsent calls, which the trace of their simulation proves', async () => {
    const slug = slugOf(caseOf('new accounts and slots'));
    for (const position of [0, 1]) {
      const body = { from: addressOf(BOB), to: at('x'), gasPrice: '10000000000', position };
      const path = `/v1/explorer/${slug}/simulate/recording`;
      const { code, message, data } = await service.request<Recording>('POST', path, { body });
      assert.equal(code, 0, message);
      const { level, warnings = [] } = data.verification;
      assert.equal(level, 'call-trace');
      assert.match(warnings.join(), /^the rules of Amsterdam are not final/);
    }
  });

  it('is listed with the operands of DUPN, SWAPN and EXCHANGE', async () => {
    const slug = slugOf(caseOf('EIP-8024'));
    const session = await RecordedSession.open(service, slug, last.get(slug)!.transaction.hash!);
    const { instructions } = await session.get<Disassembly>('/contract/0/instructions');
    const deep = instructions.filter(({ bytes }) => /^0xe[678]/.test(bytes));
    assert.deepEqual(
      deep.map(({ op, bytes }) => [op, bytes]),
      [
        ['DUPN 17', '0xe680'],
        ['SWAPN 17', '0xe780'],
        ['EXCHANGE 1 2', '0xe88e'],
      ],
    );
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
