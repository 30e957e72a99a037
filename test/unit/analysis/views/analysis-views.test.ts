import assert from 'node:assert/strict';
import { Interface, id } from 'ethers';
import {
  AnalysisService,
  type ViewSources,
} from '../../../../server/analysis/views/analysis-service';
import type {
  Contract,
  Identification,
  RawStateDiff,
  SpentGas,
  TransactionTrace,
} from '../../../../server/analysis/ports';
import type { StorageLayout } from '../../../../server/analysis/storage-layout';
import { ExecutionLocator } from '../../../../server/analysis/views/execution-locator';
import { ApiError } from '../../../../server/api/errors';
import { NATIVE_ASSET } from '../../../../server/api/explorer';
import type { Address, Hash, Hex } from '../../../../server/api/primitives';
import {
  account,
  frame,
  HASH,
  identification,
  log,
  mappingSlot,
  mined,
  network,
  word,
} from '../../../support/analysis';
import { ScriptedRpc } from '../../../support/scripted-rpc';

const [ALICE, SHOP, TOKEN] = [account(0xa11), account(0xb0b), account(0x70)] as const;
const { transaction, receipt, block } = mined();
const TRANSFER = id('Transfer(address,address,uint256)') as Hash;
const input = new Interface(['function buy(uint256)']).encodeFunctionData('buy', [1]) as Hex;
const moved = log(TOKEN, [TRANSFER, word(ALICE), word(SHOP)], word(150));
const root = frame({ input, value: 5n, items: [moved] });
const SLOT = mappingSlot(word(ALICE), 0);
const uint256 = { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' };
const LAYOUT: StorageLayout = {
  storage: [{ label: 'paid', offset: 0, slot: '0', type: 'map' }],
  types: {
    uint256,
    address: { encoding: 'inplace', label: 'address', numberOfBytes: '20' },
    map: { ...uint256, encoding: 'mapping', key: 'address', value: 'uint256' },
  },
};
const DIFF = {
  pre: { [SHOP]: { balance: '0x1', storage: {} }, [ALICE]: { nonce: 1 } },
  post: { [SHOP]: { balance: '0x6', storage: { [SLOT]: word(9) } }, [ALICE]: { nonce: 2 } },
};

interface Story {
  trace?: Partial<TransactionTrace>;
  contracts?: Record<Address, Contract>;
  sources?: Partial<ViewSources>;
  prices?: () => Promise<never>;
}

/** `asked` lists what the views requested of their sources. */
function views({ trace = {}, contracts = {}, sources = {}, prices }: Story = {}) {
  const asked: unknown[] = [];
  const rpc = new ScriptedRpc({
    eth_getTransactionByHash: () => transaction,
    eth_getTransactionReceipt: () => receipt,
    eth_getBlockByHash: () => block,
  });
  const tokens = {
    factsOf: (_on: unknown, addresses: readonly Address[], at: bigint) => {
      asked.push(['tokens', addresses, at]);
      return Promise.resolve(new Map([[TOKEN, { symbol: 'TKN', decimals: 2 }]]));
    },
  };
  const priceSource = {
    pricesAt: (_on: unknown, assets: readonly Address[], at: object) => {
      asked.push(['prices', assets, at]);
      return prices?.() ?? Promise.resolve(new Map([[TOKEN, { value: 2n, decimals: 0 }]]));
    },
  };
  const known: Identification = identification({ [SHOP]: { code: '0x60' }, ...contracts });
  const executions = new ExecutionLocator({
    networks: { resolve: () => Promise.resolve(network(rpc, { key: 'eth' })) },
    traces: {
      trace: () =>
        Promise.resolve({ root, method: 'debug' as const, reportedGas: 21_000, ...trace }),
    },
    abis: { identify: () => Promise.resolve(known) },
  });
  const analysis = new AnalysisService(executions, {
    tokens,
    prices: priceSource,
    stateDiffs: {
      diff: (): Promise<RawStateDiff> => {
        asked.push('diff');
        return Promise.resolve({ answer: DIFF, method: 'debug' });
      },
    },
    spentGas: {
      spentGas: (_on, _mined, request): Promise<SpentGas | undefined> => {
        asked.push(['spent', request]);
        return Promise.resolve({ spent: 0, counter: 0 });
      },
    },
    rulesOf: () => 'prague',
    ...sources,
  });
  return { analysis, asked };
}
const request = { chain: 'eth', hash: HASH };
const base = {
  status: true,
  verification: {
    level: 'none',
    method: 'debug',
    executor: 'node',
    faithful: false,
    firstDifference: 'logs: 1 in the trace, 0 in the receipt',
  },
  labels: { [TOKEN]: 'TKN' },
};

describe('the views of AnalysisService', () => {
  it('return the fund flow with values', async () => {
    const { analysis, asked } = views();
    const { fundFlow, ...rest } = await analysis.fundFlow(request);
    assert.deepEqual(rest, base);
    assert.deepEqual(
      fundFlow.map(({ from, to, asset, amount, value, nodeId }) => [
        from,
        to,
        asset,
        amount,
        value,
        nodeId,
      ]),
      [
        [ALICE, SHOP, NATIVE_ASSET, '0.000000000000000005', '', 0],
        [ALICE, SHOP, TOKEN, '1.5', '3', 1],
      ],
    );
    const at = { number: 100n, timestamp: 0x65000000 };
    assert.deepEqual(asked, [
      ['tokens', [TOKEN], 100n],
      ['prices', [NATIVE_ASSET, TOKEN], at],
    ]);
  });

  it('request no price of tokens with ids', async () => {
    const nft = log(TOKEN, [TRANSFER, word(ALICE), word(SHOP), word(7)]);
    const { analysis, asked } = views({ trace: { root: frame({ items: [nft] }) } });
    await analysis.fundFlow(request);
    assert.deepEqual((asked[1] as unknown[])[1], []);
  });

  it('return the gas profile, and ask once for gas that does not follow from the receipt', async () => {
    const { analysis, asked } = views();
    const { gasProfile, ...rest } = await analysis.gasProfile(request);
    assert.deepEqual(rest, base);
    assert.deepEqual(
      [gasProfile.gasUsed, gasProfile.intrinsicGas, gasProfile.frames[0]?.method],
      [21_000, 21_000, ''],
    );
    await analysis.gasProfile(request);
    const spent = asked.filter((one) => Array.isArray(one) && one[0] === 'spent');
    assert.deepEqual(spent, [['spent', { created: '0x', needsCounter: true }]]);
  });

  it('ask again for gas that was unknown, with the code of a creation and the need of a counter', async () => {
    const requests: unknown[] = [];
    const spentGas = {
      spentGas: (_on: unknown, _mined: unknown, of: unknown) => {
        requests.push(of);
        return Promise.resolve(undefined);
      },
    };
    const created = frame({ type: 'CREATE', input: '0x6000', output: '0x60', items: [moved] });
    const rules = () => 'cancun' as const;
    const { analysis } = views({ trace: { root: created }, sources: { spentGas, rulesOf: rules } });
    await analysis.gasProfile(request);
    await analysis.gasProfile(request);
    assert.deepEqual(requests, Array(2).fill({ created: '0x60', needsCounter: false }));
    requests.length = 0;
    const floored = views({ trace: { root: frame({ items: [moved] }) }, sources: { spentGas } });
    await floored.analysis.gasProfile(request);
    assert.deepEqual(requests, [{ created: '0x', needsCounter: true }]);
    requests.length = 0;
    const spentByTrace = { spent: 5, counter: 0 };
    const simulated = views({ trace: { spentGas: spentByTrace }, sources: { spentGas } });
    const { gasProfile } = await simulated.analysis.gasProfile(request);
    assert.deepEqual([requests, gasProfile.executionGas], [[], 5]);
  });

  it('use the rules of the header if the chain has none of its own', async () => {
    const rules: unknown[] = [];
    const rulesOf = (_on: unknown, header: unknown) => {
      rules.push(header);
      return undefined;
    };
    const { analysis } = views({ sources: { rulesOf } });
    const { gasProfile } = await analysis.gasProfile(request);
    assert.deepEqual([gasProfile.intrinsicGas, rules.length], [null, 1]);
  });

  it('return the state difference, once requested, with the names of slots', async () => {
    const { analysis, asked } = views({ contracts: { [SHOP]: { code: '0x60', layout: LAYOUT } } });
    const { stateDiff, ...rest } = await analysis.stateDiff(request);
    assert.deepEqual(rest, base);
    assert.equal(stateDiff.method, 'debug');
    const shop = stateDiff.accounts.find(({ address }) => address === SHOP);
    assert.deepEqual(shop?.storage, [
      {
        slot: SLOT,
        before: word(0),
        after: word(9),
        variables: [{ name: `paid[${ALICE}]`, type: 'uint256', before: '0', after: '9' }],
      },
    ]);
    await analysis.stateDiff(request);
    assert.equal(asked.filter((one) => one === 'diff').length, 1);
  });

  it('name slots by the layout of the implementation, and leave them without one', async () => {
    const contracts: Record<Address, Contract> = {
      [SHOP]: { code: '0x60', implementation: account(0x1331) },
      [account(0x1331)]: { layout: LAYOUT },
    };
    const nameIn = async (known: Record<Address, Contract>) => {
      const { accounts } = (await views({ contracts: known }).analysis.stateDiff(request))
        .stateDiff;
      return accounts.find(({ address }) => address === SHOP)?.storage[0]?.variables?.[0]?.name;
    };
    assert.equal(await nameIn(contracts), `paid[${ALICE}]`);
    assert.equal(await nameIn({}), undefined);
    const own = { ...LAYOUT, storage: [{ ...LAYOUT.storage[0]!, label: 'own' }] };
    const both = { ...contracts, [SHOP]: { ...contracts[SHOP]!, layout: own } };
    assert.equal(await nameIn(both), `paid[${ALICE}]`);
  });

  it('use the changes of a replay of the whole prefix only', async () => {
    const changes = { pre: {}, post: { [SHOP]: { balance: '0x1' } } };
    for (const [applied, requests, method] of [
      [0, 0, 'replay'],
      [1, 1, 'debug'],
    ] as const) {
      const { analysis, asked } = views({ trace: { method: 'replay', applied, changes } });
      const { stateDiff } = await analysis.stateDiff(request);
      assert.equal(stateDiff.method, method);
      assert.equal(asked.filter((one) => one === 'diff').length, requests);
    }
  });

  it('return all views in one, with the failures of some', async () => {
    const lacks = (message: string) => () =>
      Promise.reject(new ApiError('upstreamLacksData', message));
    const { analysis } = views({
      prices: lacks('no prices'),
      sources: {
        stateDiffs: { diff: lacks('no difference') },
        spentGas: { spentGas: lacks('no gas') },
      },
    });
    const whole = await analysis.all(request);
    assert.deepEqual(
      [whole.balanceChange, whole.fundFlow, whole.gasProfile, whole.stateDiff],
      [null, null, null, null],
    );
    const failures = [...whole.failures].sort((a, b) => (a.part < b.part ? -1 : 1));
    const { code } = new ApiError('upstreamLacksData', '');
    assert.deepEqual(failures, [
      { part: 'balanceChange', code, message: 'no prices' },
      { part: 'fundFlow', code, message: 'no prices' },
      { part: 'gasProfile', code, message: 'no gas' },
      { part: 'stateDiff', code, message: 'no difference' },
    ]);
    assert.deepEqual(whole.verification, base.verification);
    assert.equal(whole.trace.length, 1);
  });

  it('return all views in one without failures', async () => {
    const whole = await views().analysis.all(request);
    assert.deepEqual(whole.failures, []);
    assert.deepEqual(
      whole.balanceChange?.map(({ account: of }) => of),
      [ALICE, SHOP],
    );
    assert.equal(whole.fundFlow?.length, 2);
    assert.equal(whole.gasProfile?.frames.length, 1);
    assert.equal(whole.stateDiff?.accounts.length, 2);
    assert.deepEqual(
      [whole.verification?.native, whole.verification?.tokens],
      ['unchecked', 'unchecked'],
    );
  });

  it('do not hide a cancelled request or a fault in the failure of one view', async () => {
    const failing = (error: Error) =>
      views({ sources: { stateDiffs: { diff: () => Promise.reject(error) } } }).analysis;
    await assert.rejects(failing(new Error('a fault')).all(request), { message: 'a fault' });
    const cancelled = new ApiError('cancelled', 'cancelled');
    await assert.rejects(failing(cancelled).all(request), { kind: 'cancelled' });
  });
});
