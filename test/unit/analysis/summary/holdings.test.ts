import assert from 'node:assert/strict';
import type { CheckedClaim } from '../../../../server/analysis/balances/claims';
import {
  calling,
  emitted,
  moved,
  movedId,
  paying,
  sentence,
  viaRouter,
  WHO,
  type Name,
} from '../../../support/scenes';

const ETHER = 10n ** 18n;
const APPROVAL = 'Approval(address indexed owner, address indexed spender, uint256 value)';
const transferOf = (to: 'bob' | 'vault', amount: number, ...items: ReturnType<typeof moved>[]) =>
  calling('alice', 'DAI', 'transfer(address,uint256)', [WHO[to], amount], { items });

describe('sentences of payments', () => {
  it('tell a plain payment', () => {
    assert.equal(sentence(paying('alice', 'bob', ETHER / 2n)), 'alice sent 0.5 ETH to bob.');
  });

  it('tell a transfer of a token', () => {
    const root = transferOf('bob', 70, moved('DAI', 'alice', 'bob', 70));
    assert.equal(sentence(root), 'alice sent 70 DAI to bob.');
  });

  it('tell what a token with a fee moved, not what was asked for', () => {
    const root = transferOf(
      'bob',
      100,
      moved('DAI', 'alice', 'carol', 1),
      moved('DAI', 'alice', 'bob', 99),
    );
    assert.equal(sentence(root), 'alice sent 1 DAI to carol and sent 99 DAI to bob.');
  });

  it('call it no payment if the token reports none', () => {
    const root = calling('alice', 'DAI', 'transfer(address,uint256)', [WHO.bob, 70]);
    assert.equal(
      sentence(root, { known: ['function transfer(address,uint256)'] }),
      'alice called transfer on DAI.',
    );
  });

  it('call it no payment to a recipient that did not keep it', () => {
    const root = viaRouter();
    const forwarded = {
      ...root,
      value: ETHER,
      items: [paying('router', 'bob', ETHER)],
    };
    assert.equal(
      sentence(forwarded),
      'alice called 0x12345678 on router and paid 1 ETH to router.',
    );
  });

  it('tell nothing of what was rolled back inside', () => {
    const inner = paying('router', 'bob', ETHER, { error: 'execution reverted' });
    assert.equal(sentence(viaRouter(inner)), 'alice called 0x12345678 on router.');
  });

  it('tell nothing of what came back in full', () => {
    const root = viaRouter(moved('DAI', 'alice', 'router', 5), moved('DAI', 'router', 'alice', 5));
    assert.equal(sentence(root), 'alice called 0x12345678 on router.');
  });

  it('name an unknown method by its selector', () => {
    const root = calling('alice', 'vault', 'poke(uint256)', [1]);
    assert.equal(sentence(root), `alice called ${root.input.slice(0, 10)} on vault.`);
  });

  it('sum up many recipients', () => {
    const many = Array.from({ length: 6 }, (_, index) => ({
      ...moved('DAI', 'alice', 'bob', 1),
      topics: [
        ...moved('DAI', 'alice', 'bob', 1).topics.slice(0, 2),
        `0x${String(index + 10).padStart(64, '0')}` as const,
      ],
    }));
    assert.equal(sentence(viaRouter(...many)), 'alice called 0x12345678 on router and paid 6 DAI.');
  });

  it('tell what an account got from a contract', () => {
    const root = viaRouter(paying('vault', 'alice', 3n * ETHER));
    assert.equal(
      sentence(root),
      'alice called 0x12345678 on router and received 3 ETH from vault.',
    );
  });

  it('tell payments between others', () => {
    const root = viaRouter(moved('DAI', 'vault', 'bob', 9), moved('DAI', 'vault', 'carol', 4));
    assert.equal(
      sentence(root),
      'alice called 0x12345678 on router, vault sent 9 DAI to bob and sent 4 DAI to carol.',
    );
  });

  it('tell no payments between others that the balances do not bear out', () => {
    const root = viaRouter(moved('DAI', 'vault', 'bob', 9), moved('DAI', 'bob', 'carol', 9));
    assert.equal(sentence(root), 'alice called 0x12345678 on router.');
  });
});

