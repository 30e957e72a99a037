import assert from 'node:assert/strict';
import type { BlockTransactions } from '../../server/api/chain-explorer';
import type { Analysis } from '../../server/api/views';
import { startService, type TestService } from '../support/service';
import { eachObject, UpstreamProxy, withoutDebugApi } from '../support/upstream-proxy';
import {
  ALICE,
  BOB,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

type Fields = Record<string, unknown>;

const UNSIGNED = { r: undefined, s: undefined, v: undefined };
/** Forms of other chains' transactions, by position in the block. Undefined fields are missing in the node's answer. */
const FORMS: readonly (readonly [what: string, fields: Fields | null])[] = [
  ['start of a block of Arbitrum', { ...UNSIGNED, type: '0x6a', gas: '0x0', requestId: '0x1' }],
  ['deposit of Arbitrum', { ...UNSIGNED, type: '0x64', gas: '0x0', requestId: '0x2' }],
  ['retry of Arbitrum', { ...UNSIGNED, type: '0x68', ticketId: '0x3', maxRefund: '0x4' }],
  ['state sync of Polygon', { type: '0x7f', gas: '0x0', r: '0x0', s: '0x0', v: '0x0' }],
  ['fee in a token of Celo', { type: '0x7b', feeCurrency: `0x${'cc'.repeat(20)}` }],
  [
    'several calls of Tempo',
    { type: '0x76', to: undefined, value: undefined, input: undefined, calls: [], feeToken: null },
  ],
  ['nothing', null],
  ['neighbour', {}],
];
const CHAIN_MADE =
  /^transaction 0x[0-9a-f]{64} cannot be executed again: it was made by the chain itself \(type 0x(64|68|6a)\): ArbOS is not executed here, and only the chain's own node can execute it$/;

describe("transactions in other chains' forms", function () {
  this.timeout(60_000);
  let engines: TestEngines;
  let chain: TestChain;
  let proxy: UpstreamProxy;
  let service: TestService;
  const hashes: string[] = [];
  let head = 0;

  before(async () => {
    engines = await testEngines();
    chain = await TestChain.start(engines.start);
    for (const [index] of FORMS.entries()) {
      hashes.push(await chain.send(index % 2 === 0 ? ALICE : BOB, { to: COUNTER, type: 0 }));
    }
    head = await chain.mine();
    proxy = await UpstreamProxy.start(chain.engine.url);
    proxy.fault = withoutDebugApi;
    proxy.rewrite = (answer) =>
      eachObject(answer, (one) => {
        if (Array.isArray(one['transactions'])) {
          const transactions = one['transactions'].map((entry: unknown) =>
            entry !== null && (entry as Fields)['hash'] === hashes[6] ? null : entry,
          );
          return { ...one, transactions };
        }
        const [, fields] = FORMS[hashes.indexOf(String(one['hash']))] ?? [];
        return fields && one['nonce'] !== undefined ? { ...one, ...fields } : one;
      });
    service = await startService({
      counted: true,
      config: { chains: [ethChain(proxy.url)], prices: { source: 'none' } },
    });
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await engines.close();
  });

  it('are listed with their block and their neighbours', async () => {
    const path = `/v1/explorer/eth/block/${head}/transactions`;
    const { code, message, data } = await service.request<BlockTransactions>('GET', path);
    assert.equal(code, 0, message);
    assert.equal(data.block.transactionCount, FORMS.length);
    assert.deepEqual(
      data.transactions.map(({ position }) => position),
      FORMS.map((_, position) => position),
    );
    for (const [position, [what]] of FORMS.entries()) {
      const { hash, from, to } = data.transactions[position]!;
      if (what === 'nothing') assert.equal(BigInt(hash), 0n);
      else assert.equal(hash, hashes[position], what);
      if (what !== 'nothing') assert.ok(from.length === 42, what);
      if (what === 'neighbour') assert.equal(to, COUNTER);
    }
  });

  const analysisOf = (position: number) =>
    service.request<Analysis>('GET', `/v1/explorer/eth/transaction/${hashes[position]}/analysis`);

  it('say in one sentence that the chain made them', async () => {
    for (const position of [0, 1, 2]) {
      const { code, message } = await analysisOf(position);
      assert.equal(code, 50_201, message);
      assert.match(message, CHAIN_MADE);
    }
    const { code, message } = await analysisOf(3);
    assert.equal(code, 50_201);
    assert.match(
      message,
      /it was made by the chain itself \(type 0x7f\), and only the chain's own/,
    );
  });

  it('are refused by their type where only their chain executes it', async () => {
    for (const [position, type] of [
      [4, '0x7b'],
      [5, '0x76'],
    ] as const) {
      const { code, message } = await analysisOf(position);
      assert.equal(code, 50_201, message);
      assert.equal(
        message,
        `transaction ${hashes[position]} cannot be executed again: transactions of type ${type} are executed by the chain's own node only, and their analysis needs its debug API`,
      );
    }
  });

  it('have no recordings for the same reason', async () => {
    for (const [position, type] of [
      [4, '0x7b'],
      [5, '0x76'],
    ] as const) {
      for (const what of ['recording', 'gas-profile', 'state-diff']) {
        const path = `/v1/explorer/eth/transaction/${hashes[position]}/${what}`;
        const { code, message } = await service.request('GET', path);
        assert.equal(code, 50_201, `${what}: ${message}`);
        assert.ok(message.includes(`transactions of type ${type} are executed by`), message);
      }
    }
  });

  it('do not hide their neighbours', async () => {
    const { code, message, data } = await analysisOf(7);
    assert.equal(code, 0, message);
    assert.equal(data.transaction.type, 0);
    assert.notEqual(data.verification?.level, 'state-proved');
  });
});
