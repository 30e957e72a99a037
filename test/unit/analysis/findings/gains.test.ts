import assert from 'node:assert/strict';
import { getCreateAddress } from 'ethers';
import type { Address } from '../../../../server/api/primitives';
import { atOnce } from '../../../../server/kernel/async/slices';
import type { CallFrame } from '../../../../server/analysis/call-frame';
import type { Contradiction } from '../../../../server/analysis/balances/reconcile';
import { findingsWork } from '../../../../server/analysis/findings/findings';
import { withGain } from '../../../../server/analysis/findings/gains';
import { clausesWork } from '../../../../server/analysis/summary/clauses';
import { ownAccountsWork } from '../../../../server/analysis/summary/own-contracts';
import {
  measuredNetsWork,
  partiesWork,
  toParty,
} from '../../../../server/analysis/summary/parties';
import { frame } from '../../../support/analysis';
import { calling, moved, sceneOf, swapped, viaRouter, WHO } from '../../../support/scenes';

const NAMES = new Map<string, string>(Object.entries(WHO).map(([name, at]) => [at, name]));
const nameOf = (at: string | undefined): string => NAMES.get(at ?? '') ?? at ?? '-';

/** A call of the lender in which it lends and gets back. */
const loan = (...inside: ReturnType<typeof moved>[]): CallFrame =>
  calling('router', 'lender', 'flash()', [], {
    items: [
      moved('DAI', 'lender', 'router', 1_000),
      calling('lender', 'router', 'back()', [], { items: inside }),
      moved('DAI', 'router', 'lender', 1_000),
    ],
  });
const trade = [
  swapped('pair', 0, 1_000, 900, 0),
  moved('DAI', 'router', 'pair', 1_000),
  moved('DAI', 'vault', 'router', 1_040),
];
const created = (by: Address, at: Address): CallFrame =>
  frame({ type: 'CREATE', from: by, to: at, output: '0x00' });

function sentences(root: CallFrame, nonce = 0): string[] {
  const scene = sceneOf(root);
  const own = atOnce(ownAccountsWork(scene, BigInt(nonce)));
  const nets = atOnce(measuredNetsWork(scene, []));
  const findings = atOnce(findingsWork(scene));
  return withGain(atOnce(clausesWork(scene)), { scene, nets, own, findings }).map(
    ({ kind, actor, got = [], recipient, means = [] }) =>
      [
        nameOf(actor),
        kind,
        ...got.map(({ amount }) => String(amount)),
        ...(recipient === undefined ? [] : [`in ${nameOf(recipient)}`]),
        ...means.map((one) => `${one.count} ${one.kind}`),
      ].join(' '),
  );
}

describe('gain', () => {
  it('of the sender replaces what it called, with what it came by', () => {
    assert.deepEqual(sentences(viaRouter(loan(...trade), moved('DAI', 'router', 'alice', 40))), [
      'alice gained 40 1 flashLoan 1 swap',
    ]);
  });

  it('in a contract that the transaction created is the sender’s', () => {
    const root = viaRouter(
      created(WHO.router, WHO.vault),
      loan(swapped('pair', 0, 1, 1, 0), moved('DAI', 'pair', 'vault', 40)),
    );
    assert.deepEqual(
      sentences({ ...root, from: WHO.alice, type: 'CREATE' })[0],
      'alice gained 40 in vault 1 flashLoan 1 swap',
    );
  });

  it('in a contract of another is none', () => {
    const root = viaRouter(loan(...trade));
    assert.deepEqual(sentences(root), ['alice called']);
  });

  it('is none where something was lost, or nothing but a payment came', () => {
    const bought = viaRouter(moved('USDC', 'alice', 'bob', 1), moved('DAI', 'pair', 'alice', 40));
    assert.deepEqual(sentences(bought), ['alice called', 'alice sent', 'alice received 40']);
    assert.deepEqual(sentences(viaRouter(moved('DAI', 'bob', 'alice', 40))), [
      'alice called',
      'alice received 40',
    ]);
    const take = calling('router', 'DAI', 'transferFrom(address,address,uint256)', [
      WHO.bob,
      WHO.alice,
      40,
    ]);
    assert.deepEqual(sentences(viaRouter({ ...take, items: [moved('DAI', 'bob', 'alice', 40)] })), [
      'alice took 40',
    ]);
  });
});

