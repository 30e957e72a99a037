import assert from 'node:assert/strict';
import type { FrameItem } from '../../../../server/analysis/call-frame';
import { delegationFindings } from '../../../../server/analysis/findings/delegations';
import { contradictedTokens, imitatedTokens } from '../../../../server/analysis/findings/tokens';
import type { Contradiction } from '../../../../server/analysis/balances/reconcile';
import { frame } from '../../../support/analysis';
import { findings } from '../../../support/findings';
import {
  calling,
  emitted,
  moved,
  movedId,
  paying,
  sceneOf,
  viaRouter,
  WHO,
} from '../../../support/scenes';

const APPROVAL = 'Approval(address indexed owner, address indexed spender, uint256 value)';
const OWNER = 'OwnershipTransferred(address indexed previousOwner, address indexed newOwner)';
const UPGRADED = 'Upgraded(address indexed implementation)';

const approve = (owner: 'alice' | 'carol', amount: number) =>
  calling(owner, 'DAI', 'approve(address,uint256)', [WHO.router, amount], {
    items: [emitted(WHO.DAI, APPROVAL, WHO[owner], WHO.router, amount)],
  });
const permit = (amount: number) =>
  calling(
    'router',
    'DAI',
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    [WHO.carol, WHO.router, amount, 9, 27, `0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`],
    { items: [emitted(WHO.DAI, APPROVAL, WHO.carol, WHO.router, amount)] },
  );
const spend = (from: 'alice' | 'carol', to: 'bob' | 'router', amount = 70) =>
  calling('router', 'DAI', 'transferFrom(address,address,uint256)', [WHO[from], WHO[to], amount], {
    items: [moved('DAI', from, to, amount)],
  });

describe('approvals that are spent at once', () => {
  it('are found by a signature and by a call, once for each recipient', () => {
    assert.deepEqual(findings(viaRouter(permit(70), spend('carol', 'bob'))), [
      'approvedAndSpent DAI carol router 70',
    ]);
    assert.deepEqual(
      findings(
        viaRouter(approve('alice', 90), spend('alice', 'bob', 30), spend('alice', 'bob', 60)),
      ),
      ['approvedAndSpent DAI alice router 90'],
    );
  });

  it('are not found if the spender keeps the tokens, or the owner gets something', () => {
    assert.deepEqual(findings(viaRouter(approve('alice', 70), spend('alice', 'router'))), []);
    const swap = viaRouter(
      approve('alice', 70),
      spend('alice', 'bob'),
      moved('USDC', 'bob', 'alice', 69),
    );
    assert.deepEqual(findings(swap), []);
  });

  it('are not found if the approval comes after, or is of another token or owner', () => {
    assert.deepEqual(findings(viaRouter(spend('alice', 'bob'), approve('alice', 70))), []);
    assert.deepEqual(findings(viaRouter(approve('carol', 70), spend('alice', 'bob'))), []);
  });
});

describe('tokens with ids', () => {
  const take = (tokenId: number) =>
    calling(
      'router',
      'NFT',
      'transferFrom(address,address,uint256)',
      [WHO.carol, WHO.alice, tokenId],
      {
        items: [movedId('carol', 'alice', tokenId)],
      },
    );

  it('are found to be taken by an approval, each by its id', () => {
    assert.deepEqual(findings(viaRouter(take(7), take(8))), [
      'approvalDrained NFT carol router 1',
      'approvalDrained NFT carol router 1',
    ]);
  });
});

describe('control that passes with the funds', () => {
  const owned = emitted(WHO.vault, OWNER, WHO.bob, WHO.alice);
  const out = (to: 'alice' | 'bob') => moved('DAI', 'vault', to, 500);

  it('is found where the new owner gets them', () => {
    assert.deepEqual(findings(viaRouter(owned, out('alice'))), [
      'controlAndFunds vault - alice 500',
      'ownerChanged vault - alice',
    ]);
  });

  it('is not found where another gets them, before the change, or for something', () => {
    const alone = ['ownerChanged vault - alice'];
    assert.deepEqual(findings(viaRouter(owned, out('bob'))), alone);
    assert.deepEqual(findings(viaRouter(out('alice'), owned)), alone);
    assert.deepEqual(
      findings(viaRouter(owned, out('alice'), moved('USDC', 'alice', 'vault', 1))),
      alone,
    );
  });

  it('is found where new code of a proxy pays them to one account', () => {
    const upgrade = frame({
      type: 'DELEGATECALL',
      from: WHO.proxy,
      to: WHO.code,
      items: [emitted(WHO.proxy, UPGRADED, WHO.code)],
    });
    const paid = (...to: ('alice' | 'bob')[]): FrameItem[] =>
      to.map((one) => moved('DAI', 'proxy', one, 500));
    assert.deepEqual(findings(viaRouter(upgrade, ...paid('bob'))), [
      'controlAndFunds proxy - code 500',
      'implementationChanged proxy - code',
    ]);
    const alone = ['implementationChanged proxy - code'];
    assert.deepEqual(findings(viaRouter(upgrade, ...paid('bob', 'alice'))), alone);
    assert.deepEqual(findings(viaRouter(upgrade)), alone);
  });
});

