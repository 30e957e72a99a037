import { CAST, lower } from './stage';
import { give, usd, type Case } from './world';

const { alice, bob, carol } = CAST;

const FAILURES: readonly Case[] = [
  {
    name: 'a mint that fails three calls deep behind a proxy',
    play: async ({ stage }) => {
      const oracle = await stage.deploy('Oracle', 'Oracle');
      const limits = await stage.deploy('Limits', 'Limits', [oracle.at]);
      const shares = await stage.deploy('Shares', 'Shares', [limits.at]);
      const proxy = await stage.deploy('Shares proxy', 'Proxy', [shares.at]);
      return stage.call(alice, { ...shares, at: proxy.at }, 'mint', lower(alice), 3);
    },
    findings: [],
  },
  {
    name: 'a failure with a text',
    play: async ({ stage }) => stage.call(alice, await stage.deploy('Faults', 'Faults'), 'text'),
    findings: [],
  },
  {
    name: 'a failure with a panic',
    play: async ({ stage }) =>
      stage.call(alice, await stage.deploy('Faults', 'Faults'), 'index', 4),
    findings: [],
  },
  {
    name: 'a failure without a reason',
    play: async ({ stage }) => stage.call(alice, await stage.deploy('Faults', 'Faults'), 'silent'),
    findings: [],
  },
  {
    name: 'near miss: a failure that the caller catches',
    play: async ({ stage }) => stage.call(alice, await stage.deploy('Faults', 'Faults'), 'caught'),
    findings: [],
  },
  {
    name: 'a transfer of more than the sender has',
    play: async (world) => {
      const { stage } = world;
      const token = await stage.deploy('poor', 'Token', ['POOR', 6]);
      stage.names.delete(token.at);
      await give(world, token, carol, usd(1));
      return stage.call(carol, token, 'transfer', lower(bob), usd(2));
    },
    findings: [],
  },
];

/** Calls of a contract of one's own, and a payment. */
const CALLS: readonly Case[] = [
  {
    name: 'a payment to a till of known source',
    play: async ({ stage }) => stage.call(alice, await stage.deploy('Till', 'Till'), 'pay', 600),
    findings: [],
  },
  {
    name: 'a payment for another to a till of known source',
    play: async ({ stage }) =>
      stage.call(alice, await stage.deploy('Till', 'Till'), 'payFor', lower(bob), 25),
    findings: [],
  },
  {
    name: 'two packed variables of a till of known source',
    play: async ({ stage }) => stage.call(alice, await stage.deploy('Till', 'Till'), 'close'),
    findings: [],
  },
  {
    name: 'near miss: a call of a till of known source that changes nothing',
    play: async ({ stage }) => stage.call(alice, await stage.deploy('Till', 'Till'), 'look'),
    findings: [],
  },
  {
    name: 'a payment to a till of known source that fails',
    play: async ({ stage }) => stage.call(alice, await stage.deploy('Till', 'Till'), 'pay', 5_000),
    findings: [],
  },
  {
    name: 'ether for an account',
    play: ({ stage }) => stage.send(alice, { to: lower(bob), value: 2n * 10n ** 18n }),
    findings: [],
  },
];

export const FAILURE_CASES: readonly Case[] = [...FAILURES, ...CALLS];
