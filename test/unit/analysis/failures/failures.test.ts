import assert from 'node:assert/strict';
import type { FrameItem } from '../../../../server/analysis/call-frame';
import { swallowedFailures } from '../../../../server/analysis/failures/chain';
import { word } from '../../../support/analysis';
import {
  answering,
  calling,
  causes,
  chainOf,
  errorData,
  failing,
  moved,
  paying,
  sceneOf,
  viaRouter,
  WHO,
} from '../../../support/scenes';

const NOW = 1_700_000_000;
const [ALLOWANCE, BALANCE] = ['DAI 0xdd62ed3e', 'DAI 0x70a08231'] as const;
const pull = (facts = {}) =>
  calling('router', 'DAI', 'transferFrom(address,address,uint256)', [WHO.alice, WHO.vault, 100], {
    ...failing('DAI: no'),
    ...facts,
  });
/** The router passes the failure of its last call on. */
const failed = (...items: FrameItem[]) => ({
  ...viaRouter(...items),
  ...failing('DAI: no'),
});

describe('the chain of a failure', () => {
  it('starts at the innermost failed call', () => {
    assert.deepEqual(chainOf({ ...viaRouter(pull()), ...failing('router: pull failed') }), [
      'DAI: DAI: no',
      'router: router: pull failed',
    ]);
  });

  it('does not follow a failure after which the caller made another call', () => {
    const root = failed(pull(), paying('router', 'vault', 1n));
    assert.deepEqual(chainOf(root), ['router: DAI: no']);
  });

  it('is empty for a success, which lists who went on after a failure', () => {
    const root = viaRouter(pull(), paying('router', 'vault', 1n));
    assert.deepEqual(chainOf(root), []);
    const swallowed = swallowedFailures(sceneOf(root).steps);
    assert.deepEqual(
      swallowed.map(({ call, by }) => [call.id, by.id]),
      [[1, 0]],
    );
    assert.deepEqual(swallowedFailures(sceneOf(failed(pull())).steps), []);
  });
});

describe('a missing allowance or balance', () => {
  it('is proved by the state before the transaction', async () => {
    const asked: string[] = [];
    const ask = answering({ [ALLOWANCE]: 30n, [BALANCE]: 500n }, asked);
    assert.deepEqual(await causes(failed(pull()), ask), ['#1 allowance of alice 30/100 by read']);
    assert.deepEqual(asked, [ALLOWANCE, BALANCE]);
  });

  it('are told both if both are missing', async () => {
    const ask = answering({ [ALLOWANCE]: 30n, [BALANCE]: 5n });
    assert.deepEqual(await causes(failed(pull()), ask), [
      '#1 allowance of alice 30/100 by read',
      '#1 balance of alice 5/100 by read',
    ]);
  });

  it('are not told if they suffice, or are not known', async () => {
    const enough = answering({ [ALLOWANCE]: 100n, [BALANCE]: 100n });
    assert.deepEqual(await causes(failed(pull()), enough), []);
    assert.deepEqual(await causes(failed(pull())), []);
  });

  it('are not read if the token was called before', async () => {
    const asked: string[] = [];
    const ask = answering({ [ALLOWANCE]: 0n, [BALANCE]: 0n }, asked);
    const approve = calling('router', 'DAI', 'approve(address,uint256)', [WHO.bob, 1]);
    assert.deepEqual(await causes(failed(approve, pull()), ask), []);
    assert.deepEqual(asked, []);
  });

  it('are proved by a read of the trace, unless the token was called after it', async () => {
    const read = calling('router', 'DAI', 'allowance(address,address)', [WHO.alice, WHO.router], {
      type: 'STATICCALL',
      output: word(7),
    });
    assert.deepEqual(await causes(failed(read, pull())), [
      '#2 allowance of alice 7/100 by trace #1',
    ]);
    const approve = calling('router', 'DAI', 'approve(address,uint256)', [WHO.bob, 1]);
    assert.deepEqual(await causes(failed(read, approve, pull())), []);
    const other = calling('router', 'DAI', 'allowance(address,address)', [WHO.bob, WHO.router], {
      type: 'STATICCALL',
      output: word(7),
    });
    assert.deepEqual(await causes(failed(other, pull())), []);
  });

  it('are proved by the errors of ERC-6093 if their arguments are those of the call', async () => {
    const told = (spender: string, needed: number) => ({
      error: 'execution reverted',
      output: errorData(
        'ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
        spender,
        30,
        needed,
      ),
    });
    assert.deepEqual(await causes(failed(pull(told(WHO.router, 100)))), [
      '#1 allowance of alice 30/100 by error',
    ]);
    assert.deepEqual(await causes(failed(pull(told(WHO.router, 99)))), []);
    assert.deepEqual(await causes(failed(pull(told(WHO.bob, 100)))), []);
  });

  it('count for the sender of a plain transfer', async () => {
    const root = calling(
      'alice',
      'DAI',
      'transfer(address,uint256)',
      [WHO.bob, 100],
      failing('no'),
    );
    const ask = answering({ [BALANCE]: 99n });
    assert.deepEqual(await causes(root, ask), ['#0 balance of alice 99/100 by read']);
  });
});