describe('sentences of mints and burns', () => {
  it('tell a mint and its price', () => {
    const root = calling('alice', 'NFT', 'mint(uint256)', [2], {
      value: ETHER / 10n,
      items: [movedId('nobody', 'alice', 1), movedId('nobody', 'alice', 2)],
    });
    const names = { [WHO.NFT]: 'PASS' };
    assert.equal(sentence(root, { names }), 'alice minted PASS #1 + PASS #2 for 0.1 ETH.');
  });

  it('name no price that somebody else got', () => {
    const root = calling('alice', 'NFT', 'mint(uint256)', [1], {
      items: [paying('alice', 'carol', ETHER), movedId('nobody', 'alice', 1)],
    });
    assert.equal(sentence(root), 'alice sent 1 ETH to carol and minted NFT #1.');
  });

  it('tell a mint for somebody else', () => {
    const root = calling('alice', 'DAI', 'mint(address,uint256)', [WHO.bob, 5], {
      items: [moved('DAI', 'nobody', 'bob', 5)],
    });
    assert.equal(sentence(root), 'alice minted 5 DAI to bob.');
  });

  it('tell a burn', () => {
    const root = calling('alice', 'DAI', 'burn(uint256)', [5], {
      items: [moved('DAI', 'alice', 'nobody', 5)],
    });
    assert.equal(sentence(root), 'alice burned 5 DAI.');
  });

  it('call a mint for another token no mint alone', () => {
    const root = viaRouter(moved('DAI', 'alice', 'vault', 5), moved('LP', 'nobody', 'alice', 5));
    assert.equal(sentence(root), 'alice sent 5 DAI to vault and minted 5 LP.');
  });
});

describe('sentences of wrapped native tokens', () => {
  const wrap = (wad: bigint, value: bigint) =>
    calling('alice', 'WETH', 'deposit()', [], {
      value,
      items: [emitted(WHO.WETH, 'Deposit(address indexed dst, uint256 wad)', WHO.alice, wad)],
    });

  it('tell a wrapping', () => {
    assert.equal(sentence(wrap(ETHER, ETHER)), 'alice wrapped 1 ETH.');
  });

  it('call it no wrapping if the amounts differ', () => {
    assert.equal(
      sentence(wrap(7n, ETHER)),
      'alice called 0xd0e30db0 on WETH, sent 1 ETH to WETH and received 7 WETH from WETH.',
    );
  });

  it('tell an unwrapping', () => {
    const root = calling('alice', 'WETH', 'withdraw(uint256)', [ETHER], {
      items: [
        emitted(WHO.WETH, 'Withdrawal(address indexed src, uint256 wad)', WHO.alice, ETHER),
        paying('WETH', 'alice', ETHER),
      ],
    });
    assert.equal(sentence(root), `alice unwrapped ${grouped(ETHER)} WETH.`);
  });

  it('call a deposit of ether for an equal amount of shares no wrapping', () => {
    const root = calling('alice', 'vault', 'deposit()', [], {
      value: ETHER,
      items: [moved('LP', 'nobody', 'alice', ETHER)],
    });
    assert.equal(sentence(root), `alice minted ${grouped(ETHER)} LP for 1 ETH.`);
  });
});

describe('sentences of bridges and claims', () => {
  const BASE = '0x3154cf16ccdb4c6d922629664174b904d80f2c35';
  const bridged = {
    ...paying('alice', 'bob', ETHER),
    to: BASE,
    input: '0xb1a1a882',
  } as const;

  it('tell a deposit at a known bridge', () => {
    assert.equal(sentence(bridged), 'alice bridged 1 ETH by the bridge of Base.');
  });

  it('know the bridge on its chain only', () => {
    const names = { [BASE]: 'somewhere' } as const;
    assert.equal(
      sentence(bridged, { chainId: 10, names }),
      'alice called 0xb1a1a882 on somewhere and sent 1 ETH to somewhere.',
    );
  });

  it('call it no bridging if something came back', () => {
    const root = { ...bridged, items: [moved('DAI', 'vault', 'alice', 3)] };
    assert.match(
      sentence(root, { names: { [BASE]: 'it' } }),
      /sent 1 ETH to it and received 3 DAI/,
    );
  });

  const claim = (...items: ReturnType<typeof moved>[]) =>
    sentence(calling('alice', 'vault', 'claimRewards()', [], { items }), {
      known: ['function claimRewards()'],
    });

  it('tell a claim', () => {
    assert.equal(claim(moved('DAI', 'vault', 'alice', 8)), 'alice claimed 8 DAI from vault.');
  });

  it('call it no claim if it cost something or brought nothing', () => {
    assert.equal(claim(), 'alice called claimRewards on vault.');
    assert.equal(
      claim(moved('USDC', 'alice', 'bob', 2), moved('DAI', 'vault', 'alice', 8)),
      'alice called claimRewards on vault, sent 2 USDC to bob and received 8 DAI from vault.',
    );
  });
});

