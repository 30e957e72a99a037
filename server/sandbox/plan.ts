import type { Address, Hash } from '../api/primitives';
import { deriveAccounts } from './accounts';
import { blockTime } from './constants';
import type { SandboxContracts } from './contracts';
import { SandboxDirectory } from './directory';
import { deploymentSteps, fundingSteps } from './setup';
import { StepSigner, type SignedTransaction } from './sign';
import type { Step, StoryStep } from './steps';
import { storyBlocks } from './story';
import { capsules } from './story/creations';

/** A transaction of the story, and where it stands in the chain. */
export interface StoryEntry {
  id: string;
  title: string;
  /** What it shows, in a sentence. */
  shows: string;
  /** It fails on purpose. */
  fails: boolean;
  hash: Hash;
  blockNumber: number;
  position: number;
}

/** Feeds in the shape of Chainlink's. */
export interface SandboxPriceFeeds {
  /** Of ether and wrapped ether. */
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

/** All that is known of the sandbox without running it. */
export interface SandboxPlan {
  /** To be given ether before block 1. */
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

/** Writes the whole chain down: every transaction signed, every hash known. */
export function planSandbox(compiled: SandboxContracts): SandboxPlan {
  const accounts = deriveAccounts();
  const directory = new SandboxDirectory(accounts, compiled);
  const signer = new StepSigner(accounts);
  const deployments = deploymentSteps(directory);
  const half = Math.ceil(deployments.length / 2);
  const steps: (Step | StoryStep)[][] = [
    [], // makes the accounts' ether part of a block
    deployments.slice(0, half),
    deployments.slice(half),
    fundingSteps(directory),
    ...storyBlocks(directory),
    [], // lets `safe`, one block behind the head, cover the story
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
    accounts: Object.keys(accounts).map(address),
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
