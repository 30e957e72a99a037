import type { ApiClient } from '../../api/client';
import { parseBlockReference } from '../../api/chain-block';
import { ApiError, invalidField } from '../../api/errors';
import type { Fork, ForkTransaction } from '../../api/fork';
import { CONTRACT_LIMITS } from '../../api/schema-limits';
import { connectionSnippets } from '../../client/connection-snippets';
import { rpcUrlOf } from '../../client/fork-rpc';
import { methodText } from '../../client/method-text';
import { withoutSeparators } from '../../client/amounts';
import { didYouMean } from '../errors/did-you-mean';
import { SANDBOX } from '../connection/uses-sandbox';
import { CONNECTION_NAMES } from '../command-specs/fork-commands';
import type { Context, Handlers } from './context';
import { callOptions } from './located-transaction';
import { findFork, findProject, listForks } from './references';

/** Creating, changing and deleting forks over REST. */
export const forkCommands: Handlers<
  | 'fork transactions'
  | 'fork create'
  | 'fork list'
  | 'fork show'
  | 'fork delete'
  | 'fork copy-as'
  | 'fork renew'
  | 'fork branch'
> = {
  'fork create': async (input, context) => {
    const { client } = context.connection;
    const chain = await chainOf(client, input.chain);
    const { projectId } = await findProject(client, input.project);
    const place = await forkPointOf(client, chain.slug, input);
    const name = input.name ?? defaultName(chain.slug, place);
    const fork = await client.call(
      'createFork',
      {
        params: { project_id: projectId },
        body: {
          chainId: chain.chainId,
          chain: chain.slug,
          name,
          antiReplay: input.antiReplay,
          ...place,
          ...(input.rules === undefined ? {} : { rules: input.rules }),
        },
      },
      callOptions(context, 'minutes'),
    );
    await showCreated(fork, input.quiet, context);
  },

  'fork list': async ({ project, ...format }, { connection: { client }, out }) => {
    const forks = await listForks(client, project);
    const rows = forks.map(({ project: name, fork }) => [
      fork.forkId,
      fork.name,
      fork.chain,
      positionText(fork),
      fork.state,
      fork.transactionCount === undefined ? '' : String(fork.transactionCount),
      name,
    ]);
    const columns = ['ID', 'NAME', 'CHAIN', 'BLOCK', 'STATE', 'TXS', 'PROJECT'];
    const data = forks.map(({ projectId, fork }) => ({ ...fork, projectId }));
    out.list(data, { columns, rows }, format, 'No forks. Create one: forklens fork create <chain>');
  },

  'fork show': async ({ fork: reference }, { connection: { client }, out }) => {
    const { projectId, project, fork } = await findFork(client, reference);
    out.facts({ ...fork, projectId }, [
      ['ID', fork.forkId],
      ['Name', fork.name],
      ['Project', `${project} (${projectId})`],
      ['Chain', `${fork.chain} (chain id ${fork.chainId})`],
      ['Block', positionText(fork)],
      ['RPC chain id', `${fork.rpcChainId}${fork.antiReplay ? ' (anti-replay)' : ''}`],
      ['RPC', fork.rpc],
      ['State', fork.state],
      ['Failure', fork.failure ?? ''],
      ['Transactions', fork.transactionCount === undefined ? '' : String(fork.transactionCount)],
      ['Default snapshot', fork.snapshotId],
      ['Created', fork.createTime],
      ['Replay', replayText(fork)],
      ...(fork.warnings ?? []).map((text) => ['Warning', text] as const),
    ]);
  },

  'fork delete': async ({ forks }, { connection: { client }, out }) => {
    const deleted: string[] = [];
    for (const reference of forks) {
      const { projectId, fork } = await findFork(client, reference);
      const params = { project_id: projectId, fork_id: fork.forkId };
      await client.call('deleteFork', { params });
      deleted.push(fork.forkId);
    }
    out.result({ deleted }, deleted.join('\n'));
  },

  'fork copy-as': async ({ fork: reference, tool }, { connection: { client }, out }) => {
    const { fork } = await findFork(client, reference);
    const chains = await client.call('listChains', {});
    const known = chains.find(({ slug }) => slug === fork.chain);
    const rpc = rpcUrlOf(fork);
    const snippets = connectionSnippets({
      ...fork,
      rpc,
      nativeSymbol: known?.nativeSymbol ?? 'ETH',
    });
    const snippet = snippets[CONNECTION_NAMES.indexOf(tool)];
    out.result({ tool, text: snippet?.text ?? '' }, (snippet?.text ?? '').trimEnd());
  },

  'fork renew': async ({ fork: reference }, { connection: { client }, out }) => {
    const { projectId, fork } = await findFork(client, reference);
    const params = { project_id: projectId, fork_id: fork.forkId };
    const renewed = await client.call('renewForkAddress', { params });
    out.result(renewed, renewed.rpc);
  },

  'fork transactions': async ({ fork: reference, limit, ...format }, context) => {
    const { client } = context.connection;
    const { projectId, fork } = await findFork(client, reference);
    const params = { project_id: projectId, fork_id: fork.forkId };
    const found: ForkTransaction[] = [];
    for (let cursor: string | null | undefined; found.length < limit && cursor !== null;) {
      const query = {
        limit: Math.min(limit - found.length, CONTRACT_LIMITS.pageSize),
        ...(cursor === undefined ? {} : { cursor }),
      };
      const page = await client.call('listForkTransactions', { params, query });
      found.push(...page.transactions);
      cursor = page.nextCursor;
    }
    const rows = found.map((one) => [
      one.hash,
      `${one.blockNumber}:${one.transactionIndex}`,
      one.status ? 'ok' : 'reverted',
      one.from,
      one.to ?? 'creation',
      methodText(one),
      one.value,
      String(one.gasUsed),
    ]);
    const columns = ['HASH', 'BLOCK', 'STATUS', 'FROM', 'TO', 'METHOD', 'VALUE', 'GAS'];
    context.out.list(found, { columns, rows }, format, 'No transactions.');
  },

  'fork branch': async (input, context) => {
    const { client } = context.connection;
    const { projectId, fork } = await findFork(client, input.fork);
    const branch = await client.call(
      'branchFork',
      {
        params: { project_id: projectId, fork_id: fork.forkId },
        body: {
          name: input.name ?? `${fork.name} before ${input.hash.slice(0, 10)}`,
          transaction: input.hash,
        },
      },
      callOptions(context, 'minutes'),
    );
    await showCreated(branch, input.quiet, context);
  },
};