describe('a missed deadline', () => {
  const known = ['function swap(uint256 amount, uint256 deadline)'];
  const swap = (deadline: number, reason: string) =>
    causes(
      calling('alice', 'router', 'swap(uint256,uint256)', [1, deadline], failing(reason)),
      answering({}),
      { known, timestamp: NOW },
    );

  it('is proved by the time of the block', async () => {
    assert.deepEqual(await swap(NOW - 1, 'UniswapV2Router: EXPIRED'), ['#0 deadline by block']);
    assert.deepEqual(await swap(NOW - 1, 'Transaction too old'), ['#0 deadline by block']);
  });

  it('is not told if it was kept, or the reason is another', async () => {
    assert.deepEqual(await swap(NOW, 'UniswapV2Router: EXPIRED'), []);
    assert.deepEqual(await swap(NOW - 1, 'UniswapV2: K'), []);
  });

  it('is not told of a parameter that only looks like it', async () => {
    const root = calling('alice', 'router', 'swap(uint256,uint256)', [1, 1], failing('EXPIRED'));
    const named = ['function swap(uint256 amount, uint256 count)'];
    assert.deepEqual(await causes(root, answering({}), { known: named, timestamp: NOW }), []);
  });
});

describe('a caller that may not', () => {
  const poke = (reason: string) => calling('alice', 'vault', 'poke()', [], failing(reason));

  it('is proved by the owner that the contract names', async () => {
    const reason = 'Ownable: caller is not the owner';
    const owner = (account: string) => answering({ 'vault 0x8da5cb5b': BigInt(account) });
    assert.deepEqual(await causes(poke(reason), owner(WHO.bob)), ['#0 owner of alice by read']);
    assert.deepEqual(await causes(poke(reason), owner(WHO.alice)), []);
    assert.deepEqual(await causes(poke('no'), owner(WHO.bob)), []);
    assert.deepEqual(await causes(poke(reason)), []);
  });

  it('is proved by the pause that the contract reports', async () => {
    const paused = (answer: bigint) => answering({ 'vault 0x5c975abb': answer });
    assert.deepEqual(await causes(poke('Pausable: paused'), paused(1n)), ['#0 paused by read']);
    assert.deepEqual(await causes(poke('Pausable: paused'), paused(0n)), []);
    assert.deepEqual(await causes(poke('Pausable: not paused'), paused(1n)), []);
  });
});

describe('a payment beyond the balance', () => {
  it('is told by the engine', async () => {
    const inner = paying('router', 'bob', 9n, { error: 'insufficient balance for transfer' });
    assert.deepEqual(await causes(failed(inner)), ['#1 nativeBalance of router ?/9 by error']);
    const other = paying('router', 'bob', 9n, { error: 'out of gas' });
    assert.deepEqual(await causes(failed(other)), []);
  });
});

describe('a swap that gives too little', () => {
  const METHOD =
    'swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)';
  const path = [WHO.DAI, WHO.USDC];
  const swap = (reason: string, least: number, ...items: FrameItem[]) =>
    causes(
      calling('alice', 'router', METHOD, [1_000, least, path, WHO.alice, NOW], {
        ...failing(reason),
        items,
      }),
      answering({}),
      { known: [`function ${METHOD}`], timestamp: NOW },
    );
  const got = moved('USDC', 'pair', 'alice', 98);

  it('is proved by what it paid out before it was rolled back', async () => {
    assert.deepEqual(await swap('Too little received', 100, got), [
      '#0 slippage 98/100 by trace #1',
    ]);
    assert.deepEqual(await swap('Too little received', 98, got), []);
    assert.deepEqual(await swap('Too little received', 100, got, got), []);
    assert.deepEqual(await swap('UniswapV2: K', 100, got), []);
  });

  it('is proved by the reserves that the router of Uniswap V2 read', async () => {
    const low = WHO.DAI < WHO.USDC;
    const [inDai, inUsdc] = [word(50_000), word(60_000)];
    const [first, second] = low ? [inDai, inUsdc] : [inUsdc, inDai];
    const reserves = calling('router', 'pair', 'getReserves()', [], {
      type: 'STATICCALL',
      output: `${first}${second.slice(2)}${word(1).slice(2)}`,
    });
    const reason = 'UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT';
    // 997 * 60000 * 1000 / (50000 * 1000 + 997 * 1000)
    assert.deepEqual(await swap(reason, 1_200, reserves), ['#0 slippage 1173/1200 by trace #1']);
    assert.deepEqual(await swap(reason, 1_173, reserves), []);
    assert.deepEqual(await swap('Other: INSUFFICIENT_OUTPUT_AMOUNT', 1_200, reserves), []);
    assert.deepEqual(await swap(reason, 1_200), []);
  });
});
