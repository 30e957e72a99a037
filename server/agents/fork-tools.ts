import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { ApiClient } from '../api/client';
import { slugSchema } from '../api/config';
import { ApiError, forkNotFound } from '../api/errors';
import type { Fork } from '../api/fork';
import { heightSchema, isHeightTag } from '../api/height';
import { nameSchema } from '../api/primitives';
import { simulateBody } from '../api/simulate';
import { forkRpc } from '../client/fork-rpc';
import { locatedForks, type LocatedFork } from '../client/located-forks';
import { shortHex } from '../client/format';
import { fork, json, tool, transaction, type AgentTools } from './agent-tool';

const { shape } = simulateBody;

/** @throws ApiError `forkNotFound` */
async function findFork(
  client: ApiClient,
  forkId: string,
  signal: AbortSignal,
): Promise<LocatedFork> {
  const projects = await client.call('listProjects', {}, { signal });
  const forks = await locatedForks(client, projects, { signal });
  const found = forks.find((one) => one.fork.forkId === forkId);
  if (found === undefined) throw forkNotFound(forkId);
  return found;
}

/** Path parameters of a fork's routes. */
async function forkParams(
  client: ApiClient,
  forkId: string,
  signal: AbortSignal,
): Promise<{ project_id: string; fork_id: string }> {
  const { projectId } = await findFork(client, forkId, signal);
  return { project_id: projectId, fork_id: forkId };
}

/** The facts about a new fork for the model. */
const newFork = ({ forkId, rpc, rpcChainId, chain, height, position }: Fork): string =>
  json({ forkId, rpc, rpcChainId, chain, height, position });

const snapshotId = z
  .string()
  .min(1)
  .meta({ description: 'snapshotId of list_snapshots or create_snapshot' });

