import * as l10n from '@vscode/l10n';
import pico from 'picocolors';
import * as z from 'zod';
import type { ApiClient } from '../api/client';
import { slugSchema } from '../api/config';
import { ApiError } from '../api/errors';
import { addressSchema, hashSchema, nameSchema } from '../api/primitives';
import { locateTransaction } from './locate-transaction';
import { analysisText, printAnalysis } from './print-analysis';

/** What a language model may do with the service, over the Model Context Protocol and in the editor's chat. */
export interface AgentTool<Input extends z.ZodObject = z.ZodObject> {
  /** For the user, in the language of the editor where there is one. */
  readonly title: string;
  /** For the model: what it gives, and when to use it. */
  readonly description: string;
  readonly input: Input;
  /** What the user is asked before it runs, where it changes something. */
  readonly confirmation?: (input: z.output<Input>) => string;
  /** @returns text for the model @throws ApiError */
  readonly run: (client: ApiClient, input: z.output<Input>, signal: AbortSignal) => Promise<string>;
}

/** More would fill a model's context and say little. */
const MAX_ROWS = 300;
const PLAIN = pico.createColors(false);

const CHAIN = 'Slug of a chain (list_chains), or id of a fork (list_projects)';
const chain = z.string().min(1).meta({ description: CHAIN });
const transaction = hashSchema.meta({ description: 'Transaction hash: 0x and 64 hex digits' });
const located = z.object({
  transaction,
  chain: chain.optional().meta({
    description: `${CHAIN}. Leave it out where it is not known: the transaction is looked for`,
  }),
});

/** Lets the compiler read `run` by the tool's own input. */
const tool = <Input extends z.ZodObject>(definition: AgentTool<Input>): AgentTool => definition;

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** By name. What they answer is for reading, not for parsing. */
export const AGENT_TOOLS: Readonly<Record<string, AgentTool>> = {
  analyze_transaction: tool({
    title: l10n.t('Analyze transaction'),
    description:
      'Explains an EVM transaction: whether it succeeded, why it failed, its call tree with decoded calls, events and errors, and who gained and lost what. Works for transactions on configured chains and on forks.',
    input: located,
    run: async (client, input, signal) => {
      const place = input.chain ?? (await locateTransaction(client, input.transaction, signal));
      const options = { colors: PLAIN, maxRows: MAX_ROWS, signal };
      return printAnalysis(client, place, input.transaction, options);
    },
  }),

  get_balance_changes: tool({
    title: l10n.t('Get balance changes'),
    description:
      'Net balance changes of an EVM transaction per account and asset, with exact raw amounts, decimals, and USD values where there is a price. Use it for figures; use analyze_transaction for an explanation.',
    input: located,
    run: async (client, input, signal) => {
      const place = input.chain ?? (await locateTransaction(client, input.transaction, signal));
      const params = { chain: place, transaction: input.transaction };
      return json(await client.call('getBalanceChange', { params }, { signal }));
    },
  }),

  simulate_transaction: tool({
    title: l10n.t('Simulate transaction'),
    description:
      'Shows what a transaction that nobody has sent would do: call tree and balance changes. Any sender works without a key, and nothing is sent or changed.',
    input: z.object({
      chain,
      from: addressSchema.meta({ description: 'Sender' }),
      to: addressSchema.optional().meta({ description: 'Left out for a creation' }),
      data: z
        .string()
        .regex(/^0x([0-9a-fA-F]{2})*$/)
        .optional()
        .meta({ description: 'Call data, or init code of a creation: 0x hex' }),
      value: z
        .string()
        .regex(/^(0x[0-9a-fA-F]+|\d+)$/)
        .optional()
        .meta({ description: 'Wei, decimal or 0x hex' }),
      height: z
        .string()
        .regex(/^(safe|latest|0x[0-9a-fA-F]{1,16})$/)
        .optional()
        .meta({ description: 'Block to run in: latest (default), safe, or a number in 0x hex' }),
    }),
    run: async (client, { chain: place, ...body }, signal) => {
      const defined = Object.entries(body).filter(([, value]) => value !== undefined);
      const request = {
        params: { chain: place },
        body: { from: body.from, ...Object.fromEntries(defined) },
      };
      const analysis = await client.call('simulate', request, { signal });
      const { status, balanceChange, simulation } = analysis;
      const changes = balanceChange === null ? undefined : { status, balanceChange };
      return [
        `The transaction would ${status ? 'succeed' : 'revert'} in block ${simulation?.blockNumber ?? 'unknown'} of ${place}.`,
        analysisText(analysis, changes, { colors: PLAIN, maxRows: MAX_ROWS }),
      ].join('\n\n');
    },
  }),

  create_fork: tool({
    title: l10n.t('Create fork'),
    description:
      'Creates a fork: a copy of a chain at a block, and at a position inside it, with a JSON-RPC address of its own where any address can send without a key. The address is a credential.',
    input: z.object({
      chain: slugSchema.meta({ description: 'Slug of a chain (list_chains)' }),
      name: nameSchema.meta({ description: 'Of the fork, 1-64 characters' }),
      height: z
        .string()
        .regex(/^(safe|0x[0-9a-fA-F]{1,16})$/)
        .optional()
        .meta({ description: 'Block number in 0x hex, or safe (default)' }),
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
    confirmation: ({ name, chain: slug, height = 'safe', position }) => {
      const block = height === 'safe' ? height : BigInt(height).toString();
      return position === undefined
        ? l10n.t('Create the fork "{0}" of {1} at block {2}?', name, slug, block)
        : l10n.t(
            'Create the fork "{0}" of {1} at block {2}, position {3}?',
            ...[name, slug, block, position],
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
      const fork = await client.call(
        'createFork',
        {
          params: { project_id: projectId ?? oldest?.projectId ?? '' },
          body: {
            ...{ chainId: known.chainId, chain: slug, name },
            ...(height === undefined ? {} : { height }),
            ...(position === undefined ? {} : { position }),
          },
        },
        { signal },
      );
      const { forkId, rpc, rpcChainId, height: at, position: inside } = fork;
      return json({ forkId, rpc, rpcChainId, chain: slug, height: at, position: inside });
    },
  }),

  list_projects: tool({
    title: l10n.t('List projects'),
    description:
      'The projects with their forks: id, name, chain, block, position and state of each.',
    input: z.object({}),
    run: async (client, _input, signal) => {
      const projects = await client.call('listProjects', {}, { signal });
      const withForks = projects.map(async ({ projectId, name }) => {
        const params = { project_id: projectId };
        const forks = await client.call('listForks', { params }, { signal });
        return {
          ...{ projectId, name },
          // Without the addresses: they are credentials.
          forks: forks.map(({ forkId, name: fork, chain: slug, height, position, state }) => ({
            ...{ forkId, name: fork, chain: slug, height, position, state },
          })),
        };
      });
      return json(await Promise.all(withForks));
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
