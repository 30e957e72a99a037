import { getCreateAddress } from 'ethers';
import { pairOf } from './cases-tokens';
import { CAST, lower, type Deployed } from './stage';
import { give, NOBODY, usd, type Case, type World } from './world';

const { alice, bob, carol, mallory } = CAST;
const LOAN = usd(2_000);

/** A lender, and two pairs with different prices. */
async function marketOf(
  world: World,
  name: string,
): Promise<{ lender: Deployed; cheap: Deployed; dear: Deployed }> {
  const lender = await world.stage.deploy('Lender', 'Lender');
  await give(world, world.usd, lender, usd(50_000));
  return {
    lender,
    cheap: await pairOf(world, `${name} pair`, ['usd', 'gem'], [usd(100_000), 110_000n]),
    dear: await pairOf(world, `${name} side pair`, ['gem', 'usd'], [100_000n, usd(100_000)]),
  };
}

const botOf = async (
  world: World,
  payee: string,
  by: (typeof CAST)[keyof typeof CAST],
): Promise<Deployed> => {
  const { lender, cheap, dear } = await marketOf(world, 'bot');
  const values = [lender.at, cheap.at, dear.at, payee, NOBODY, 0];
  return world.stage.deploy('Bot', 'Bot', values, by);
};

/** Loans and trades: who gained by them, and who did not. */
const TRADES: readonly Case[] = [
  {
    name: 'a flash loan and two swaps, whose profit the sender gets',
    play: async (world) => {
      const bot = await botOf(world, lower(carol), CAST.deployer);
      return world.stage.call(carol, bot, 'run', world.usd.at, LOAN);
    },
    findings: ['flashLoan'],
  },
  {
    name: 'a flash loan and two swaps, whose profit stays in the contract of the sender',
    play: async (world) => {
      const bot = await botOf(world, NOBODY, carol);
      return world.stage.call(carol, bot, 'run', world.usd.at, LOAN);
    },
    findings: ['flashLoan'],
  },
  {
    name: 'a creation that borrows, trades twice and keeps the profit',
    play: async (world) => {
      const { stage } = world;
      const { lender, cheap, dear } = await marketOf(world, 'shot');
      const values = [world.usd.at, LOAN, cheap.at, dear.at, lender.at];
      const nonce = stage.nonceOf(mallory);
      stage.known(
        'OneShot',
        lower({ address: getCreateAddress({ from: mallory.address, nonce }) }),
        'OneShot',
      );
      return stage.send(mallory, { data: stage.creationOf('OneShot', ...values) });
    },
    findings: ['flashLoan'],
  },
  {
    name: 'near miss: the profit stays in the contract of another',
    play: async (world) => {
      const bot = await botOf(world, NOBODY, bob);
      return world.stage.call(carol, bot, 'run', world.usd.at, LOAN);
    },
    findings: ['flashLoan'],
  },
  {
    name: 'near miss: a flash loan that is only given back',
    play: async (world) => {
      const { lender } = await marketOf(world, 'idle');
      const idle = await world.stage.deploy('Idle', 'Idle', [lender.at], carol);
      return world.stage.call(carol, idle, 'run', world.usd.at, LOAN);
    },
    findings: ['flashLoan'],
  },
  {
    name: 'near miss: a swap at a good price',
    play: async (world) => {
      const { stage } = world;
      const router = await stage.deploy('Router', 'Router');
      const pair = await pairOf(world, 'good pair', ['usd', 'gem'], [usd(100), 9_000n]);
      await give(world, world.usd, alice, usd(10));
      await stage.call(alice, world.usd, 'approve', router.at, usd(10));
      return stage.call(alice, router, 'swapOnce', world.usd.at, usd(10), pair.at, lower(alice));
    },
    findings: [],
  },
];

const WITHDRAWALS: readonly Case[] = [
  {
    name: 'a withdrawal that is repeated while it pays',
    play: async ({ stage }) => {
      const bank = await stage.deploy('Bank', 'Bank');
      const value = 10n ** 18n;
      await stage.send(alice, {
        to: bank.at,
        value: 3n * value,
        data: bank.interface.encodeFunctionData('deposit'),
      });
      const thief = await stage.deploy('Thief', 'Thief', [bank.at], mallory);
      return stage.send(mallory, {
        to: thief.at,
        value,
        data: thief.interface.encodeFunctionData('attack'),
      });
    },
    findings: ['reentered'],
  },
  {
    name: 'near miss: a deposit and its withdrawal',
    play: async ({ stage }) => {
      const bank = await stage.deploy('Bank', 'Bank');
      await stage.send(alice, {
        to: bank.at,
        value: 10n ** 18n,
        data: bank.interface.encodeFunctionData('deposit'),
      });
      return stage.call(alice, bank, 'withdraw');
    },
    findings: [],
  },
];

export const GAIN_CASES: readonly Case[] = [...TRADES, ...WITHDRAWALS];
