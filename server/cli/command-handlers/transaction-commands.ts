import { writeFile } from 'node:fs/promises';
import { analysisText, printAnalysis, warningLines } from '../../agents/print-analysis';
import { callTreeRows } from '../../agents/render-call-tree';
import { sourceNotes } from '../../agents/source-notes';
import type { FORK_COMMANDS } from '../command-specs/fork-commands';
import type { TRANSACTION_COMMANDS } from '../command-specs/transaction-commands';
import { UsageError } from '../errors/usage-error';
import { callRequest } from './call-request';
import type { Context, Handler, Handlers } from './context';
import { forkRpcTarget } from './fork-rpc';
import { callOptions, onTransaction, readView } from './located-transaction';
import { findChain } from './references';
import { stateWriters, writersTable } from './state-writers';
import { balancesTable, eventsTable, flowTable, gasTable, stateTable } from './view-tables';

const analyze: Handler<'tx analyze'> = async (input, context) => {
  const { connection, out } = context;
  if (out.isJson) {
    out.result(await readView('getAnalysis', input, context), '');
    return;
  }
  const text = await onTransaction(input, context, ({ params }) =>
    printAnalysis(connection.client, params.chain, input.hash, {
      colors: out.colors,
      maxRows: input.rows,
      width: out.width,
      ...callOptions(context),
      isProofAwaited: input.proof === 'wait',
    }),
  );
  out.result(undefined, text);
};

/** Analyses of transactions, and files generated from them. */
export const transactionCommands: Handlers<
  keyof typeof TRANSACTION_COMMANDS | Extract<keyof typeof FORK_COMMANDS, 'fork send'>
> = {
  'tx analyze': analyze,
  analyze,

  'tx calls': async (input, context) => {
    const { out, connection } = context;
    const [flow, sources] = await onTransaction(input, context, (request) =>
      Promise.all([
        connection.client.call('getInvocationFlow', request, callOptions(context)),
        input.sources
          ? connection.client.call('getSourceLocations', { params: request.params })
          : undefined,
      ]),
    );
    const noteOf = sources === undefined ? undefined : sourceNotes(sources);
    const data = sources === undefined ? flow : { ...flow, sourceLocations: sources };
    out.result(data, () =>
      callTreeRows(flow, {
        colors: out.colors,
        maxRows: input.rows,
        width: out.width,
        ...(noteOf === undefined ? {} : { noteOf }),
      }),
    );
  },

  'tx balances': async (input, context) => {
    const changes = await readView('getBalanceChange', input, context);
    context.out.list(changes, balancesTable(changes), input, 'No balance changed.');
  },

  'tx flow': async (input, context) => {
    const flow = await readView('getFundFlow', input, context);
    context.out.list(flow, flowTable(flow), input, 'Nothing was transferred.');
  },

  'tx state': async (input, context) => {
    const { connection, out } = context;
    if (!input.writers) {
      const state = await readView('getStateDiff', input, context);
      out.list(state, stateTable(state), input, 'Nothing changed.');
      return;
    }
    const options = callOptions(context);
    const [state, writers] = await onTransaction(input, context, (request) =>
      Promise.all([
        connection.client.call('getStateDiff', request, options),
        stateWriters(connection.client, request.params, options),
      ]),
    );
    const table = writersTable(state, writers);
    out.list({ ...state, writers }, table, input, 'Nothing was written.');
  },

  'tx gas': async (input, context) => {
    const gas = await readView('getGasProfile', input, context);
    context.out.list(gas, gasTable(gas), input);
    if (input.format !== 'table' || input.quiet) return;
    const { gasUsed, gasLimit, intrinsicGas, refund } = gas.gasProfile;
    context.out.note(
      `Gas used: ${gasUsed} of ${gasLimit}; intrinsic: ${intrinsicGas ?? 'unknown'}; refund: ${refund ?? 'unknown'}`,
    );
  },

  'tx events': async (input, context) => {
    const flow = await readView('getInvocationFlow', input, context);
    const table = eventsTable(flow);
    const data = Object.values(flow.dataMap).flatMap((node) =>
      'event' in node ? [node.event] : [],
    );
    context.out.list(data, table, input, 'No events.');
  },

  'tx export': async (input, context) => {
    const { exportAnalysis } = await import('../analysis/analysis-bundle');
    const analysis = await readView('getAnalysis', input, context);
    const text = await exportAnalysis(analysis, context.out.isJson ? 'json' : input.format);
    await deliver(text, input.output, context);
  },

  'tx find': async ({ hash, ...format }, { connection: { client }, out }) => {
    const found = await client.call('findTransaction', { params: { transaction: hash } });
    const rows = found.places.map(({ chain, kind, name, blockNumber }) => [
      chain,
      kind,
      name,
      blockNumber === null ? 'pending' : String(blockNumber),
    ]);
    out.list(found, { columns: ['CHAIN', 'KIND', 'NAME', 'BLOCK'], rows }, format);
    const silent = [...found.unanswered, ...found.notAsked];
    if (silent.length > 0) out.note(`No answer from: ${silent.join(', ')}`);
  },

  simulate: async (input, context) => {
    const { connection, out } = context;
    const request = await callRequest(input);
    const chain = await findChain(connection.client, input.chain);
    const { height, position, rules } = input;
    const analysis = await connection.client.call(
      'simulate',
      {
        params: { chain },
        body: {
          ...request,
          height,
          ...(position === undefined ? {} : { position }),
          ...(rules === undefined ? {} : { rules }),
        },
      },
      callOptions(context),
    );
    out.result(analysis, () => {
      const { status, balanceChange, simulation } = analysis;
      const changes =
        balanceChange === null ? undefined : { balanceChange, verification: simulation };
      const outcome = status
        ? out.colors.green('✓ It would succeed')
        : out.colors.red('✗ It would revert');
      const place = `in block ${simulation?.blockNumber ?? 'unknown'} of ${input.chain}`;
      const options = { colors: out.colors, maxRows: input.rows, width: out.width };
      return [
        `${outcome} ${place}`,
        ...warningLines(simulation?.warnings, out.colors),
        '',
        analysisText(analysis, changes, options),
      ].join('\n');
    });
  },

  'fork send': async (input, context) => {
    const request = await callRequest(input);
    const node = await forkRpcTarget(input.fork, context);
    const hash = String(await node.send('eth_sendTransaction', [request]));
    context.out.result({ hash, forkId: node.fork.forkId }, hash);
  },

  compare: async (input, context) => {
    const { comparisonOf, renderComparison } = await import('../analysis/analysis-bundle');
    const { chain, hash, otherChain = chain, otherHash } = input;
    const [left, right] = await Promise.all([
      readView('getAnalysis', { chain, hash }, context),
      readView('getAnalysis', { chain: otherChain, hash: otherHash }, context),
    ]);
    const comparison = comparisonOf(left, right);
    context.out.result(comparison, () => renderComparison(comparison, context.out.colors));
    if (input.exitCode && !comparison.equal) process.exitCode = 1;
  },

  test: async (input, context) => {
    const test = await readView('getFoundryTest', input, context);
    if (context.out.isJson && input.output === undefined) context.out.result(test, '');
    else await deliver(test.text, input.output, context);
  },
};

/** Writes to a file or to standard output. @throws UsageError if the file cannot be written */
async function deliver(text: string, file: string | undefined, { out }: Context): Promise<void> {
  if (file === undefined || file === '-') {
    out.raw(text);
    return;
  }
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(`--output cannot be written: ${(error as Error).message}`);
  }
  if (out.isJson) out.result({ file }, '');
  else out.note(`Wrote ${file}.`);
}
