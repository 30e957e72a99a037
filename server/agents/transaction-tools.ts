import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { simulateBody } from '../api/simulate';
import { quoted } from '../presentation/quoted';
import { UNTRUSTED } from './untrusted';
import { chain, json, locate, located, PLAIN_TEXT, tool, type AgentTools } from './agent-tool';

const { shape } = simulateBody;

/** Analyses of transactions and of simulations. They change nothing. */
export const TRANSACTION_TOOLS: AgentTools = {
  analyze_transaction: tool({
    title: l10n.t('Analyze transaction'),
    description:
      'Explains an EVM transaction: whether it succeeded, why it failed, its call tree with decoded calls, events and errors, and who gained and lost what. Works for transactions on configured chains and on forks.',
    input: located,
    run: async (client, input, signal) => {
      const place = await locate(client, input, signal);
      const { printAnalysis } = await import('./analysis-texts');
      const options = { ...PLAIN_TEXT, signal };
      return printAnalysis(client, place.chain, place.transaction, options);
    },
  }),

  get_balance_changes: tool({
    title: l10n.t('Get balance changes'),
    description:
      'Net balance changes of an EVM transaction per account and asset, with exact raw amounts, decimals, and USD values where there is a price. Use it for figures; use analyze_transaction for an explanation.',
    input: located,
    run: async (client, input, signal) => {
      const params = await locate(client, input, signal);
      return json(await client.call('getBalanceChange', { params }, { signal }));
    },
  }),

  get_state_difference: tool({
    title: l10n.t('Get state difference'),
    description:
      'What an EVM transaction changed in the state: balances, nonces, code and storage slots of each account, before and after, with names of variables where the storage layout is known.',
    input: located,
    run: async (client, input, signal) => {
      const params = await locate(client, input, signal);
      const { status, stateDiff, labels } = await client.call(
        'getStateDiff',
        { params },
        { signal },
      );
      return json({ status, ...stateDiff, labels });
    },
  }),

  get_source_lines: tool({
    title: l10n.t('Get source lines'),
    description:
      'Where the calls of an EVM transaction are in the sources of its contracts: the call tree with file and line of each failure, call or function, and the exact ranges. Knows contracts whose build output (Foundry, Hardhat) the service reads, those of the sandbox, and verified contracts.',
    input: located,
    run: async (client, input, signal) => {
      const params = await locate(client, input, signal);
      const [flow, sources] = await Promise.all([
        client.call('getInvocationFlow', { params }, { signal }),
        client.call('getSourceLocations', { params }, { signal }),
      ]);
      const { renderCallTree, sourceNotes } = await import('./analysis-texts');
      const noteOf = sourceNotes(sources);
      const tree = renderCallTree(flow, {
        ...PLAIN_TEXT,
        noteOf: (id) => (noteOf(id) === '' ? '' : quoted(noteOf(id), 200)),
      });
      const { locations, changed, incomplete } = sources;
      return [tree, json({ locations, changed, incomplete })].join('\n\n');
    },
  }),

  simulate_transaction: tool({
    title: l10n.t('Simulate transaction'),
    description:
      'Simulates an unsent transaction: call tree and balance changes. Any sender works without a key, and nothing is sent or changed. It can run at an older block, before a transaction of that block, and with another state.',
    input: z.object({
      chain,
      from: shape.from.meta({ description: 'Sender' }),
      to: shape.to.meta({ description: 'Receiver; left out for a creation' }),
      data: shape.data.meta({ description: 'Call data, or init code of a creation: 0x hex' }),
      value: shape.value.meta({ description: 'Wei, decimal or 0x hex' }),
      gas: shape.gas,
      height: shape.height.meta({
        description:
          'Block to run in: a number (decimal or 0x hex), latest (default), safe, finalized or earliest',
      }),
      position: shape.position,
      stateOverrides: shape.stateOverrides,
      blockOverrides: shape.blockOverrides,
    }),
    run: async (client, { chain: place, ...body }, signal) => {
      const request = { params: { chain: place }, body };
      const analysis = await client.call('simulate', request, { signal });
      const { analysisText, warningLines } = await import('./analysis-texts');
      const { status, balanceChange, simulation } = analysis;
      const changes =
        balanceChange === null ? undefined : { balanceChange, verification: simulation };
      return [
        [
          `The transaction would ${status ? 'succeed' : 'revert'} in block ${simulation?.blockNumber ?? 'unknown'} of ${place}.`,
          ...warningLines(simulation?.warnings, PLAIN_TEXT.colors),
        ].join('\n'),
        analysisText(analysis, changes, PLAIN_TEXT),
        UNTRUSTED,
      ].join('\n\n');
    },
  }),
};
