import { parseEther } from 'ethers';
import type { SandboxDirectory } from '../parts/directory';
import type { Step, StoryStep } from '../parts/steps';

const dollars = (amount: string) => parseEther(amount);

/** Ether for the people of the vault, who have none before. */
function funding(directory: SandboxDirectory): Step[] {
  return (['grace', 'heidi', 'ivan'] as const).map((name) => ({
    from: 'deployer',
    to: directory.address(name),
    value: parseEther('50'),
  }));
}

/** By block: a vault that owes more than it has since its price feed was replaced, and that is emptied two blocks later. */
export const dollarBlocks = (directory: SandboxDirectory): (Step | StoryStep)[][] => [
  [...funding(directory), ...openingSteps(directory)],
  ...laterBlocks(directory),
];

function openingSteps(directory: SandboxDirectory): StoryStep[] {
  return [
    {
      id: 'dollar-feed',
      title: 'Grace deploys a price feed',
      shows: "A feed with 18 decimals, where Chainlink's dollar feeds have 8.",
      from: 'grace',
      ...directory.creation('steadyFeed'),
    },
    {
      id: 'dollar-vault',
      title: 'Grace deploys the dollar vault',
      shows: 'It holds ether and owes it in dollars, at the price of its feed.',
      from: 'grace',
      ...directory.creation('dollarVault'),
    },
    {
      id: 'dollar-deposit',
      title: 'Heidi deposits 20 ETH',
      shows: 'She is credited $82,005: the price at the block.',
      from: 'heidi',
      ...directory.call('dollarVault', 'deposit'),
      value: parseEther('20'),
    },
    {
      id: 'dollar-small-deposit',
      title: 'Ivan deposits 0.1 ETH',
      shows: 'The smallest account of the vault.',
      from: 'ivan',
      ...directory.call('dollarVault', 'deposit'),
      value: parseEther('0.1'),
    },
  ];
}

function laterBlocks(directory: SandboxDirectory): StoryStep[][] {
  const { address } = directory;
  return [
    [
      {
        id: 'dollar-withdrawal',
        title: 'Heidi withdraws 2 ETH',
        shows: 'The vault still owes what it has.',
        from: 'heidi',
        ...directory.call('dollarVault', 'withdraw', [parseEther('2')]),
      },
      {
        id: 'dollar-feed-changed',
        title: 'Grace replaces the price feed',
        shows: 'A setter and no transfer: the new feed has 8 decimals, and the vault reads 18.',
        from: 'grace',
        ...directory.call('dollarVault', 'setFeed', [address('ethFeed')]),
      },
      {
        id: 'dollar-credit-moved',
        title: 'Heidi gives $100 of her credit to Grace',
        shows: 'No price is read: the vault works as before.',
        from: 'heidi',
        ...directory.call('dollarVault', 'moveCredit', [address('grace'), dollars('100')]),
      },
    ],
    [
      {
        id: 'dollar-credit-back',
        title: 'Grace gives $40 of it back',
        shows: 'A block in which nobody notices.',
        from: 'grace',
        ...directory.call('dollarVault', 'moveCredit', [address('heidi'), dollars('40')]),
      },
    ],
    [
      {
        id: 'exploit-decimals',
        title: 'Ivan withdraws 18 ETH for his 0.1 ETH',
        shows: 'An ordinary call: the vault takes 18 ETH for less than a cent.',
        from: 'ivan',
        ...directory.call('dollarVault', 'withdraw', [parseEther('18')]),
      },
      {
        id: 'dollar-vault-empty',
        title: 'Heidi cannot withdraw',
        shows: 'A payment that fails because the contract has too little ether.',
        fails: true,
        from: 'heidi',
        ...directory.call('dollarVault', 'withdraw', [parseEther('1')]),
      },
    ],
  ];
}
