import type { Address, Hash } from '../../api/primitives';
import { deriveAccounts, fundedAtFirst } from './parts/accounts';
import { blockTime } from './parts/constants';
import type { SandboxContracts } from './parts/contracts';
import { SandboxDirectory } from './parts/directory';
import { deploymentSteps, fundingSteps } from './setup';
import { StepSigner, type SignedTransaction } from './sign';
import type { Step, StoryStep } from './parts/steps';
import { storyBlocks } from './story/story';
import { capsules } from './story/creations';

/** A transaction of the story with its place in the chain. */
export interface StoryEntry {
  id: string;
  title: string;
  /** What the transaction shows, in one sentence. */
  shows: string;
  /** The transaction fails on purpose. */
  fails: boolean;
  hash: Hash;
  blockNumber: number;
  position: number;
}

/** Price feeds with Chainlink's interface. */
export interface SandboxPriceFeeds {
  /** Feed of ether and wrapped ether. */
  native: Address;
  /** By token. */
  tokens: Readonly<Record<Address, Address>>;
}

export interface PlannedBlock {
  number: number;
  /** Unix seconds. */
  timestamp: number;
  transactions: SignedTransaction[];
}

/** The complete sandbox, known without running it. */
export interface SandboxPlan {
  /** Accounts that receive ether before block 1. */
  accounts: Address[];
  /** From block 1 on, without gaps. */
  blocks: PlannedBlock[];
  story: StoryEntry[];
  labels: Record<Address, string>;
  /** Names in the compiled contracts, by address. */
  contractNames: Record<Address, string>;
  wrappedNative: Address;
  priceFeeds: SandboxPriceFeeds;
}

/** Plans the whole chain: all transactions signed, all hashes known. */
export function planSandbox(compiled: SandboxContracts): SandboxPlan {
  const accounts = deriveAccounts();
  const directory = new SandboxDirectory(accounts, compiled);
  const signer = new StepSigner(accounts);
  const deployments = deploymentSteps(directory);
  const half = Math.ceil(deployments.length / 2);
  const steps: (Step | StoryStep)[][] = [
    [], // includes the accounts' ether in a block
    deployments.slice(0, half),
    deployments.slice(half),
    fundingSteps(directory),
    ...storyBlocks(directory),
    [], // makes `safe`, one block before the head, include the story
  ];
  const story: StoryEntry[] = [];
  const blocks = steps.map((inBlock, index) => {
    const number = index + 1;
    const transactions = inBlock.map((step, position) => {
      const signed = signer.sign(step);
      if ('id' in step) {
        const { id, title, shows, fails = false } = step;
        story.push({ id, title, shows, fails, hash: signed.hash, blockNumber: number, position });
      }
      return signed;
    });
    return { number, timestamp: blockTime(number), transactions };
  });
  const { address } = directory;
  const capsule = capsules(directory);
  return {
    accounts: fundedAtFirst(accounts),
    blocks,
    story,
    labels: {
      ...directory.labels(),
      [capsule.bob]: "Bob's capsule",
      [capsule.carol]: "Carol's capsule",
      [capsule.alice]: "Alice's capsule",
    },
    contractNames: {
      ...directory.contractNames(),
      ...Object.fromEntries(Object.values(capsule).map((at) => [at, 'TimeCapsule'])),
    },
    wrappedNative: address('weth'),
    priceFeeds: {
      native: address('ethFeed'),
      tokens: { [address('hbr')]: address('hbrFeed'), [address('husd')]: address('husdFeed') },
    },
  };
}
