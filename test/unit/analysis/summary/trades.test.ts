import assert from 'node:assert/strict';
import {
  calling,
  emitted,
  moved,
  movedId,
  paying,
  sentence,
  swapped,
  viaRouter,
  WHO,
} from '../../../support/scenes';

const ETHER = 10n ** 18n;
const V3_SWAP =
  'Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)';
const V4_SWAP =
  'Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)';
const CURVE =
  'TokenExchange(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought)';
const BALANCER =
  'Swap(bytes32 indexed poolId, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut)';
const POOL_ID = `0x${'ab'.repeat(32)}`;
const sold = moved('DAI', 'alice', 'pair', 100);
const bought = moved('USDC', 'pair', 'alice', 98);

describe('sentences of swaps', () => {
  it('tell a swap and the form of its pool', () => {
    const via = (event: ReturnType<typeof moved>): string =>
      sentence(viaRouter(sold, bought, event)).replace('alice swapped 100 DAI for 98 USDC on ', '');
    assert.equal(via(swapped('pair', 100, 0, 0, 98)), 'the Uniswap V2 pair pair.');
    const sides = [WHO.router, WHO.alice];
    assert.equal(
      via(emitted(WHO.pair, V3_SWAP, ...sides, 100, -98, 1, 1, 1)),
      'the Uniswap V3 pool pair.',
    );
    assert.equal(
      via(emitted(WHO.pair, V4_SWAP, POOL_ID, WHO.router, -100, 98, 1, 1, 1, 1)),
      'Uniswap V4 (pair).',
    );
    assert.equal(via(emitted(WHO.pair, CURVE, WHO.alice, 0, 100, 1, 98)), 'the Curve pool pair.');
    assert.equal(
      via(emitted(WHO.pair, BALANCER, POOL_ID, WHO.DAI, WHO.USDC, 100, 98)),
      'Balancer (pair).',
    );
  });

  it('tell the ether that a router wrapped, less what it gave back', () => {
    const root = {
      ...viaRouter(
        paying('router', 'WETH', (9n * ETHER) / 10n),
        moved('DAI', 'pair', 'alice', 2_500),
        swapped('pair', 9, 0, 0, 2_500),
        paying('router', 'alice', ETHER / 10n),
      ),
      value: ETHER,
    };
    assert.equal(
      sentence(root),
      'alice swapped 0.9 ETH for 2,500 DAI on the Uniswap V2 pair pair.',
    );
  });

  it('count the pools of a route', () => {
    const root = viaRouter(
      sold,
      swapped('pair', 100, 0, 0, 50),
      swapped('vault', 50, 0, 0, 98),
      moved('USDC', 'vault', 'alice', 98),
    );
    assert.equal(sentence(root), 'alice swapped 100 DAI for 98 USDC on 2 pools.');
  });

  it('tell who got it, if the top call names another', () => {
    const method = 'swap(uint256 amount, address to)';
    const root = calling('alice', 'router', method, [100, WHO.bob], {
      items: [sold, moved('USDC', 'pair', 'bob', 98), swapped('pair', 100, 0, 0, 98)],
    });
    const known = ['function swap(uint256 amount, address to)'];
    assert.equal(
      sentence(root, { known }),
      'alice swapped 100 DAI for 98 USDC, received by bob, on the Uniswap V2 pair pair.',
    );
  });

  it('call it no swap without the event of a pool', () => {
    assert.equal(
      sentence(viaRouter(sold, bought)),
      'alice called 0x12345678 on router, sent 100 DAI to pair and received 98 USDC from pair.',
    );
  });

  it('call it no swap if the pool only said so', () => {
    assert.equal(
      sentence(viaRouter(swapped('pair', 100, 0, 0, 98))),
      'alice called 0x12345678 on router.',
    );
    assert.equal(
      sentence(viaRouter(sold, swapped('pair', 100, 0, 0, 98))),
      'alice called 0x12345678 on router and sent 100 DAI to pair.',
    );
  });

  it('call it no swap if the same token came back', () => {
    const root = viaRouter(
      sold,
      moved('DAI', 'pair', 'alice', 101),
      swapped('pair', 100, 0, 0, 101),
    );
    assert.match(sentence(root), /received 1 DAI from pair\.$/);
  });

  it('call it no swap if a third asset moved', () => {
    const root = viaRouter(
      sold,
      bought,
      moved('WETH', 'alice', 'bob', 1),
      swapped('pair', 100, 0, 0, 98),
    );
    assert.doesNotMatch(sentence(root), /swapped/);
  });

  it('call it no swap if it was rolled back', () => {
    const root = viaRouter({
      ...viaRouter(sold, bought, swapped('pair', 100, 0, 0, 98)),
      from: WHO.router,
      error: 'execution reverted',
    });
    assert.equal(sentence(root), 'alice called 0x12345678 on router.');
  });
});

describe('sentences of trades with token ids', () => {
  it('tell a purchase and a sale', () => {
    const buy = {
      ...viaRouter(movedId('bob', 'alice', 7), paying('router', 'bob', ETHER)),
      value: ETHER,
    };
    assert.equal(sentence(buy), 'alice bought NFT #7 for 1 ETH from bob.');
    const sell = viaRouter(movedId('alice', 'bob', 7), moved('WETH', 'bob', 'alice', 9));
    assert.equal(sentence(sell), 'alice sold NFT #7 for 9 WETH to bob.');
  });

  it('call it no purchase if the seller was not paid', () => {
    const root = {
      ...viaRouter(movedId('bob', 'alice', 7), paying('router', 'carol', ETHER)),
      value: ETHER,
    };
    assert.doesNotMatch(sentence(root), /bought/);
  });

  it('call a present no purchase', () => {
    const root = calling(
      'alice',
      'NFT',
      'transferFrom(address,address,uint256)',
      [WHO.alice, WHO.bob, 7],
      { items: [movedId('alice', 'bob', 7)] },
    );
    assert.equal(sentence(root), 'alice sent NFT #7 to bob.');
  });
});

describe('sentences of liquidity', () => {
  const mint = emitted(
    WHO.LP,
    'Mint(address indexed sender, uint256 amount0, uint256 amount1)',
    WHO.router,
    100,
    50,
  );
  const burn = emitted(
    WHO.LP,
    'Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)',
    WHO.router,
    100,
    50,
    WHO.alice,
  );

  it('tell what a pool got and gave back', () => {
    const add = viaRouter(
      moved('DAI', 'alice', 'LP', 100),
      moved('USDC', 'alice', 'LP', 50),
      moved('LP', 'nobody', 'alice', 70),
      mint,
    );
    assert.equal(sentence(add), 'alice provided 100 DAI + 50 USDC to LP for 70 LP.');
    const remove = viaRouter(
      moved('LP', 'alice', 'LP', 70),
      moved('LP', 'LP', 'nobody', 70),
      moved('DAI', 'LP', 'alice', 100),
      moved('USDC', 'LP', 'alice', 50),
      burn,
    );
    assert.equal(sentence(remove), 'alice removed 100 DAI + 50 USDC from LP for 70 LP.');
  });

  it('call it no liquidity without shares of the pool', () => {
    const root = viaRouter(
      moved('DAI', 'alice', 'LP', 100),
      moved('USDC', 'alice', 'LP', 50),
      mint,
    );
    assert.doesNotMatch(sentence(root), /provided/);
  });
});