describe('contracts of the sender', () => {
  const own = (root: CallFrame, nonce: bigint): string[] =>
    [...atOnce(ownAccountsWork(sceneOf(root), nonce))].map((at) => nameOf(at));
  const before = getCreateAddress({ from: WHO.alice, nonce: 3 }).toLowerCase() as Address;

  it('are those that it created before, and by the transaction', () => {
    assert.deepEqual(own(frame({ from: WHO.alice, to: before }), 5n), ['alice', before]);
    assert.deepEqual(own(frame({ from: WHO.alice, to: before }), 3n), ['alice']);
    const nested = viaRouter(created(WHO.alice, WHO.vault), created(WHO.vault, WHO.code));
    assert.deepEqual(own(nested, 0n), ['alice', 'vault', 'code']);
  });

  it('are found with nonces that a number does not have, and not with those of no chain', () => {
    const [far, none] = [2n ** 60n, BigInt(`0x${'ab'.repeat(200)}`)];
    const late = getCreateAddress({ from: WHO.alice, nonce: far }).toLowerCase() as Address;
    assert.deepEqual(own(frame({ from: WHO.alice, to: late }), far + 2n), ['alice', late]);
    assert.deepEqual(own(frame({ from: WHO.alice, to: late }), none), ['alice']);
  });

  it('are not those of an existing factory', () => {
    assert.deepEqual(own(viaRouter(created(WHO.router, WHO.vault)), 0n), ['alice']);
  });
});

describe('parties', () => {
  const facts = { tokens: new Map(), prices: new Map(), nativeSymbol: 'ETH' };
  const parties = (root: CallFrame, contradictions: readonly Contradiction[] = []): string[] => {
    const scene = sceneOf(root);
    const own = atOnce(ownAccountsWork(scene, 0n));
    const nets = atOnce(measuredNetsWork(scene, contradictions));
    return atOnce(partiesWork(scene, nets, own))
      .map((one) => toParty(one, facts))
      .map(({ account, roles, changes, isOwn, moreChanges = 0 }) =>
        [
          nameOf(account),
          ...roles,
          ...(isOwn ? ['own'] : []),
          ...changes.map(
            ({ sign, rawAmount, asset, claimed }) =>
              `${sign ? '+' : '-'}${rawAmount} ${nameOf(asset)}` +
              (claimed ? ` not ${claimed.sign ? '+' : '-'}${claimed.rawAmount}` : ''),
          ),
          ...(moreChanges > 0 ? [`${moreChanges} more`] : []),
        ].join(' '),
      );
  };

  it('are the sender, and who gained and lost most of an asset', () => {
    const root = viaRouter(
      moved('DAI', 'bob', 'carol', 5),
      moved('DAI', 'bob', 'vault', 6),
      moved('DAI', 'lender', 'vault', 1),
    );
    assert.deepEqual(parties(root), [
      'alice sender',
      'vault largestGain +7 DAI',
      'bob largestLoss -11 DAI',
    ]);
  });

  it('are the receiver and own contracts if their balances changed', () => {
    assert.deepEqual(parties(viaRouter(moved('DAI', 'alice', 'router', 5))), [
      'alice sender largestLoss -5 DAI',
      'router receiver largestGain +5 DAI',
    ]);
  });

  it('have a bounded number of changes', () => {
    const tokens = ['DAI', 'USDC', 'LP', 'aDAI', 'debtDAI'] as const;
    const root = viaRouter(...tokens.map((token) => moved(token, 'bob', 'alice', 1)));
    assert.match(parties(root)[0]!, / 1 more$/);
  });

  it('are none where nothing changed, and have what no event reports', () => {
    assert.deepEqual(parties(viaRouter()), []);
    const quiet = { account: WHO.bob, asset: WHO.DAI, standard: 'erc20', claimed: 0n } as const;
    assert.deepEqual(parties(viaRouter(), [{ ...quiet, measured: -9n, nodeIds: [] }]), [
      'alice sender',
      'bob largestLoss -9 DAI not +0',
    ]);
  });

  it('have the measured change, and what events claim instead', () => {
    const root = viaRouter(moved('DAI', 'bob', 'carol', 5));
    const asset = { asset: WHO.DAI, standard: 'erc20' } as const;
    const claim = { ...asset, account: WHO.carol, claimed: 9n, measured: 5n, nodeIds: [1] };
    assert.deepEqual(parties(root, [claim]), [
      'alice sender',
      'carol largestGain +5 DAI not +9',
      'bob largestLoss -5 DAI',
    ]);
  });

  it('have values where a price is known', () => {
    const scene = sceneOf(
      viaRouter(moved('DAI', 'bob', 'alice', 3), moved('USDC', 'alice', 'bob', 2)),
    );
    const priced = {
      ...facts,
      tokens: new Map([
        [WHO.DAI, { symbol: 'DAI', decimals: 1 }],
        [WHO.USDC, { symbol: 'USDC', decimals: 1 }],
      ]),
      prices: new Map([[WHO.DAI, { value: 25n, decimals: 1 }]]),
    };
    const nets = atOnce(measuredNetsWork(scene, []));
    const [alice] = atOnce(partiesWork(scene, nets, new Set([WHO.alice])));
    assert.deepEqual(
      toParty(alice!, priced).changes.map(({ symbol, amount, sign, value }) => [
        symbol,
        amount,
        sign,
        value,
      ]),
      [
        ['DAI', '0.3', true, '0.75'],
        ['USDC', '0.2', false, undefined],
      ],
    );
  });
});
