import type { CaseBreakpoint } from '../../api/case-content';
import type { OpenCaseView, VerifiedCase } from '../../api/cases';
import type { CASE_COMMANDS } from '../command-specs/case-commands';
import type { Handlers } from './context';
import { callOptions } from './located-transaction';
import { casePathOf, createCase } from './create-case';

/** Case files over REST. */
export const caseCommands: Handlers<keyof typeof CASE_COMMANDS> = {
  'case create': createCase,

  'case list': async (format, { connection, out }) => {
    const cases = await connection.client.call('listCases', {});
    const rows = cases.map((one) => [
      one.chain,
      one.ofChain,
      String(Number(one.block.number)),
      one.transaction ?? 'a simulation',
      one.hasProof ? 'yes' : 'no',
    ]);
    const columns = ['CHAIN', 'OF', 'BLOCK', 'TRANSACTION', 'PROOF'];
    out.list(cases, { columns, rows }, format);
  },

  'case close': async ({ chain }, { connection, out }) => {
    await connection.client.call('closeCase', { params: { case: chain } });
    out.result({ closed: [chain] }, `Closed ${chain}.`);
  },

  open: async ({ file, online }, { connection, out }) => {
    const body = { file: casePathOf(file, '<file>'), online };
    const open = await connection.client.call('openCase', { body });
    out.result(open, () => openText(open));
  },

  verify: async ({ file, hash }, context) => {
    const { connection, out } = context;
    const body = { file: casePathOf(file, '<file>'), ...(hash === undefined ? {} : { hash }) };
    const verified = await connection.client.call(
      'verifyCase',
      { body },
      callOptions(context, 'minutes'),
    );
    out.result(verified, () => verdictText(verified));
  },
};

const LEVELS: Readonly<Record<VerifiedCase['level'], string>> = {
  executed:
    'Executed: executed again, it has the result that the file states. Who sent the file is trusted for the state before.',
  receipts:
    'Receipts proved: so are the transactions and receipts of its block. Who sent the file is trusted for the state before.',
  state:
    'State proved: all that the execution reads, its result, and its place in the block follow from the hash of the block.',
};

function verdictText({ level, why, trusted, block, ofChain, chainId }: VerifiedCase): string {
  const height = Number(block.number);
  return [
    LEVELS[level],
    ...(why === undefined ? [] : [`Not more, since ${why}.`]),
    trusted
      ? `The block is the one that was given: ${height} of ${ofChain} (chain id ${chainId}).`
      : `Compare with someone you trust: block ${height} of ${ofChain} (chain id ${chainId}) has the hash\n  ${block.hash}`,
  ].join('\n');
}

function openText({ analyses, chain, chainId, online, shown }: OpenCaseView): string {
  const where = online ? [`What it lacks is read from a node of chain id ${chainId}.`] : [];
  return [
    `Opened as the chain ${chain}: ${SHOWN[shown?.kind ?? 'inspector']}.`,
    ...where,
    ...analyses.flatMap(analysisText),
    ...(shown?.kind === 'debugger' ? shown.breakpoints.map(breakpointText) : []),
    `  forklens case close ${chain}`,
  ].join('\n');
}

const SHOWN = {
  inspector: 'an analysis',
  comparison: 'a comparison of two analyses',
  debugger: 'a debugger session',
  notebook: 'a notebook',
} as const;

function analysisText(analysis: OpenCaseView['analyses'][number]): string[] {
  const { chain, network, block } = analysis;
  const place = `of ${network}, block ${Number(block.number)}, position ${block.position}`;
  const what =
    'transaction' in analysis
      ? [`A transaction ${place}:`, `  forklens tx ${chain} ${analysis.transaction}`]
      : [`A simulation ${place}${analysis.title ? `: ${analysis.title}` : ''}`];
  const point = `--height ${Number(block.number)} --position ${block.position}`;
  return [...what, `  forklens fork create ${chain} ${point}`];
}

const breakpointText = (breakpoint: CaseBreakpoint): string =>
  `  breakpoint ${breakpointPlace(breakpoint)}`;

function breakpointPlace(breakpoint: CaseBreakpoint): string {
  if ('line' in breakpoint) return `${breakpoint.source}:${breakpoint.line}`;
  if ('function' in breakpoint) return breakpoint.function;
  const { name = '' } = breakpoint;
  if ('pc' in breakpoint) return `instruction 0x${breakpoint.pc.toString(16)} ${name}`.trimEnd();
  const { address, slot, access } = breakpoint;
  return `${ACCESS[access]} of ${name || `slot ${slot} of ${address}`}`;
}

const ACCESS = { read: 'read', write: 'write', readWrite: 'read or write' } as const;
