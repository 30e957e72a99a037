import assert from 'node:assert/strict';
import {
  calling,
  emitted,
  failing,
  moved,
  paying,
  sentence,
  storing,
  viaRouter,
  WHO,
} from '../../../support/scenes';
import { frame } from '../../../support/analysis';

const ETHER = 10n ** 18n;
const UPGRADED = emitted(WHO.proxy, 'Upgraded(address indexed implementation)', WHO.code);
const delegated = frame({ type: 'DELEGATECALL', from: WHO.proxy, to: WHO.code });

describe('sentences of contracts', () => {
  const created = (facts = {}) =>
    frame({ type: 'CREATE', from: WHO.alice, to: WHO.vault, output: '0x00', ...facts });

  it('tell a deployment', () => {
    assert.equal(sentence(created()), 'alice deployed vault.');
    const inner = created({ type: 'CREATE2', from: WHO.router });
    assert.equal(sentence(viaRouter(inner)), 'router deployed vault.');
  });

  it('call it no deployment of a contract that did not stay', () => {
    const destroyed = frame({ type: 'SELFDESTRUCT', from: WHO.vault, to: WHO.bob });
    const called = 'alice called 0x12345678 on router.';
    assert.equal(sentence(viaRouter(created({ from: WHO.router, items: [destroyed] }))), called);
    assert.equal(sentence(viaRouter(created({ from: WHO.router, error: 'out of gas' }))), called);
  });

  it('tell an upgrade of a proxy', () => {
    const root = calling('alice', 'proxy', 'upgradeTo(address)', [WHO.code], {
      items: [{ ...delegated, items: [UPGRADED] }],
    });
    const state = storing(WHO.proxy, WHO.code);
    assert.equal(sentence(root, { state }), 'alice upgraded proxy to code.');
    const known = { contracts: { [WHO.proxy]: { implementation: WHO.code } }, state };
    assert.equal(sentence({ ...root, items: [UPGRADED] }, known), 'alice upgraded proxy to code.');
    assert.equal(sentence(root), 'alice upgraded proxy to code (claimed, not measured).');
    const lie = { state: storing(WHO.proxy, WHO.bob) };
    assert.equal(sentence(root, lie), 'alice called 0x3659cfe6 on proxy.');
  });

  it('call neither a constructor nor a contract that is no proxy upgraded', () => {
    const root = viaRouter(created({ to: WHO.proxy, from: WHO.router, items: [UPGRADED] }));
    assert.equal(sentence(root), 'router deployed proxy.');
    assert.equal(sentence(viaRouter(UPGRADED)), 'alice called 0x12345678 on router.');
  });
});

describe('sentences of votes and wallets', () => {
  it('tell a vote as the governor counts it', () => {
    const cast = emitted(
      WHO.vault,
      'VoteCast(address indexed voter, uint256 proposalId, uint8 support, uint256 weight, string reason)',
      WHO.alice,
      42,
      1,
      1_000,
      '',
    );
    const vote = (from: 'alice' | 'bob') =>
      calling(from, 'vault', 'castVote(uint256,uint8)', [42, 1], { items: [cast] });
    assert.equal(sentence(vote('alice')), 'alice voted on proposal 42 (support 1) of vault.');
    // Anyone can write a contract that names another voter.
    assert.equal(sentence(vote('bob')), 'bob called 0x56781388 on vault.');
  });

  it('tell what a Safe did in the name of its owners', () => {
    const root = calling('alice', 'vault', 'execTransaction()', [], {
      items: [
        paying('vault', 'bob', ETHER),
        emitted(
          WHO.vault,
          'ExecutionSuccess(bytes32 txHash, uint256 payment)',
          `0x${'1'.repeat(64)}`,
          0,
        ),
      ],
    });
    assert.match(sentence(root), /vault sent 1 ETH to bob\.$/);
  });

  it('take no other contract for a wallet', () => {
    const root = viaRouter(
      moved('DAI', 'vault', 'bob', 3),
      moved('DAI', 'bob', 'carol', 3),
      emitted(
        WHO.vault,
        'ExecutionSuccess(bytes32 txHash, uint256 payment)',
        `0x${'1'.repeat(64)}`,
        0,
      ),
    );
    assert.equal(sentence(root), 'alice called 0x12345678 on router.');
  });
});

describe('sentences of failed transactions', () => {
  const known = [
    'function transfer(address to, uint256 value) returns (bool)',
    'function approve(address spender, uint256 value) returns (bool)',
    'function deposit() payable',
    'function mint(address to, uint256 value)',
    'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
    'function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
    'function poke()',
  ];
  const failed = failing('no');
  const tried = (...call: Parameters<typeof calling>) => sentence(calling(...call), { known });
  const path = [WHO.DAI, WHO.WETH, WHO.USDC];

  it('tell what was tried', () => {
    assert.equal(
      sentence(paying('alice', 'bob', ETHER, failed)),
      'alice tried to send 1 ETH to bob, and failed.',
    );
    assert.equal(
      tried('alice', 'DAI', 'transfer(address,uint256)', [WHO.bob, 5], failed),
      'alice tried to send 5 DAI to bob, and failed.',
    );
    assert.equal(
      tried('alice', 'DAI', 'approve(address,uint256)', [WHO.bob, 5], failed),
      'alice tried to let bob spend 5 DAI, and failed.',
    );
    assert.equal(
      tried('alice', 'WETH', 'deposit()', [], { ...failed, value: ETHER }),
      'alice tried to wrap 1 ETH, and failed.',
    );
  });

  it('name what was to be minted, where a parameter is named as an amount', () => {
    const mint = 'mint(address,uint256)';
    assert.equal(
      tried('alice', 'DAI', mint, [WHO.alice, 5], failed),
      'alice tried to mint 5 DAI, and failed.',
    );
    assert.equal(
      tried('alice', 'DAI', mint, [WHO.bob, 5], failed),
      'alice tried to mint 5 DAI to bob, and failed.',
    );
    const collection = ['function mint(address to, uint256 tokenId)'];
    assert.equal(
      sentence(calling('alice', 'DAI', mint, [WHO.bob, 5], failed), { known: collection }),
      'alice tried to call mint on DAI, and failed.',
    );
  });

  it('tell the least that a swap demanded', () => {
    assert.equal(
      tried(
        'alice',
        'router',
        'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
        [10, 25, path, WHO.alice, 1],
        failed,
      ),
      'alice tried to swap 10 DAI for at least 25 USDC, and failed.',
    );
    assert.equal(
      tried(
        'alice',
        'router',
        'swapExactETHForTokens(uint256,address[],address,uint256)',
        [25, path, WHO.alice, 1],
        { ...failed, value: ETHER },
      ),
      'alice tried to swap 1 ETH for at least 25 USDC, and failed.',
    );
  });

  it('name the method of everything else', () => {
    assert.equal(
      tried('alice', 'vault', 'poke()', [], { ...failed, value: ETHER }),
      'alice tried to call poke on vault with 1 ETH, and failed.',
    );
    assert.equal(
      tried('alice', 'vault', 'deposit()', [], { ...failed, value: ETHER }),
      'alice tried to call deposit on vault with 1 ETH, and failed.',
    );
    assert.equal(
      sentence(frame({ ...failed, type: 'CREATE', from: WHO.alice, to: null })),
      'alice tried to deploy a contract, and failed.',
    );
  });

  it('tell no swap with an empty path', () => {
    assert.match(
      tried(
        'alice',
        'router',
        'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
        [10, 25, [], WHO.alice, 1],
        failed,
      ),
      /^alice tried to call swapExactTokensForTokens on router, and failed\.$/,
    );
  });
});
