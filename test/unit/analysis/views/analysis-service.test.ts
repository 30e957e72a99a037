import assert from 'node:assert/strict';
import {
  AnalysisService,
  type ViewSources,
} from '../../../../server/analysis/views/analysis-service';
import {
  ExecutionLocator,
  type ExecutionSources,
} from '../../../../server/analysis/views/execution-locator';
import type { Network, TransactionTrace } from '../../../../server/analysis/ports';
import { Proofs } from '../../../../server/analysis/traces/proofs';
import type { Hardfork } from '../../../../server/api/config';
import { chainNotFound } from '../../../../server/api/errors';
import { NATIVE_ASSET } from '../../../../server/api/explorer';
import { RpcError } from '../../../../server/ethereum/json-rpc';
import {
  account,
  frame,
  HASH,
  identification,
  mined,
  network,
  unusedSources,
  word,
} from '../../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';

const { transaction, receipt, block } = mined({ block: { excessBlobGas: '0x0' } });
const NODE: Handlers = {
  eth_getTransactionByHash: () => transaction,
  eth_getTransactionReceipt: () => receipt,
  eth_getBlockByHash: () => block,
};
const root = frame({
  value: 5n,
  items: [frame({ type: 'STATICCALL', to: account(1) }), frame({ to: account(0x500) })],
});

/** A service over one scripted node. `traced` lists the networks whose transactions were traced. */
function service(
  handlers: Handlers = NODE,
  parts: Partial<ExecutionSources> = {},
  viewSources: Partial<ViewSources> = {},
) {
  const rpc = new ScriptedRpc(handlers);
  const traced: string[] = [];
  const tokenRequests: string[] = [];
  const executions = new ExecutionLocator({
    networks: { resolve: (key) => Promise.resolve(network(rpc, { key })) },
    traces: {
      trace: async (on: Network) => {
        await Promise.resolve();
        traced.push(on.key);
        return { root, method: 'debug', reportedGas: 21_000 };
      },
    },
    abis: {
      identify: () =>
        Promise.resolve(identification({ [account(0x500)]: { code: '0x00', name: 'Shop' } })),
    },
    ...parts,
  });
  const analysis = new AnalysisService(executions, {
    ...unusedSources,
    tokens: {
      factsOf: (on) => {
        tokenRequests.push(on.key);
        return Promise.resolve(new Map());
      },
    },
    prices: {
      pricesAt: () => Promise.resolve(new Map([[NATIVE_ASSET, { value: 4000n, decimals: 0 }]])),
    },
    ...viewSources,
  });
  return { analysis, traced, tokenRequests, rpc };
}
const request = { chain: 'eth', hash: HASH };

