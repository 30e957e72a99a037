import assert from 'node:assert/strict';
import { type ExecutionSources } from '../../../../server/analysis/views/execution-locator';
import type { Network, TransactionTrace } from '../../../../server/analysis/ports';
import { Proofs } from '../../../../server/analysis/traces/proofs';
import type { Hardfork } from '../../../../server/api/config';
import { account, frame, identification, mined, network } from '../../../support/analysis';
import { ScriptedRpc } from '../../../support/scripted-rpc';
import { block, NODE, request, root, service } from '../../../support/analysis-service';

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
