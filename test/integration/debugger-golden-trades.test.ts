import { goldenSuite, OPTIMIZED } from './golden-suite';

const E18 = '000000000000000000';
/** What the pool of HBR (18 decimals) and hUSD (6) gives for 1000 HBR: 1000e18 * 997 * 1e12 / (500000e18 * 1000 + 1000e18 * 997). */
const FIRST_OUT = '1990031876';
/** The same for that of hUSD and WETH: 400000e6 and 100e18. */
const SECOND_OUT = '493567275176201372';

goldenSuite('proxies and trades', (golden) => {
  golden('an implementation that is replaced', 'proxy-upgrade', [
    {
      goto: 'Proxy.sol:40',
      stack: ['Proxy.upgradeToAndCall(implementation: goldV2, call_: hex""):40'],
      locals: { implementation: 'goldV2', call_: 'hex""', admin: OPTIMIZED, slot: OPTIMIZED },
      values: { 'msg.sender': 'deployer', 'call_.length': '0' },
    },
    { continue: { event: 'Upgraded' }, at: 'Proxy.sol:49' },
    // The optimizer moves an instruction of line 45 behind the first one of line 49.
    { back: 3, at: 'Proxy.sol:47' },
    { reverse: 'start', at: 'Proxy.sol:38' },
  ]);

  golden('a function of the second version', 'proxy-new-method', [
    {
      goto: 'TokenBase.sol:50',
      stack: [
        'TokenBase._burn(from: alice, value: 250000000) of UpgradeableTokenV2:50',
        'UpgradeableTokenV2.burn(value: 250000000) in the storage of proxy:35',
        'Proxy._delegate():63',
        'Proxy.fallback:31',
      ],
      values: { this: 'proxy', 'balanceOf[alice]': '1250000000', 'msg.sender': 'alice' },
    },
    { over: 1, at: 'TokenBase.sol:51', values: { 'balanceOf[alice]': '1000000000' } },
    {
      over: 1,
      at: 'TokenBase.sol:52',
      values: { totalSupply: '1000000000' },
      before: { totalSupply: '1250000000' },
    },
    { reverse: { write: 'totalSupply' }, at: 'TokenBase.sol:51' },
  ]);

  golden('an error behind a proxy', 'proxy-custom-error', [
    {
      continue: { failure: 'all' },
      at: 'UpgradeableToken.sol:19',
      says: 'AlreadyInitialized()',
      stack: [
        'UpgradeableTokenV2.initialize(name_: "Mine", symbol_: "MINE", owner_: mallory) in the storage of proxy:19',
        'Proxy._delegate():63',
        'Proxy.fallback:31',
      ],
      locals: { name_: '"Mine"', symbol_: '"MINE"', owner_: 'mallory' },
      values: { owner: 'carol', 'owner != address(0)': 'true' },
    },
    // The proxy forwards the error, which is no other one.
    { continue: 'end', at: 'Proxy.sol:65' },
  ]);

  golden('a swap over two pools', 'swap-two-hops', [
    {
      goto: 'Pool.sol:62',
      stack: [
        'Pool.swap(tokenIn: harborToken, to: poolHusdWeth):62',
        `Router.swapExactTokensForTokens(amountIn: 1000${E18}, amountOutMin: 480000000000000000, path: [harborToken, harborDollar, wrappedEther], to: alice, deadline: 4102444800):47`,
      ],
      locals: {
        tokenIn: 'harborToken',
        to: 'poolHusdWeth',
        amountOut: OPTIMIZED,
        zeroIn: OPTIMIZED,
        amountIn: OPTIMIZED,
      },
      values: {
        reserve0: `500000${E18}`,
        reserve1: '1000000000000',
        token0: 'harborToken',
        'tokenIn == token0': 'true',
        [`quote(tokenIn, 1000${E18})`]: FIRST_OUT,
      },
      callers: [
        {
          locals: {
            amountIn: `1000${E18}`,
            amountOutMin: '480000000000000000',
            path: '3 elements',
            to: 'alice',
            deadline: '4102444800',
            amountOut: OPTIMIZED,
            pool: OPTIMIZED,
            i: OPTIMIZED,
            last: OPTIMIZED,
            next: OPTIMIZED,
          },
          values: { 'path.length - 1': '2', 'pools[path[0]][path[1]]': 'poolHbrHusd' },
        },
      ],
    },
    {
      goto: 'WrappedEther.sol:55',
      stack: [
        `WrappedEther.transferFrom(src: poolHusdWeth, dst: alice, wad: ${SECOND_OUT}):55`,
        `WrappedEther.transfer(dst: alice, wad: ${SECOND_OUT}):46`,
        'Pool.swap(tokenIn: harborDollar, to: alice):63',
        `Router.swapExactTokensForTokens(amountIn: 1000${E18}, amountOutMin: 480000000000000000, path: [harborToken, harborDollar, wrappedEther], to: alice, deadline: 4102444800):47`,
      ],
      values: { 'balanceOf[poolHusdWeth]': `100${E18}`, 'balanceOf[alice]': `3${E18}` },
    },
    { continue: { write: 'balanceOf[poolHusdWeth]' }, at: 'WrappedEther.sol:55' },
    { over: 1, at: 'WrappedEther.sol:56', before: { 'balanceOf[poolHusdWeth]': `100${E18}` } },
  ]);

  golden('a signed approval and a swap in one call', 'permit-and-swap', [
    {
      goto: 'HarborToken.sol:49',
      values: {
        owner: 'bob',
        spender: 'router',
        'nonces[bob]': '1',
        'block.chainid': '31337',
        'msg.sender': 'router',
        'allowance[bob][router]': '0',
      },
      before: { 'nonces[bob]': '0' },
    },
    {
      continue: { write: 'allowance[bob][router]' },
      at: 'TokenBase.sol:31',
      locals: { owner: 'bob', spender: 'router', value: `100${E18}` },
    },
    {
      goto: 'Router.sol:50',
      values: { 'msg.sender': 'bob', this: 'router', amountOutMin: '190000000', to: 'bob' },
      callers: [{ values: { 'calls.length': '2', 'msg.sender': 'bob' } }],
    },
    {
      reverse: { event: 'Sync' },
      at: 'Pool.sol:72',
      // 501000 and 100 HBR; the pool had 998009.968124 hUSD and paid 198.566460.
      values: { reserve0: `501100${E18}`, reserve1: '997811401664' },
      before: { reserve0: `501000${E18}`, reserve1: '998009968124' },
    },
  ]);

  golden('a swap that is rolled back', 'swap-too-little', [
    {
      continue: { failure: 'uncaught' },
      at: 'Router.sol:50',
      says: 'TooLittleReceived(received: 19852288, minimum: 25000000)',
      values: { amountOutMin: '25000000', amountIn: `10${E18}`, to: 'carol' },
    },
    {
      reverse: { event: 'Swap' },
      at: 'Pool.sol:65',
      stack: [
        'Pool.swap(tokenIn: harborToken, to: carol):65',
        `Router.swapExactTokensForTokens(amountIn: 10${E18}, amountOutMin: 25000000, path: [harborToken, harborDollar], to: carol, deadline: 4102444800):47`,
      ],
      values: { reserve0: `501110${E18}`, reserve1: '997791549376' },
    },
    { reverse: { function: 'Pool.swap' }, at: 'Pool.sol:58' },
  ]);

  golden('a flash loan that earns', 'flash-loan', [
    {
      goto: 'FlashLender.sol:17',
      values: { FEE_BASIS_POINTS: '9', '(amount * FEE_BASIS_POINTS) / 10_000': '1800000' },
      callers: [
        { values: { borrower: 'arbitrageur', token: 'harborDollar', 'data.length': '96' } },
        { values: { owner: 'carol', lender: 'flashLender', goods: 'harborToken' } },
      ],
    },
    {
      goto: 'Arbitrageur.sol:38',
      values: {
        amount: '2000000000',
        fee: '1800000',
        'amount + fee': '2001800000',
        token: 'harborDollar',
        'msg.sender': 'flashLender',
      },
    },
    {
      reverse: { event: 'Transfer' },
      at: 'TokenBase.sol:39',
      // The side pool pays for 999.387879218314452973 HBR.
      locals: { from: 'poolSide', to: 'arbitrageur', value: '2071775445' },
    },
    {
      goto: 'FlashLender.sol:31',
      values: { amount: '2000000000', borrower: 'arbitrageur' },
    },
    {
      continue: { event: 'Transfer' },
      // 2071.775445 less 2001.8
      locals: { from: 'arbitrageur', to: 'carol', value: '69975445' },
    },
  ]);

  golden('a flash loan that would lose', 'flash-loan-no-profit', [
    {
      continue: { failure: 'uncaught' },
      at: 'Arbitrageur.sol:38',
      says: 'NoProfit(received: 1908584956, owed: 2001800000)',
      values: { amount: '2000000000', fee: '1800000', owner: 'carol' },
      callers: [{ values: { borrower: 'arbitrageur', 'msg.sender': 'arbitrageur' } }],
    },
    { reverse: { function: 'Pool.quote' }, at: 'Pool.sol:49' },
    { reverse: { function: 'Pool.quote' }, at: 'Pool.sol:49' },
    { backOut: 1, at: 'Pool.sol:62', values: { 'tokenIn == token1': 'true' } },
  ]);

  golden('a call of three that may fail', 'multicall-allowed-failure', [
    {
      continue: { failure: 'all' },
      at: 'HarborDollar.sol:21',
      says: 'NotIssuer(caller: multicall)',
      locals: { to: 'mallory', value: '1' },
      values: { issuer: 'deployer', 'msg.sender': 'multicall' },
      callers: [{ values: { 'calls[1].allowFailure': 'true', 'calls[1].target': 'harborDollar' } }],
    },
    { out: 1, at: 'Multicall.sol:22' },
    { over: 1, at: 'Multicall.sol:23' },
    { over: 1, at: 'Multicall.sol:24' },
    { reverse: { function: 'PriceFeed.latestRoundData' }, at: 'PriceFeed.sol:38' },
  ]);
});
