import { resolve } from 'node:path';
import type { OpenCaseView, VerifiedCase } from '../../api/cases';
import type { CASE_COMMANDS } from '../command-specs/case-commands';
import { UsageError } from '../errors/usage-error';
import type { Handlers } from './context';
import { callOptions } from './located-transaction';
import { findChain } from './references';

const EXTENSION = '.forklens';

/** Case files over REST. */
export const caseCommands: Handlers<keyof typeof CASE_COMMANDS> = {
  'case create': async ({ chain: reference, hash, output, prove }, context) => {
    const { connection, out } = context;
    const chain = await findChain(connection.client, reference);
    const file = pathOf(output ?? `${hash}${EXTENSION}`, '--output');
    const written = await connection.client.call(
      'createCase',
      { params: { chain, transaction: hash }, body: { file, prove } },
      callOptions(context, 'minutes'),
    );
    const { bytes, block, hasProof } = written;
    const proof = hasProof
      ? `, provable by the hash of block ${Number(block.number)}: ${block.hash}`
      : '';
    out.result(written, `Wrote ${written.file} (${Math.ceil(bytes / 1000)} kB${proof}).`);
  },

  'case list': async (format, { connection, out }) => {
    const cases = await connection.client.call('listCases', {});
    const rows = cases.map((one) => [
      one.chain,
      one.ofChain,
      String(Number(one.block.number)),
      one.transaction,
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
    const body = { file: pathOf(file, '<file>'), online };
    const open = await connection.client.call('openCase', { body });
    out.result(open, () => openText(open));
  },

  verify: async ({ file, hash }, context) => {
    const { connection, out } = context;
    const body = { file: pathOf(file, '<file>'), ...(hash === undefined ? {} : { hash }) };
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

/** @throws UsageError if the name does not end as names of case files do */
function pathOf(file: string, label: string): string {
  if (file.endsWith(EXTENSION)) return resolve(file);
  throw new UsageError(
    `${label} is ${JSON.stringify(file)}; accepted: a path that ends with ${EXTENSION}`,
  );
}

function openText({ chain, ofChain, chainId, block, transaction, online }: OpenCaseView): string {
  const height = Number(block.number);
  const where = online ? [`What it lacks is read from a node of chain id ${chainId}.`] : [];
  return [
    `Opened as the chain ${chain}: a transaction of ${ofChain} (chain id ${chainId}), block ${height}, position ${block.position}.`,
    ...where,
    `  forklens tx ${chain} ${transaction}`,
    `  forklens fork create ${chain} --height ${height} --position ${block.position}`,
    `  forklens case close ${chain}`,
  ].join('\n');
}
