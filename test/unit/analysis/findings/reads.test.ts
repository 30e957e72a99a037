import assert from 'node:assert/strict';
import { withoutRepeated } from '../../../../server/analysis/findings/accounts';
import { disputedTokens } from '../../../../server/analysis/findings/decimals';
import type { Finding } from '../../../../server/analysis/findings/finding';
import { readFindings } from '../../../../server/analysis/findings/reads';
import type { CallFrame } from '../../../../server/analysis/call-frame';
import type { Address, Hash } from '../../../../server/api/primitives';
import { account, frame, mined, network } from '../../../support/analysis';
import { calling, emitted, sceneOf, swapped, viaRouter, WHO } from '../../../support/scenes';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';

const signal = new AbortController().signal;
const APPROVAL = 'Approval(address indexed owner, address indexed spender, uint256 value)';
const MAX = 2n ** 256n - 1n;

const read = (root: CallFrame, script: Handlers): Promise<Finding[]> => {
  const facts = mined();
  const own = {
    ...facts,
    transaction: { ...facts.transaction, from: WHO.alice, to: WHO.router },
    receipt: { ...facts.receipt, transactionIndex: '0x5' as const },
  };
  return readFindings(sceneOf(root), network(new ScriptedRpc(script)), own, signal);
};

describe('approvals to accounts without code', () => {
  const approve = (spender: Address, amount = MAX, owner = WHO.alice): CallFrame =>
    calling('alice', 'DAI', 'approve(address,uint256)', [spender, amount], {
      items: [emitted(WHO.DAI, APPROVAL, owner, spender, amount)],
    });
  const kinds = async (root: CallFrame, code: unknown): Promise<unknown[]> => {
    const found = await read(root, { eth_getCode: () => code });
    return found.map(({ kind, contract, account: owner, other, amounts = [] }) => [
      kind,
      contract,
      owner,
      other,
      ...amounts.map(({ amount }) => amount),
    ]);
  };

  it('are found, with a limit or without', async () => {
    const to = (amount: bigint) => ['approvalToAccount', WHO.DAI, WHO.alice, WHO.bob, amount];
    assert.deepEqual(await kinds(approve(WHO.bob), '0x'), [to(MAX)]);
    assert.deepEqual(await kinds(approve(WHO.bob, 7n), '0x'), [to(7n)]);
  });

  it('are found for an account that delegates to code, which its key still controls', async () => {
    const delegated = `0xef0100${'ab'.repeat(20)}`;
    assert.equal((await kinds(approve(WHO.bob), delegated)).length, 1);
  });

  it('are not found for contracts, an unknown answer, and revoked rights', async () => {
    assert.deepEqual(await kinds(approve(WHO.bob), '0x6001'), []);
    assert.deepEqual(await kinds(approve(WHO.bob), null), []);
    assert.deepEqual(await kinds(approve(WHO.bob, 0n), '0x'), []);
    const revoked = viaRouter(approve(WHO.bob), approve(WHO.bob, 0n));
    assert.deepEqual(await kinds(revoked, '0x'), []);
  });

  it('are not found for the owner itself, and for what another account granted', async () => {
    assert.deepEqual(await kinds(approve(WHO.alice), '0x'), []);
    assert.deepEqual(await kinds(approve(WHO.bob, MAX, WHO.carol), '0x'), []);
  });

  it('replace the finding that the approval is unlimited', () => {
    const sides = { contract: WHO.DAI, account: WHO.alice, nodeIds: [1] };
    const [unlimited, toAccount] = (['unlimitedApproval', 'approvalToAccount'] as const).map(
      (kind) => ({ ...sides, kind, other: WHO.bob }),
    );
    const other = { ...unlimited!, other: WHO.carol };
    assert.deepEqual(withoutRepeated([toAccount!, unlimited!, other]), [toAccount, other]);
  });
});

