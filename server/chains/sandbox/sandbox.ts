import { ApiError } from '../../api/errors';
import type { Chain } from '../../api/config';
import type { Address } from '../../api/primitives';
import type { Engine, EngineExit, StartEngine } from '../../evm/forms/engine';
import { requestEach, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { CHAIN_ID, GENESIS_TIME } from './parts/constants';
import { loadSandboxContracts } from './parts/contracts';
import {
  planSandbox,
  type PlannedBlock,
  type SandboxPlan,
  type SandboxPriceFeeds,
  type StoryEntry,
} from './plan';

export interface SandboxOptions {
  startEngine: StartEngine;
  /** The plan that the build wrote. If omitted, the plan is computed, which takes a while. */
  plan?: SandboxPlan | undefined;
  signal?: AbortSignal;
}

/** The running built-in chain: a node of its own with the complete story. It mines no further blocks. */
export interface Sandbox {
  readonly engine: Engine;
  /** Its `rpcUrls` contain the engine's address, which may be reachable only through `engine.connect`. */
  readonly chain: Chain;
  /** Names of accounts and contracts. */
  readonly labels: Readonly<Record<Address, string>>;
  /** Names in `loadSandboxContracts`, by address. */
  readonly contractNames: Readonly<Record<Address, string>>;
  readonly story: readonly StoryEntry[];
  readonly priceFeeds: SandboxPriceFeeds;
  stop(): Promise<EngineExit>;
}

/** 10,000 ether each. */
const FUNDS = 10_000n * 10n ** 18n;

/** Arguments that determine the block hashes and keep `safe` one block before the head. */
const ENGINE_ARGUMENTS = [
  '--timestamp',
  String(GENESIS_TIME),
  '--base-fee',
  '1000000000',
  '--gas-limit',
  '30000000',
  '--slots-in-an-epoch',
  '1',
];

/**
 * Starts the built-in chain and mines its story. Needs no network access.
 * @throws ApiError `engineUnavailable`, also if the engine mines other transactions than planned; `cancelled`
 */
export async function startSandbox({
  startEngine,
  plan = planSandbox(loadSandboxContracts()),
  signal,
}: SandboxOptions): Promise<Sandbox> {
  const engine = await startEngine(
    { chainId: CHAIN_ID, hardfork: 'prague', extraArguments: ENGINE_ARGUMENTS },
    signal,
  );
  try {
    await fund(engine.rpc, plan.accounts);
    for (const block of plan.blocks) {
      if (signal?.aborted === true) throw new ApiError('cancelled', 'the start was cancelled');
      await mine(engine.rpc, block);
    }
  } catch (error) {
    await engine.stop();
    throw error;
  }
  return {
    engine,
    chain: {
      slug: 'sandbox',
      chainId: CHAIN_ID,
      name: 'Sandbox',
      rpcUrls: [engine.url],
      nativeSymbol: 'ETH',
      wrappedNative: plan.wrappedNative,
      hardfork: 'prague',
    },
    labels: plan.labels,
    contractNames: plan.contractNames,
    story: plan.story,
    priceFeeds: plan.priceFeeds,
    stop: () => engine.stop(),
  };
}

async function fund(rpc: RpcClient, accounts: readonly Address[]): Promise<void> {
  await requestEach(
    rpc,
    accounts.map((account) => ({
      method: 'anvil_setBalance',
      params: [account, toQuantity(FUNDS)],
    })),
  );
}

/** Sends one transaction at a time: the engine keeps the order of arrival, and parallel requests have none. */
async function mine(
  rpc: RpcClient,
  { number, timestamp, transactions }: PlannedBlock,
): Promise<void> {
  for (const { raw } of transactions) await rpc.request('eth_sendRawTransaction', [raw]);
  await rpc.request('evm_mine', [{ timestamp }]);
  const mined = (await rpc.request('eth_getBlockByNumber', [toQuantity(number), false])) as {
    transactions: string[];
  } | null;
  const planned = transactions.map(({ hash }) => hash);
  if (mined?.transactions.join() !== planned.join()) {
    throw new ApiError(
      'engineUnavailable',
      `the engine mined block ${number} of the sandbox with other transactions than planned`,
    );
  }
}
