import { parseUnits, Signature, TypedDataEncoder } from 'ethers';
import { lowerCase } from '../parts/accounts';
import { CHAIN_ID, DEADLINE } from '../parts/constants';
import type { SandboxDirectory } from '../parts/directory';
import type { StoryStep } from '../parts/steps';

const hbr = (amount: string) => parseUnits(amount, 18);
const husd = (amount: string) => parseUnits(amount, 6);

/** Pools, a flash loan, a price feed, and several calls in one. */
export const tradingSteps = (directory: SandboxDirectory): StoryStep[] => [
  ...swapSteps(directory),
  ...flashLoanSteps(directory),
  ...priceSteps(directory),
];

function swapSteps(directory: SandboxDirectory): StoryStep[] {
  const { address } = directory;
  return [
    {
      id: 'swap-two-hops',
      title: 'Alice swaps 1000 HBR into WETH',
      shows: 'One swap over two pools: HBR to hUSD to WETH.',
      from: 'alice',
      ...directory.call('router', 'swapExactTokensForTokens', [
        hbr('1000'),
        parseUnits('0.48', 18),
        [address('hbr'), address('husd'), address('weth')],
        address('alice'),
        DEADLINE,
      ]),
    },
    {
      id: 'permit-and-swap',
      title: 'Bob approves by signature and swaps 100 HBR',
      shows:
        'EIP-2612 permit and a swap in one multicall; the signature is checked by a precompile.',
      from: 'bob',
      ...directory.call('router', 'multicall', [
        [
          directory.encode('router', 'selfPermit', [
            address('hbr'),
            hbr('100'),
            DEADLINE,
            ...permitOfBob(directory),
          ]),
          directory.encode('router', 'swapExactTokensForTokens', [
            hbr('100'),
            husd('190'),
            [address('hbr'), address('husd')],
            address('bob'),
            DEADLINE,
          ]),
        ],
      ]),
    },
    {
      id: 'swap-too-little',
      title: 'Carol asks too much for 10 HBR',
      shows: 'A complete swap is rolled back by a custom error with arguments.',
      fails: true,
      from: 'carol',
      ...directory.call('router', 'swapExactTokensForTokens', [
        hbr('10'),
        husd('25'),
        [address('hbr'), address('husd')],
        address('carol'),
        DEADLINE,
      ]),
    },
  ];
}

function flashLoanSteps(directory: SandboxDirectory): StoryStep[] {
  const { address } = directory;
  const arbitrage = (amount: string, buyFrom: string, sellTo: string) =>
    directory.call('arbitrageur', 'run', [
      address('husd'),
      address('hbr'),
      husd(amount),
      address(buyFrom),
      address(sellTo),
    ]);
  return [
    {
      id: 'flash-loan',
      title: 'Carol earns from two pools with 2000 borrowed hUSD',
      shows: 'Flash loan, two swaps, fee and profit: the balance table shows net changes only.',
      from: 'carol',
      ...arbitrage('2000', 'poolHbrHusd', 'poolSide'),
    },
    {
      id: 'flash-loan-no-profit',
      title: 'Carol tries the same in the wrong order',
      shows: 'An error in a nested call rolls back the loan and both swaps.',
      fails: true,
      from: 'carol',
      ...arbitrage('2000', 'poolSide', 'poolHbrHusd'),
    },
  ];
}

function priceSteps(directory: SandboxDirectory): StoryStep[] {
  const { address } = directory;
  return [
    {
      id: 'price-update',
      title: 'The reporter sets ETH to $4,100.25',
      shows: 'A price feed with the interface of Chainlink: USD values use the price at the block.',
      from: 'reporter',
      ...directory.call('ethFeed', 'report', [410_025_000_000n]),
    },
    {
      id: 'multicall-allowed-failure',
      title: 'Mallory calls three contracts at once',
      shows: 'One of the three calls fails, which is allowed: the transaction succeeds.',
      from: 'mallory',
      ...directory.call('multicall', 'aggregate3', [
        [
          [address('ethFeed'), false, directory.encode('ethFeed', 'latestRoundData')],
          [address('husd'), true, directory.encode('husd', 'issue', [address('mallory'), 1n])],
          [address('hbr'), false, directory.encode('hbr', 'balanceOf', [address('alice')])],
        ],
      ]),
    },
  ];
}

const PERMIT = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
};

/** Signature of Bob's first permit of HBR: 100 for the router, as `v, r, s`. */
function permitOfBob({ accounts, address }: SandboxDirectory): [number, string, string] {
  const domain = {
    name: 'Harbor',
    version: '1',
    chainId: CHAIN_ID,
    verifyingContract: address('hbr'),
  };
  const digest = TypedDataEncoder.hash(domain, PERMIT, {
    owner: lowerCase(accounts.bob.address),
    spender: address('router'),
    value: hbr('100'),
    nonce: 0n,
    deadline: DEADLINE,
  });
  const { v, r, s } = Signature.from(accounts.bob.signingKey.sign(digest));
  return [v, r, s];
}