describe('accounts that take on code', () => {
  const delegation = { authority: WHO.carol, delegate: WHO.code, isListed: false };
  const kinds = (
    root: Parameters<typeof sceneOf>[0],
    { isListed = false, emptied = new Map<`0x${string}`, Set<`0x${string}`>>() } = {},
  ): string[] =>
    delegationFindings([{ ...delegation, isListed }], sceneOf(root), emptied).map(
      ({ kind, recipient, amounts = [] }) =>
        [kind, recipient ?? '-', ...amounts.map(({ amount }) => String(amount))].join(' '),
    );

  it('are found, except for code of a list', () => {
    assert.deepEqual(kinds(viaRouter()), ['delegatedToUnknown -']);
    assert.deepEqual(kinds(viaRouter(), { isListed: true }), []);
  });

  it('are found to be emptied by the sender, or of all that they had of a token', () => {
    const taken = viaRouter(paying('carol', 'alice', 5n), moved('DAI', 'carol', 'alice', 70));
    assert.deepEqual(kinds(taken), [`delegatedAndEmptied ${WHO.alice} 5 70`]);
    const away = viaRouter(moved('DAI', 'carol', 'bob', 70));
    assert.deepEqual(kinds(away), ['delegatedToUnknown -']);
    const emptied = new Map([[WHO.carol, new Set([WHO.DAI])]]);
    assert.deepEqual(kinds(away, { emptied }), [`delegatedAndEmptied ${WHO.bob} 70`]);
  });

  it('are not found to be emptied by themselves, or if they got something', () => {
    const own = calling('carol', 'DAI', 'transfer(address,uint256)', [WHO.bob, 70], {
      items: [moved('DAI', 'carol', 'bob', 70)],
    });
    assert.deepEqual(kinds(own), ['delegatedToUnknown -']);
    const traded = viaRouter(
      moved('DAI', 'carol', 'alice', 70),
      moved('USDC', 'alice', 'carol', 1),
    );
    assert.deepEqual(kinds(traded), ['delegatedToUnknown -']);
  });
});

describe('events of tokens', () => {
  const one = (
    claimed: bigint,
    measured: bigint,
    facts: Partial<Contradiction> = {},
  ): Contradiction => ({
    account: WHO.alice,
    asset: WHO.DAI,
    standard: 'erc20',
    claimed,
    measured,
    nodeIds: [4],
    ...facts,
  });
  const stated = (...all: Contradiction[]): string[] =>
    contradictedTokens(all).map(({ account, amounts = [] }) =>
      [account, ...amounts.map(({ amount }) => String(amount))].join(' '),
    );

  it('are found not to be the balances: once for each token, by the greatest difference', () => {
    assert.deepEqual(stated(one(-100n, -90n), one(100n, 1n, { account: WHO.bob })), [
      `${WHO.bob} 100 1`,
    ]);
    assert.deepEqual(stated(one(-100n, 900n)), [WHO.alice]);
    assert.deepEqual(stated(one(0n, 70n)), [`${WHO.alice} 0 70`]);
  });

  it('are not confused with the native asset', () => {
    assert.deepEqual(stated(one(5n, 6n, { standard: 'native' })), []);
  });

  it('of a token with the name of another are found where it is first used', () => {
    const root = viaRouter(moved('USDC', 'bob', 'alice', 1));
    const tokens = new Map([[WHO.USDC, { symbol: 'unlisted USDC', imitates: 'USDC' }]]);
    assert.deepEqual(imitatedTokens(sceneOf(root), tokens), [
      { kind: 'imitatedToken', contract: WHO.USDC, nodeIds: [1] },
    ]);
    assert.deepEqual(imitatedTokens(sceneOf(root), new Map([[WHO.USDC, { symbol: 'USDC' }]])), []);
    assert.deepEqual(imitatedTokens(sceneOf(viaRouter()), tokens), []);
  });
});
