import type { Wallet } from 'ethers';
import { CAST, lower, type Deployed } from './stage';
import { give, NOBODY, signPermit, UNLIMITED, usd, type Case, type World } from './world';

const { alice, bob, mallory, victim, dave, deployer } = CAST;

const authorization = (by: Wallet, to: string, nonce: number) =>
  by.authorizeSync({ address: to, chainId: 1, nonce });

/** Sends a transaction in which an account takes on code. */
async function delegate(
  { stage }: World,
  {
    by,
    code,
    sender = mallory,
    to,
    data = '0x',
  }: {
    by: Wallet;
    code: string;
    sender?: Wallet;
    to: string;
    data?: string;
  },
): Promise<string> {
  const isOwn = by === sender;
  const nonce = stage.nonceOf(by) + (isOwn ? 1 : 0);
  const hash = await stage.send(sender, {
    type: 4,
    to,
    data,
    authorizationList: [authorization(by, code, nonce)],
  });
  stage.useNonce(by);
  return hash;
}

const encoded = ({ interface: abi }: Deployed, method: string, ...values: unknown[]): string =>
  abi.encodeFunctionData(method, values);

/** Rights to spend: given, used, and abused. */
const SPENDING: readonly Case[] = [
  {
    name: 'a permit that is used at once, by the account that gets the tokens',
    play: async (world) => {
      const { stage, usd: token } = world;
      const drainer = await stage.deploy('Airdrop', 'Collector', [lower(mallory)], mallory);
      await give(world, token, victim, usd(900));
      const [deadline, v, r, s] = signPermit(victim, token, drainer.at, usd(900), 0);
      return stage.call(
        mallory,
        drainer,
        'claim',
        token.at,
        lower(victim),
        usd(900),
        deadline,
        v,
        r,
        s,
      );
    },
    findings: ['approvedAndSpent'],
  },
  {
    name: 'near miss: a permit for a deposit that gives shares',
    play: async (world) => {
      const { stage, usd: token } = world;
      const share = await stage.deploy('share', 'Token', ['vDUSD', 6]);
      stage.names.delete(share.at);
      const vault = await stage.deploy('Vault', 'Vault', [token.at, share.at]);
      await give(world, token, alice, usd(300));
      const [deadline, v, r, s] = signPermit(alice, token, vault.at, usd(300), 0);
      return stage.call(
        alice,
        vault,
        'depositWithPermit',
        lower(alice),
        usd(300),
        deadline,
        v,
        r,
        s,
      );
    },
    findings: [],
  },
  {
    name: 'an old approval that its holder uses',
    play: async (world) => {
      const { stage, usd: token } = world;
      await give(world, token, victim, usd(450));
      await stage.call(victim, token, 'approve', lower(mallory), UNLIMITED);
      return stage.call(mallory, token, 'transferFrom', lower(victim), lower(mallory), usd(450));
    },
    findings: ['approvalDrained'],
  },
  {
    name: 'near miss: an old approval that a contract uses for a third account, as for a subscription',
    play: async (world) => {
      const { stage, usd: token } = world;
      const drainer = await stage.deploy('Drainer', 'Collector', [lower(bob)], mallory);
      await give(world, token, victim, usd(75));
      await stage.call(victim, token, 'approve', drainer.at, usd(75));
      return stage.call(mallory, drainer, 'collect', token.at, lower(victim), usd(75));
    },
    findings: [],
  },
  {
    name: 'a right to a collection that a stranger uses',
    play: async (world) => {
      const { stage, art } = world;
      const drainer = await stage.deploy('Market', 'Collector', [lower(mallory)], mallory);
      await stage.call(deployer, art, 'mint', lower(victim), 21);
      await stage.call(victim, art, 'setApprovalForAll', drainer.at, true);
      return stage.call(mallory, drainer, 'collectArt', art.at, lower(victim), 21);
    },
    findings: ['approvalDrained'],
  },
  {
    name: 'near miss: a shop takes the price, and delivers',
    play: async (world) => {
      const { stage, usd: token, art } = world;
      const shop = await stage.deploy('Gallery', 'Collector', [lower(bob)]);
      await give(world, token, alice, usd(40));
      await stage.call(alice, token, 'approve', shop.at, usd(40));
      return stage.call(alice, shop, 'sell', token.at, usd(40), art.at, 31);
    },
    findings: [],
  },
  {
    name: 'near miss: an account sends its tokens itself',
    play: async (world) => {
      const { stage, usd: token } = world;
      await give(world, token, victim, usd(15));
      return stage.call(victim, token, 'transfer', lower(mallory), usd(15));
    },
    findings: [],
  },
  {
    name: 'an approval of a collection for an account without code',
    play: ({ stage, art }) => stage.call(victim, art, 'setApprovalForAll', lower(mallory), true),
    findings: ['approvalToAccount'],
  },
];