describe('sentences of approvals', () => {
  const approve = (amount: bigint) =>
    calling('alice', 'DAI', 'approve(address,uint256)', [WHO.router, amount], {
      items: [emitted(WHO.DAI, APPROVAL, WHO.alice, WHO.router, amount)],
    });

  it('tell an approval, one without limit, and a revocation', () => {
    assert.equal(sentence(approve(7n)), 'alice lets router spend 7 DAI.');
    assert.equal(
      sentence(approve(2n ** 256n - 1n)),
      'alice gave router unlimited approval for DAI.',
    );
    assert.equal(sentence(approve(0n)), 'alice no longer lets router spend DAI.');
  });

  it('tell no allowance that a spending reports', () => {
    const spent = calling(
      'router',
      'DAI',
      'transferFrom(address,address,uint256)',
      [WHO.alice, WHO.bob, 3],
      {
        items: [
          moved('DAI', 'alice', 'bob', 3),
          emitted(WHO.DAI, APPROVAL, WHO.alice, WHO.router, 4),
        ],
      },
    );
    assert.equal(
      sentence(viaRouter(spent)),
      'alice called 0x12345678 on router and paid 3 DAI to bob.',
    );
  });

  it('tell what is left of an approval, and nothing of one that is used up', () => {
    const permit = (amount: number) =>
      calling(
        'router',
        'DAI',
        'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
        [WHO.alice, WHO.router, amount, 1, 27, `0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`],
        { items: [emitted(WHO.DAI, APPROVAL, WHO.alice, WHO.router, amount)] },
      );
    const spend = calling(
      'router',
      'DAI',
      'transferFrom(address,address,uint256)',
      [WHO.alice, WHO.vault, 5],
      { items: [moved('DAI', 'alice', 'vault', 5)] },
    );
    assert.equal(
      sentence(viaRouter(permit(5), spend)),
      'alice called 0x12345678 on router and paid 5 DAI to vault.',
    );
    assert.equal(
      sentence(viaRouter(permit(8), spend)),
      'alice lets router spend 3 DAI and paid 5 DAI to vault.',
    );
  });
});

const grouped = (value: bigint): string => value.toString().replace(/\B(?=(\d{3})+$)/g, ',');

describe('sentences of tokens that others moved', () => {
  const pulled = (by: Name) =>
    calling(by, 'DAI', 'transferFrom(address,address,uint256)', [WHO.bob, WHO.carol, 5], {
      items: [moved('DAI', 'bob', 'carol', 5)],
    });
  const claim = (name: Name, amount: bigint, measured: bigint): CheckedClaim => ({
    account: WHO[name],
    asset: WHO.DAI,
    standard: 'erc20',
    amount,
    measured,
  });

  it('tell who took them, and never that the owner sent them', () => {
    assert.equal(sentence(pulled('alice')), 'alice took 5 DAI from bob for carol.');
    assert.equal(sentence(viaRouter(pulled('router'))), 'router took 5 DAI from bob for carol.');
  });

  it('tell nothing of others that only an event claims, and measured amounts of a token that lies', () => {
    const root = pulled('alice');
    assert.equal(sentence(root, { checked: [] }), 'alice called 0x23b872dd on DAI.');
    const lie = { checked: [claim('bob', -5n, 0n), claim('carol', 5n, 0n)] };
    assert.equal(sentence(root, lie), 'alice called 0x23b872dd on DAI.');
    const sent = calling('alice', 'DAI', 'transfer(address,uint256)', [WHO.bob, 100], {
      items: [moved('DAI', 'alice', 'bob', 100)],
    });
    const taxed = { checked: [claim('alice', -100n, -100n), claim('bob', 100n, 90n)] };
    assert.equal(sentence(sent, taxed), 'alice paid 100 DAI.');
    assert.equal(
      sentence(sent, { checked: [] }),
      'alice sent 100 DAI (claimed, not measured) to bob.',
    );
  });
});