describe('AnalysisService', () => {
  it('returns the flow with facts, labels and verification', async () => {
    const {
      status,
      transaction: facts,
      labels,
      verification,
      trace,
    } = await service().analysis.invocationFlow(request);
    assert.equal(status, true);
    assert.deepEqual(facts, {
      hash: HASH,
      chain: 'eth',
      chainId: 1,
      nativeSymbol: 'ETH',
      blockNumber: 100,
      position: 0,
      timestamp: 0x65000000,
      from: account(0xa11),
      to: account(0xb0b),
      value: '0',
      fee: '0.000021',
      gasUsed: 21_000,
      type: 0,
      nonce: 0,
    });
    assert.deepEqual(labels, { [account(0x500)]: 'Shop', [account(1)]: 'ecRecover' });
    assert.deepEqual(verification, { level: 'state-proved', method: 'debug', faithful: true });
    assert.equal(trace[0]?.children[0]?.children.length, 2);
  });

  it('returns the balance changes with prices', async () => {
    const { status, balanceChange } = await service().analysis.balanceChange(request);
    assert.equal(status, true);
    assert.deepEqual(
      balanceChange.map((one) => [one.account, one.assets[0]?.sign, one.assets[0]?.value]),
      [
        [account(0xa11), false, '0.00000000000002'],
        [account(0xb0b), true, '0.00000000000002'],
      ],
    );
  });

  it('traces once for both operations, and again for another network or block', async () => {
    const { analysis, traced } = service();
    await Promise.all([analysis.balanceChange(request), analysis.invocationFlow(request)]);
    await analysis.balanceChange(request);
    assert.deepEqual(traced, ['eth']);
    await analysis.balanceChange({ ...request, chain: 'fork_1' });
    assert.deepEqual(traced, ['eth', 'fork_1']);

    let blockHash = block.hash;
    const moving = service({
      ...NODE,
      eth_getTransactionByHash: () => ({ ...transaction, blockHash }),
      eth_getTransactionReceipt: () => ({ ...receipt, blockHash }),
      eth_getBlockByHash: () => ({ ...block, hash: blockHash }),
    });
    await moving.analysis.balanceChange(request);
    blockHash = word(0xb2);
    await moving.analysis.balanceChange(request);
    assert.equal(moving.traced.length, 2);
  });

  it('returns all views in one, and lists those that fail', async () => {
    const { analysis, traced, tokenRequests } = service();
    const { failures, stateDiff, balanceChange, fundFlow, gasProfile, ...flow } =
      await analysis.all(request);
    assert.deepEqual(failures, [
      { part: 'stateDiff', code: 50000, message: 'no state differences' },
    ]);
    assert.equal(stateDiff, null);
    assert.deepEqual([traced, tokenRequests], [['eth'], ['eth']], 'each is requested once');
    const alone = {
      flow: await analysis.invocationFlow(request),
      balances: await analysis.balanceChange(request),
      funds: await analysis.fundFlow(request),
      gas: await analysis.gasProfile(request),
    };
    const { verification } = alone.balances;
    assert.deepEqual(flow, { ...alone.flow, verification });
    assert.deepEqual(balanceChange, alone.balances.balanceChange);
    assert.deepEqual(fundFlow, alone.funds.fundFlow);
    assert.deepEqual(gasProfile, alone.gas.gasProfile);
  });

  it('uses the status of the trace if the receipt has none', async () => {
    const { analysis } = service({
      ...NODE,
      eth_getTransactionReceipt: () => ({ ...receipt, status: undefined }),
    });
    assert.equal((await analysis.balanceChange(request)).status, true);
  });

  it('reports that a transaction is unknown, pending, or on an unknown chain', async () => {
    const of = (found: unknown) => service({ eth_getTransactionByHash: () => found }).analysis;
    await assert.rejects(of(null).invocationFlow(request), {
      kind: 'transactionNotFound',
      message: `transaction ${HASH} is not known on eth`,
    });
    await assert.rejects(
      of({ ...transaction, blockHash: null, blockNumber: null }).balanceChange(request),
      {
        kind: 'transactionPending',
      },
    );
    const nowhere = service(NODE, {
      networks: { resolve: () => Promise.reject(chainNotFound('x', ['eth'])) },
    });
    await assert.rejects(nowhere.analysis.balanceChange(request), { kind: 'chainNotFound' });
  });

  it('reports what the node lacks', async () => {
    const lacking = (handlers: Handlers) =>
      service({ ...NODE, ...handlers }).analysis.balanceChange(request);
    await assert.rejects(lacking({ eth_getTransactionReceipt: () => null }), {
      kind: 'upstreamLacksData',
      message: `the node of eth does not have the receipt of transaction ${HASH}`,
    });
    await assert.rejects(lacking({ eth_getBlockByHash: () => null }), {
      kind: 'upstreamLacksData',
    });
    const refusing = () => {
      throw new RpcError(-32000, 'indexing is in progress');
    };
    await assert.rejects(lacking({ eth_getTransactionByHash: refusing }), {
      kind: 'upstreamLacksData',
      message: 'the node of eth answered with an error: indexing is in progress',
    });
  });

  it('can be cancelled while tracing', async () => {
    const cancelled = new AbortController();
    const { analysis } = service(NODE, {
      traces: {
        trace: (_network, _mined, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              reject(new Error('given up'));
            });
            cancelled.abort();
          }),
      },
    });
    await assert.rejects(analysis.balanceChange(request, { signal: cancelled.signal }), {
      kind: 'cancelled',
    });
  });
});