/** Tools that create, change and revert forks. */
export const FORK_TOOLS: AgentTools = {
  create_fork: tool({
    title: l10n.t('Create fork'),
    description:
      'Creates a fork: a copy of a chain at a block, and at a position inside it, with a JSON-RPC address of its own where any address can send without a key. The address is a credential.',
    input: z.object({
      chain: slugSchema.meta({ description: 'Slug of a chain (list_chains)' }),
      name: nameSchema.meta({ description: 'Of the fork, 1-64 characters' }),
      height: heightSchema.default('safe').meta({
        description:
          'Block to fork: a number (decimal or 0x hex), safe (default), latest, finalized or earliest',
      }),
      position: z
        .int()
        .min(0)
        .optional()
        .meta({ description: 'Transactions of that block to apply; left out: all of them' }),
      projectId: z
        .string()
        .optional()
        .meta({ description: 'From list_projects; left out: the oldest project' }),
    }),
    confirmation: ({ name, chain: slug, height, position }) => {
      const block = isHeightTag(height) ? height : BigInt(height).toString();
      return position === undefined
        ? l10n.t('Create the fork "{0}" of {1} at block {2}?', name, slug, block)
        : l10n.t(
            'Create the fork "{0}" of {1} at block {2}, position {3}?',
            name,
            slug,
            block,
            position,
          );
    },
    run: async (client, { chain: slug, projectId, name, height, position }, signal) => {
      const chains = await client.call('listChains', {}, { signal });
      const known = chains.find((one) => one.slug === slug);
      if (known === undefined) {
        const slugs = chains.map((one) => one.slug).join(', ');
        throw new ApiError('chainNotFound', `chain ${slug} is not configured; accepted: ${slugs}`);
      }
      const [oldest] = await client.call('listProjects', {}, { signal });
      const params = { project_id: projectId ?? oldest?.projectId ?? '' };
      const body = { chainId: known.chainId, chain: slug, name, height, position };
      return newFork(await client.call('createFork', { params, body }, { signal }));
    },
  }),

  branch_fork: tool({
    title: l10n.t('Branch fork'),
    description:
      'Creates a fork right before a transaction of another fork, with all earlier changes of that fork. Use it to repeat a transaction with a change.',
    input: z.object({
      fork,
      transaction: transaction.meta({ description: 'Hash of a transaction made on that fork' }),
      name: nameSchema.meta({ description: 'Of the new fork, 1-64 characters' }),
    }),
    confirmation: ({ fork: forkId, transaction: hash, name }) =>
      l10n.t(
        'Create the fork "{0}" right before transaction {1} of fork {2}?',
        name,
        shortHex(hash),
        forkId,
      ),
    run: async (client, { fork: forkId, transaction: hash, name }, signal) => {
      const params = await forkParams(client, forkId, signal);
      const body = { name, transaction: hash };
      return newFork(await client.call('branchFork', { params, body }, { signal }));
    },
  }),

  send_transaction: tool({
    title: l10n.t('Send transaction'),
    description:
      'Sends a transaction on a fork from any address, without its key, and gives its hash and outcome. Nothing is sent to a real chain. Use analyze_transaction on the hash for an explanation.',
    input: z.object({
      fork,
      from: shape.from.meta({ description: 'Sender; it needs the balance for value and fee' }),
      to: shape.to.meta({ description: 'Receiver; left out for a creation' }),
      data: shape.data.meta({ description: 'Call data, or init code of a creation: 0x hex' }),
      value: shape.value.meta({ description: 'Wei, decimal or 0x hex' }),
      gas: shape.gas.meta({ description: 'Gas limit; left out: estimated' }),
    }),
    confirmation: ({ fork: forkId, from, to }) =>
      to === null || to === undefined
        ? l10n.t('Create a contract from {0} on fork {1}?', from, forkId)
        : l10n.t('Send a transaction from {0} to {1} on fork {2}?', from, to, forkId),
    run: async (client, { fork: forkId, to, ...call }, signal) => {
      const found = await findFork(client, forkId, signal);
      const ask = (method: string, params: unknown): Promise<unknown> =>
        forkRpc(found.fork, method, params, signal);
      const request = to === null || to === undefined ? call : { ...call, to };
      const hash = z.string().parse(await ask('eth_sendTransaction', [request]));
      const receipt = await ask('eth_getTransactionReceipt', [hash]);
      return json({ transaction: hash, chain: forkId, ...outcomeOf(receipt) });
    },
  }),

  create_snapshot: tool({
    title: l10n.t('Create snapshot'),
    description:
      'Takes a named snapshot of a fork. revert_fork reverts to it at any time, any number of times.',
    input: z.object({
      fork,
      name: nameSchema.meta({ description: 'Of the snapshot, 1-64 characters' }),
    }),
    confirmation: ({ fork: forkId, name }) =>
      l10n.t('Take the snapshot "{0}" of fork {1}?', name, forkId),
    run: async (client, { fork: forkId, name }, signal) => {
      const params = await forkParams(client, forkId, signal);
      return json(await client.call('createSnapshot', { params, body: { name } }, { signal }));
    },
  }),

  revert_fork: tool({
    title: l10n.t('Revert fork'),
    description:
      'Reverts a fork to one of its snapshots. Later transactions are undone, unless a later snapshot has them.',
    input: z.object({ fork, snapshotId }),
    isDestructive: true,
    confirmation: ({ fork: forkId, snapshotId: id }) =>
      l10n.t('Revert fork {0} to its snapshot {1}? Later changes are undone.', forkId, id),
    run: async (client, { fork: forkId, snapshotId: id }, signal) => {
      const params = { ...(await forkParams(client, forkId, signal)), snapshot_id: id };
      await client.call('revertSnapshot', { params }, { signal });
      return json({ forkId, snapshotId: id });
    },
  }),

  list_snapshots: tool({
    title: l10n.t('List snapshots'),
    description:
      'The snapshots of a fork, oldest first: id, name, time and newest block. The default one is the fork as it was created.',
    input: z.object({ fork }),
    run: async (client, { fork: forkId }, signal) => {
      const params = await forkParams(client, forkId, signal);
      return json(await client.call('listSnapshots', { params }, { signal }));
    },
  }),

  list_projects: tool({
    title: l10n.t('List projects'),
    description:
      'The projects with their forks: id, name, chain, block, position and state of each.',
    input: z.object({}),
    run: async (client, _input, signal) => {
      const projects = await client.call('listProjects', {}, { signal });
      const forks = await locatedForks(client, projects, { signal });
      const listed = projects.map(({ projectId, name }) => ({
        projectId,
        name,
        forks: forks.filter((one) => one.projectId === projectId).map(withoutAddress),
      }));
      return json(listed);
    },
  }),

  list_chains: tool({
    title: l10n.t('List chains'),
    description:
      'The chains that can be forked and analyzed, with slug, chain id and native asset.',
    input: z.object({}),
    run: async (client, _input, signal) => json(await client.call('listChains', {}, { signal })),
  }),
};

/** Omits the address of a fork, which is a credential. */
const withoutAddress = ({ fork: one }: LocatedFork): object => {
  const { forkId, name, chain, height, position, state, warnings } = one;
  return { forkId, name, chain, height, position, state, ...(warnings && { warnings }) };
};

const receiptSchema = z.object({
  status: z.string(),
  blockNumber: z.string(),
  gasUsed: z.string(),
  contractAddress: z.string().nullish(),
});

/** A transaction without a receipt is pending: automatic mining is disabled on that fork. */
function outcomeOf(receipt: unknown): object {
  const mined = receiptSchema.safeParse(receipt).data;
  if (mined === undefined) return { status: 'pending' };
  const { status, blockNumber, gasUsed, contractAddress } = mined;
  return {
    status: status === '0x1' ? 'succeeded' : 'reverted',
    blockNumber: Number(blockNumber),
    gasUsed: Number(gasUsed),
    ...(typeof contractAddress === 'string' ? { contractAddress } : {}),
  };
}
