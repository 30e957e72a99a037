import assert from 'node:assert/strict';
import { UpstreamProxy } from '../support/upstream-proxy';
import { call, isKind, PROJECT, TestForks } from './fork-service';
import { ALICE, COUNTER, TestChain, testEngines, type TestEngines } from './fork-upstream';

type Fields = Record<string, unknown>;

/** What an L2 puts into its blocks beside users' transactions: unsigned, with fields of its own. */
const L2_TYPES: [chain: string, Fields][] = [
  [
    'an OP Stack deposit',
    { type: '0x7e', sourceHash: `0x${'aa'.repeat(32)}`, mint: '0x0', isSystemTx: false },
  ],
  ['an Arbitrum internal transaction', { type: '0x6a', requestId: `0x${'bb'.repeat(32)}` }],
];

describe('blocks with transactions of other types', () => {
  let engines: TestEngines;
  let proxy: UpstreamProxy;
  let service: TestForks;
  let height: string;

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    await chain.send(ALICE, { to: COUNTER });
    await chain.send(ALICE, { to: COUNTER });
    height = `0x${(await chain.mine()).toString(16)}`;
    await chain.mine();
    proxy = await UpstreamProxy.start(chain.engine.url);
  });
  after(async () => {
    await proxy.close();
    await engines.close();
  });
  beforeEach(async () => {
    service = await TestForks.open(engines.start, engines.home, {
      slug: 'l2',
      chainId: 1,
      nativeSymbol: 'ETH',
      hardfork: 'prague',
      rpcUrls: [proxy.url],
    });
  });
  afterEach(async () => {
    await service.forks.deleteAllOf(PROJECT);
    await service.close();
  });

  for (const [what, fields] of L2_TYPES) {
    it(`are read with ${what}, and a position behind it is refused by its type`, async () => {
      proxy.rewrite = (answer) => eachObject(answer, (one) => withFirst(one, fields));
      const { rpc } = await service.create({ height });
      const block = await call<{ transactions: Fields[] }>(
        rpc,
        'eth_getBlockByNumber',
        height,
        true,
      );
      assert.equal(block.transactions.length, 2);
      assert.equal(block.transactions[0]?.['type'], fields['type']);
      await call(rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });
      assert.equal(Number(await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest')), 3);
      await service.create({ height, position: 0 });
      await assert.rejects(
        service.create({ height, position: 1 }),
        isKind(
          'upstreamLacksData',
          new RegExp(`of type ${String(fields['type'])} cannot be replayed`),
        ),
      );
    });
  }
});

const SIGNATURE = new Set(['r', 's', 'v', 'yParity', 'accessList']);

/** Makes the first transaction of a full block, wherever it is, one of the type. */
function withFirst(one: Fields, fields: Fields): Fields {
  if (one['transactionIndex'] !== '0x0' || one['input'] === undefined) return one;
  const unsigned = Object.entries(one).filter(([name]) => !SIGNATURE.has(name));
  return { ...Object.fromEntries(unsigned), ...fields };
}

function eachObject(value: unknown, change: (one: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map((one) => eachObject(one, change));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => [name, eachObject(one, change)]);
  return change(Object.fromEntries(members) as Fields);
}