describe('sandwiches', () => {
  const BOT = account(0xb07);
  const CONTRACT = account(0xb07c);
  const hash = (index: number): Hash => `0x${index.toString(16).padStart(64, '0')}`;
  /** Bob's contract buys 90 for 100, Alice buys, and the contract sells the 90 for 110. */
  interface Neighbour {
    index: number;
    swap: [number, number, number, number];
    pool?: Address;
    from?: Address;
    to?: Address | null;
  }
  const front: Neighbour = { index: 4, swap: [100, 0, 0, 90] };
  const back: Neighbour = { index: 6, swap: [0, 90, 110, 0] };
  const victim = viaRouter(
    calling('router', 'pair', 'swap(uint256)', [1], { items: [swapped('pair', 50, 0, 0, 40)] }),
  );

  const found = async (
    neighbours: readonly Neighbour[],
    root: CallFrame = victim,
    script: Handlers = {},
  ): Promise<string[]> => {
    const byHash = new Map(neighbours.map((one) => [hash(one.index), one]));
    const all = await read(root, {
      eth_getLogs: () =>
        neighbours.map(({ index, swap, pool = WHO.pair }) => {
          const log = { ...swapped('pair', ...swap), address: pool };
          return { ...log, transactionHash: hash(index), transactionIndex: `0x${index}` };
        }),
      eth_getTransactionByHash: (of: unknown) => {
        const { from = BOT, to = CONTRACT } = byHash.get(of as Hash) ?? {};
        return { from, to };
      },
      ...script,
    });
    return all.map(
      ({ kind, account: by, transactions = [] }) =>
        `${kind} ${by} ${transactions.map(({ position }) => position).join('-')}`,
    );
  };

  it('are found by one sender, or one contract, that sold afterwards what it bought before', async () => {
    assert.deepEqual(await found([front, back]), [`sandwiched ${BOT} 4-6`]);
    assert.deepEqual(await found([front, { ...back, from: account(1) }]), [
      `sandwiched ${BOT} 4-6`,
    ]);
    assert.deepEqual(await found([front, { ...back, to: account(1) }]), [`sandwiched ${BOT} 4-6`]);
  });

  it('are not found if one of the two is missing, or trades in the same direction', async () => {
    assert.deepEqual(await found([front]), []);
    assert.deepEqual(await found([back]), []);
    assert.deepEqual(await found([front, { ...back, swap: [90, 0, 0, 80] }]), []);
    assert.deepEqual(await found([{ ...front, swap: [0, 100, 90, 0] }, back]), []);
  });

  it('are not found in another order, or in another pool', async () => {
    assert.deepEqual(await found([{ ...front, index: 7 }, back]), []);
    assert.deepEqual(await found([front, { ...back, index: 3 }]), []);
    assert.deepEqual(await found([{ ...front, pool: WHO.vault }, back]), []);
  });

  it('are not found if another amount was sold', async () => {
    assert.deepEqual(await found([front, { ...back, swap: [0, 80, 100, 0] }]), []);
    assert.deepEqual(await found([front, { ...back, swap: [0, 99, 110, 0] }]), []);
  });

  it('are not found by strangers, by the sender itself, or by customers of the same router', async () => {
    const strangers = { ...back, from: account(1), to: account(2) };
    assert.deepEqual(await found([front, strangers]), []);
    const own = [front, back].map((one) => ({ ...one, from: WHO.alice }));
    assert.deepEqual(await found(own), []);
    const customers = [front, { ...back, from: account(1) }];
    assert.deepEqual(await found(customers.map((one) => ({ ...one, to: WHO.router }))), []);
    const creations = [front, { ...back, from: account(1) }];
    assert.deepEqual(await found(creations.map((one) => ({ ...one, to: null }))), []);
  });

  it('are not found for a transaction that trades in both directions itself', async () => {
    const both = viaRouter(
      calling('router', 'pair', 'swap(uint256)', [1], {
        items: [swapped('pair', 50, 0, 0, 40), swapped('pair', 0, 40, 51, 0)],
      }),
    );
    assert.deepEqual(await found([front, back], both), []);
  });

  it('are not found where the node does not answer, and nothing is asked without a swap', async () => {
    const refusal = {
      eth_getLogs: () => {
        throw new Error('refused');
      },
    };
    assert.deepEqual(await found([front, back], victim, refusal), []);
    assert.deepEqual(
      await found([front, back], frame({ from: WHO.alice, to: WHO.bob }), refusal),
      [],
    );
    assert.deepEqual(await found([front, back], victim, { eth_getLogs: () => [{}] }), []);
  });
});

describe('disputed decimals', () => {
  const scene = sceneOf(
    viaRouter(calling('router', 'DAI', 'balanceOf(address)', [WHO.bob], { type: 'STATICCALL' })),
  );

  it('are a finding with the first call of the token', () => {
    const decimals = { own: 6, listed: 18 };
    const tokens = new Map([
      [WHO.DAI, { symbol: 'DAI', disputedDecimals: decimals }],
      [WHO.USDC, { symbol: 'USDC', decimals: 6 }],
    ]);
    assert.deepEqual(disputedTokens(scene, tokens), [
      { kind: 'decimalsDisputed', contract: WHO.DAI, decimals, nodeIds: [1] },
    ]);
  });
});