describe('AnalysisService with further sources', () => {
  const traceOf = (facts: Partial<TransactionTrace>): ExecutionSources['traces'] => ({
    trace: () => Promise.resolve({ root, method: 'debug', reportedGas: 21_000, ...facts }),
  });

  it('reports its progress', async () => {
    const reported: object[] = [];
    const onProgress = (progress: object) => reported.push(progress);
    await service().analysis.invocationFlow(request, { onProgress });
    assert.deepEqual(reported, [
      { stage: 'tracing', done: 0, total: 1 },
      { stage: 'tracing', done: 1, total: 1 },
    ]);
    reported.length = 0;
    const many = frame({ items: Array.from({ length: 5_000 }, () => frame()) });
    await service(NODE, { traces: traceOf({ root: many }) }).analysis.invocationFlow(request, {
      onProgress,
    });
    assert.deepEqual(reported.slice(0, 2), [
      { stage: 'tracing', done: 0, total: 1 },
      { stage: 'tracing', done: 1, total: 1 },
    ]);
    const decoding = reported.slice(2) as { stage: string; done: number; total: number }[];
    for (const { stage, done, total } of decoding) {
      assert.equal(stage, 'decoding calls');
      assert.ok(done > 0 && done <= total);
      assert.equal(total, 5_001);
    }
  });

  it('uses the labels and the interfaces of the user', async () => {
    const asked: unknown[] = [];
    const userLabels = {
      labelsOf: (user: string, chains: readonly string[]) => {
        asked.push([user, chains]);
        return Promise.resolve({ [account(0x500)]: 'mine' });
      },
    };
    const abis = {
      identify: (on: Network, { block: at }: { block: object }) => {
        asked.push([on.user, at]);
        return Promise.resolve(identification());
      },
    };
    const { analysis } = service(NODE, { userLabels, abis });
    const mine = await analysis.invocationFlow({ ...request, user: 'ann' });
    assert.deepEqual(mine.userLabels, [account(0x500)]);
    assert.equal(mine.labels[account(0x500)], 'mine');
    const at = { number: 100n, hash: block.hash };
    assert.deepEqual(asked, [
      ['ann', at],
      ['ann', ['eth', 'eth']],
    ]);
    asked.length = 0;
    assert.equal('userLabels' in (await analysis.invocationFlow(request)), false);
    assert.deepEqual(asked, [[undefined, at]]);
  });

  it('lists the balances of the sender and the receiver first, with prices of the block', async () => {
    const [first, second] = [account(9), account(5)];
    const paid = frame({
      from: first,
      to: second,
      value: 5n,
      items: [frame({ from: second, to: account(1), value: 2n })],
    });
    const at: unknown[] = [];
    const prices = {
      pricesAt: (_on: unknown, _assets: unknown, place: object) => {
        at.push(place);
        return Promise.resolve(new Map());
      },
    };
    const { analysis } = service(NODE, { traces: traceOf({ root: paid }) }, { prices });
    const { balanceChange } = await analysis.balanceChange(request);
    assert.deepEqual(
      balanceChange.map(({ account: of }) => of),
      [first, second, account(1)],
    );
    assert.deepEqual(at, [{ number: 100n, timestamp: 0x65000000 }]);
  });

  it('reads self-destructions by the rules of the block', async () => {
    const [contract, heir] = [account(0xb0b), account(3)];
    const destroyed = frame({ type: 'SELFDESTRUCT', from: contract, to: contract, value: 7n });
    const inherited = frame({ type: 'SELFDESTRUCT', from: contract, to: heir, value: 7n });
    const changes = async (item: typeof root, hardfork?: Hardfork) => {
      // The header proves no rules.
      const rpc = new ScriptedRpc({ ...NODE, eth_getBlockByHash: () => mined().block });
      const facts = { key: 'eth', ...(hardfork ? { hardfork } : {}) };
      const { analysis } = service(NODE, {
        networks: { resolve: () => Promise.resolve(network(rpc, facts)) },
        traces: traceOf({ root: frame({ items: [item] }) }),
      });
      const { balanceChange } = await analysis.balanceChange(request);
      return balanceChange.map(({ account: of, assets }) => [of, assets[0]?.rawAmount]);
    };
    assert.deepEqual(await changes(destroyed, 'cancun'), []);
    assert.deepEqual(await changes(destroyed, 'shanghai'), [[contract, '7']]);
    assert.deepEqual(await changes(inherited, 'cancun'), [
      [contract, '7'],
      [heir, '7'],
    ]);
  });

  it('verifies balances against the state, and trusts a guess only in what differs', async () => {
    const fee = 21_000n * 10n ** 9n;
    const state = (extra: bigint) => ({
      native: new Map([
        [account(0xa11), -5n - fee],
        [account(0xb0b), 5n + extra],
        [account(0xfee), fee],
      ]),
      before: {},
      after: {},
    });
    const native = async (extra: bigint, facts: Partial<TransactionTrace>) => {
      const { analysis } = service(
        NODE,
        { traces: traceOf(facts) },
        { states: { state: () => Promise.resolve(state(extra)) } },
      );
      const { verification, balanceChange } = await analysis.balanceChange(request);
      return [verification?.native, balanceChange[0]?.assets[0]?.verified];
    };
    assert.deepEqual(await native(0n, {}), ['verified', true]);
    assert.deepEqual(await native(1n, {}), ['different', true]);
    assert.deepEqual(await native(0n, { method: 'replay' }), ['unchecked', undefined]);
    assert.deepEqual(await native(1n, { method: 'replay' }), ['different', undefined]);
  });

  it('waits for the proof of a replay if the request says so', async () => {
    const replay: TransactionTrace = { root, method: 'replay', reportedGas: 21_000 };
    const proved = { ...replay, proof: { wholePrefix: true, state: 'equal' } } as const;
    let prove: () => void = () => undefined;
    const proofs = new Proofs(
      {
        prove: () =>
          new Promise((resolve) => {
            prove = () => {
              resolve(proved);
            };
          }),
      },
      () => undefined,
    );
    const rpc = new ScriptedRpc(NODE);
    const { analysis } = service(NODE, {
      networks: { resolve: (key) => Promise.resolve(network(rpc, { key, replayable: true })) },
      traces: traceOf(replay),
      proofs,
    });
    const { verification: early } = await analysis.balanceChange(request);
    assert.deepEqual([early?.level, early?.proof], ['receipt', 'running']);
    const reported: object[] = [];
    const waiting = analysis.balanceChange(
      { ...request, isProofAwaited: true },
      {
        onProgress: (progress) => {
          reported.push(progress);
          prove();
        },
      },
    );
    const { verification } = await waiting;
    assert.deepEqual([verification?.level, verification?.proof], ['state-proved', undefined]);
    assert.deepEqual(reported, [{ stage: 'proving', done: 0, total: 1 }]);
  });
});