/** Accounts that take on code (EIP-7702). */
const DELEGATIONS: readonly Case[] = [
  {
    name: 'an account takes on foreign code and is emptied',
    play: async (world) => {
      const { stage, usd: token } = world;
      const sweeper = await stage.deploy('Sweeper', 'Sweeper', [lower(mallory)], mallory);
      await give(world, token, victim, usd(600));
      const data = encoded(sweeper, 'sweep', token.at);
      return delegate(world, { by: victim, code: sweeper.at, to: lower(victim), data });
    },
    findings: ['delegatedAndEmptied'],
  },
  {
    name: 'an account takes on unknown code, and nothing moves',
    play: async (world) => {
      const sweeper = await world.stage.deploy('Wallet', 'Sweeper', [lower(mallory)], mallory);
      return delegate(world, { by: bob, code: sweeper.at, sender: bob, to: lower(alice) });
    },
    findings: ['delegatedToUnknown'],
  },
  {
    name: 'near miss: an account gives up its code',
    play: (world) => delegate(world, { by: bob, code: NOBODY, sender: bob, to: lower(alice) }),
    findings: [],
  },
  {
    name: 'an account approves and is charged in one batch of its own',
    play: async (world) => {
      const { stage, usd: token } = world;
      const batch = await stage.deploy('Batch', 'Batch');
      const drainer = await stage.deploy('Claim', 'Collector', [lower(mallory)], mallory);
      await give(world, token, dave, usd(80));
      const calls = [
        [token.at, 0, encoded(token, 'approve', drainer.at, usd(80))],
        [drainer.at, 0, encoded(drainer, 'collect', token.at, lower(dave), usd(80))],
      ];
      const data = encoded(batch, 'execute', calls);
      return delegate(world, {
        by: dave,
        code: batch.at,
        sender: dave,
        to: lower(dave),
        data,
      });
    },
    findings: ['delegatedToUnknown', 'approvedAndSpent'],
  },
  {
    name: 'near miss: a batch by an account that has its code already approves and deposits',
    play: async (world) => {
      const { stage, usd: token } = world;
      const batch = await stage.deploy('Batch', 'Batch');
      await delegate(world, { by: alice, code: batch.at, sender: alice, to: lower(bob) });
      const share = await stage.deploy('share', 'Token', ['sDUSD', 6]);
      stage.names.delete(share.at);
      const vault = await stage.deploy('Savings', 'Vault', [token.at, share.at]);
      await give(world, token, alice, usd(60));
      const calls = [
        [token.at, 0, encoded(token, 'approve', vault.at, usd(60))],
        [vault.at, 0, encoded(vault, 'deposit', usd(60))],
      ];
      return stage.call(alice, { ...batch, at: lower(alice) }, 'execute', calls);
    },
    findings: [],
  },
];

/** Ownership and the right to change code. */
const CONTROL: readonly Case[] = [
  {
    name: 'an upgrade of a proxy that moves the treasury',
    play: async (world) => {
      const { stage, usd: token } = world;
      const code = await stage.deploy('Treasury', 'Treasury');
      const proxy = await stage.deploy('Treasury proxy', 'Proxy', [code.at]);
      const next = await stage.deploy('TreasuryV2', 'TreasuryV2', [], mallory);
      await give(world, token, proxy, usd(7_000));
      const data = encoded(next, 'migrate', token.at, lower(mallory));
      return stage.call(mallory, { ...code, at: proxy.at }, 'upgradeToAndCall', next.at, data);
    },
    findings: ['controlAndFunds', 'implementationChanged'],
  },
  {
    name: 'near miss: an upgrade of a proxy alone',
    play: async (world) => {
      const { stage, usd: token } = world;
      const code = await stage.deploy('Treasury', 'Treasury');
      const proxy = await stage.deploy('Treasury proxy', 'Proxy', [code.at]);
      const next = await stage.deploy('TreasuryV2', 'TreasuryV2');
      await give(world, token, proxy, usd(7_000));
      return stage.call(deployer, { ...code, at: proxy.at }, 'upgradeToAndCall', next.at, '0x');
    },
    findings: ['implementationChanged'],
  },
  {
    name: 'ownership that passes to the account that gets the funds',
    play: async (world) => {
      const { stage, usd: token } = world;
      const safe = await stage.deploy('Company', 'Safe', [lower(deployer)]);
      await give(world, token, safe, usd(2_500));
      return stage.call(mallory, safe, 'rescue', token.at, lower(mallory), usd(2_500));
    },
    findings: ['controlAndFunds', 'ownerChanged'],
  },
  {
    name: 'near miss: ownership that is handed over alone',
    play: async (world) => {
      const { stage, usd: token } = world;
      const safe = await stage.deploy('Company', 'Safe', [lower(deployer)]);
      await give(world, token, safe, usd(2_500));
      return stage.call(deployer, safe, 'transferOwnership', lower(alice));
    },
    findings: ['ownerChanged'],
  },
  {
    name: 'near miss: the owner withdraws',
    play: async (world) => {
      const { stage, usd: token } = world;
      const safe = await stage.deploy('Company', 'Safe', [lower(alice)]);
      await give(world, token, safe, usd(1_000));
      return stage.call(alice, safe, 'withdraw', token.at, lower(alice), usd(1_000));
    },
    findings: [],
  },
];

export const RIGHTS_CASES: readonly Case[] = [...SPENDING, ...DELEGATIONS, ...CONTROL];