async function showCreated(
  fork: Fork,
  quiet: boolean,
  { out, connection }: Context,
): Promise<void> {
  for (const warning of fork.warnings ?? []) out.note(`warning: ${warning}`);
  if (quiet) out.result(fork, fork.forkId);
  else {
    out.facts(fork, [
      ['ID', fork.forkId],
      ['Name', fork.name],
      ['Block', positionText(fork)],
      ['RPC', fork.rpc],
    ]);
  }
  if ((await connection.target()).origin === 'own service') {
    out.note('The RPC address answers only while a service runs: forklens serve');
  }
}

/** @throws ApiError `chainNotFound` with the accepted values */
async function chainOf(
  client: ApiClient,
  slug: string,
): Promise<{ slug: string; chainId: number }> {
  const chains = await client.call('listChains', {});
  const known = chains.find((chain) => chain.slug === slug);
  if (known !== undefined) return known;
  const slugs = chains.map((chain) => chain.slug);
  const hint =
    slug === SANDBOX
      ? '; a service with the built-in chain is started by --sandbox'
      : didYouMean(slug, slugs);
  const accepted = `accepted: ${slugs.join(', ')}${hint}`;
  throw new ApiError('chainNotFound', `<chain> is ${JSON.stringify(slug)}; ${accepted}`);
}

interface RequestedForkPoint {
  height?: string;
  position?: number;
}

/** Resolves a time or a transaction to a block. An explicit position takes precedence. @throws UsageError, ApiError */
async function forkPointOf(
  client: ApiClient,
  chain: string,
  { height, position }: { height: string | undefined; position: number | undefined },
): Promise<RequestedForkPoint> {
  const given = position === undefined ? {} : { position };
  if (height === undefined) return given;
  const at = withoutSeparators(height);
  const reference = parseBlockReference(at);
  if (reference === undefined) {
    const accepted =
      'a block number, safe, latest, finalized, earliest, a UTC time such as 2024-01-13T11:20, or a transaction hash';
    throw invalidField('--height', height, accepted);
  }
  if (reference.kind === 'tag' || reference.kind === 'number')
    return { height: at.toLowerCase(), ...given };
  const block = await client.call('findBlock', { params: { chain }, query: { at } });
  const found = block.position === null ? {} : { position: block.position };
  return { height: block.height, ...found, ...given };
}

const defaultName = (chain: string, { height = 'safe', position }: RequestedForkPoint): string =>
  `${chain} ${height.startsWith('0x') ? BigInt(height).toString() : height}${position === undefined ? '' : `:${position}`}`;

const positionText = ({ height, position }: Pick<Fork, 'height' | 'position'>): string =>
  `${BigInt(height).toString()}${position === null ? '' : `:${position}`}`;

const replayText = ({ replay }: Fork): string => {
  if (replay === undefined) return '';
  return replay.faithful ? 'equal to the original' : (replay.firstDifference ?? 'differs');
};
