import type { ApiCallOptions, ApiClient } from '../api/client';
import { ApiError } from '../api/errors';
import type { Fork } from '../api/fork';
import type { LeftAccount, OtherBlock } from '../api/reorder';
import { forkRpc } from './fork-rpc';
import { locatedForks } from './located-forks';

type Options = ApiCallOptions & { signal: AbortSignal };

/** Name and project of the fork, and the block whose state it gets. */
export interface OtherBlockFork {
  /** A fork of a fork is in the project of that fork. */
  readonly projectId: string;
  readonly name: string;
  /** With its state. */
  readonly other: Pick<
    OtherBlock,
    'chain' | 'blockNumber' | 'transactions' | 'state' | 'stateSince'
  >;
}

/** A branch right before a block that was mined on demand waits for it. */
const MINES_AT_ONCE: readonly [string, unknown[]][] = [
  ['anvil_dropAllTransactions', []],
  ['evm_setAutomine', [true]],
];

/**
 * Creates a fork with the state that the other block leaves. Its blocks and receipts are those of the chain: up to the block as it was, or,
 * where it is one of a fork or of a case file, up to the one before.
 * @throws ApiError; ForkRpcError
 */
export async function forkOtherBlock(
  client: ApiClient,
  wanted: OtherBlockFork,
  options: Options,
): Promise<Fork> {
  const { chain, state = [] } = wanted.other;
  const isBranch = chain.startsWith('fork_');
  const fork = isBranch
    ? await branch(client, wanted, options)
    : await create(client, wanted, options);
  const calls = [...(isBranch ? MINES_AT_ONCE : []), ...state.flatMap(callsFor)];
  for (const [method, params] of calls) await forkRpc(fork, method, params, options.signal);
  return fork;
}

async function create(
  client: ApiClient,
  { projectId, name, other: { chain, blockNumber, stateSince } }: OtherBlockFork,
  options: Options,
): Promise<Fork> {
  const chains = await client.call('listChains', {}, { signal: options.signal });
  const chainId = chains.find(({ slug }) => slug === chain)?.chainId ?? 0;
  const place = stateSince === 'parent' ? { position: 0 } : {};
  const body = { chainId, chain, name, height: String(blockNumber), ...place };
  return client.call('createFork', { params: { project_id: projectId }, body }, options);
}

/** Right before the first transaction of a block of a fork. @throws ApiError */
async function branch(
  client: ApiClient,
  { name, other: { chain, blockNumber, transactions } }: OtherBlockFork,
  options: Options,
): Promise<Fork> {
  const first = transactions.find(({ was }) => was === 0);
  const projects = await client.call('listProjects', {}, { signal: options.signal });
  const forks = await locatedForks(client, projects);
  const origin = forks.find(({ fork }) => fork.forkId === chain);
  if (!first || !origin) {
    const reason = first
      ? `fork ${chain} does not exist`
      : `block ${blockNumber} has no transaction`;
    throw new ApiError(
      'transactionNotFound',
      `no fork is right before block ${blockNumber}: ${reason}`,
    );
  }
  const params = { project_id: origin.projectId, fork_id: chain };
  const body = { name, transaction: first.hash };
  return client.call('branchFork', { params, body }, options);
}

function callsFor({ address, balance, nonce, code, slots }: LeftAccount): [string, unknown[]][] {
  const calls: [string, unknown[]][] = [];
  if (balance !== undefined) calls.push(['anvil_setBalance', [address, balance]]);
  if (nonce !== undefined) calls.push(['anvil_setNonce', [address, nonce]]);
  if (code !== undefined) calls.push(['anvil_setCode', [address, code]]);
  for (const [slot, value] of Object.entries(slots)) {
    calls.push(['anvil_setStorageAt', [address, slot, value]]);
  }
  return calls;
}
