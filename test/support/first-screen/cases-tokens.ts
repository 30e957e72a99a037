import { CAST, lower } from './stage';
import { give, UNLIMITED, usd, type Case, type World } from './world';

const { alice, bob, carol, mallory } = CAST;

export async function pairOf(
  world: World,
  name: string,
  tokens: readonly ['usd' | 'gem' | 'taxed', 'usd' | 'gem' | 'taxed'],
  held: readonly [bigint, bigint],
): Promise<Awaited<ReturnType<World['stage']['deploy']>>> {
  const { stage } = world;
  const [one, other] = [world[tokens[0]], world[tokens[1]]];
  const pair = await stage.deploy(name, 'Pair', [one.at, other.at]);
  await give(world, one, pair, held[0]);
  await give(world, other, pair, held[1]);
  await stage.call(CAST.deployer, pair, 'sync');
  return pair;
}

/** Tokens whose events are their balances, and tokens whose events are not. */
const TRANSFERS: readonly Case[] = [
  {
    name: 'a swap of a taxed token over two pairs',
    play: async (world) => {
      const { stage, taxed } = world;
      const first = await pairOf(
        world,
        'taxed pair',
        ['taxed', 'gem'],
        [usd(1_000_000), 1_000_000n],
      );
      const second = await pairOf(world, 'gem pair', ['gem', 'usd'], [1_000_000n, usd(1_000_000)]);
      const router = await stage.deploy('Router', 'Router');
      await give(world, taxed, alice, usd(100));
      await stage.call(alice, taxed, 'approve', router.at, usd(100));
      return stage.call(
        alice,
        router,
        'swap',
        taxed.at,
        usd(100),
        first.at,
        second.at,
        lower(alice),
      );
    },
    findings: ['transferFee'],
  },
  {
    name: 'a transfer that reports a million and moves a unit',
    play: async (world) => {
      const { stage } = world;
      const liar = await stage.deploy('liar', 'LyingToken', ['MOON', 6]);
      stage.names.delete(liar.at);
      await give(world, liar, mallory, usd(1));
      return stage.call(mallory, liar, 'transfer', lower(bob), usd(1_000_000));
    },
    findings: ['eventsContradicted'],
  },
  {
    name: 'near miss: a transfer that moves what it reports',
    play: async (world) => {
      const { stage, usd: token } = world;
      await give(world, token, alice, usd(1_000_000));
      return stage.call(alice, token, 'transfer', lower(bob), usd(1_000_000));
    },
    findings: [],
  },
  {
    name: 'an airdrop that only events report',
    play: async ({ stage }) => {
      const spam = await stage.deploy('spam', 'SpamToken', ['VISIT-ME', 6]);
      stage.names.delete(spam.at);
      return stage.call(mallory, spam, 'airdrop', lower(alice), lower(bob), usd(5_000));
    },
    findings: ['eventsContradicted'],
  },
  {
    name: 'balances that move without an event',
    play: async (world) => {
      const { stage } = world;
      const spam = await stage.deploy('quiet', 'SpamToken', ['QUIET', 6]);
      stage.names.delete(spam.at);
      await give(world, spam, alice, usd(70));
      return stage.call(mallory, spam, 'quiet', lower(alice), lower(mallory), usd(70));
    },
    findings: ['eventsContradicted'],
  },
  {
    name: 'a transfer of a token that calls itself USDC',
    play: async (world) => {
      const { stage } = world;
      const fake = await stage.deploy('fake', 'Token', ['USDC', 6]);
      stage.names.delete(fake.at);
      await give(world, fake, mallory, usd(5_000));
      return stage.call(mallory, fake, 'transfer', lower(alice), usd(5_000));
    },
    findings: ['imitatedToken'],
  },
  {
    name: 'an airdrop of a token that calls itself USDC, which only events report',
    play: async ({ stage }) => {
      const fake = await stage.deploy('fake spam', 'SpamToken', ['USDC', 6]);
      stage.names.delete(fake.at);
      return stage.call(mallory, fake, 'airdrop', lower(alice), lower(mallory), usd(5_000));
    },
    findings: ['eventsContradicted', 'imitatedToken'],
  },
  {
    name: 'near miss: a transfer of a token with a name of its own',
    play: async (world) => {
      const { stage } = world;
      const own = await stage.deploy('own', 'Token', ['GARDEN', 6]);
      stage.names.delete(own.at);
      await give(world, own, alice, usd(5));
      return stage.call(alice, own, 'transfer', lower(bob), usd(5));
    },
    findings: [],
  },
  {
    name: 'near miss: a transfer of a token that reports its tax',
    play: async (world) => {
      const { stage, taxed } = world;
      await give(world, taxed, carol, usd(200));
      return stage.call(carol, taxed, 'transfer', lower(bob), usd(200));
    },
    findings: ['transferFee'],
  },
  {
    name: 'near miss: a mint',
    play: (world) => give(world, world.gem, carol, 12n),
    findings: [],
  },
];

/** Rights that stay. */
const APPROVALS: readonly Case[] = [
  {
    name: 'an approval without a limit for an account without code',
    play: ({ stage, usd: token }) => stage.call(alice, token, 'approve', lower(mallory), UNLIMITED),
    findings: ['approvalToAccount'],
  },
  {
    name: 'near miss: an approval of an amount for a contract',
    play: async ({ stage, usd: token }) => {
      const shop = await stage.deploy('Shop', 'Collector', [lower(bob)]);
      return stage.call(alice, token, 'approve', shop.at, usd(20));
    },
    findings: [],
  },
];

export const TOKEN_CASES: readonly Case[] = [...TRANSFERS, ...APPROVALS];
