import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { ABI_FORMS, asArtifact } from '../../api/abi-forms';
import { invalidField } from '../../api/errors';
import { UsageError } from '../errors/usage-error';
import type { DATA_COMMANDS } from '../command-specs/data-commands';
import type { Handlers } from './context';
import { findChain } from './references';

/** Chains, ABIs, labels and artifact folders over REST. */
export const dataCommands: Handlers<Exclude<keyof typeof DATA_COMMANDS, 'events'>> = {
  'chain list': async (format, { connection, out }) => {
    const chains = await connection.client.call('listChains', {});
    const rows = chains.map(({ slug, chainId, name, nativeSymbol }) => [
      slug,
      String(chainId),
      name,
      nativeSymbol,
    ]);
    out.list(chains, { columns: ['CHAIN', 'CHAIN ID', 'NAME', 'NATIVE'], rows }, format);
  },

  'chain block': async ({ chain, at }, { connection: { client }, out }) => {
    const block = await client.call('findBlock', { params: { chain }, query: { at } });
    out.facts(block, [
      ['Number', String(block.number)],
      ['Height', block.height],
      ['Hash', block.hash],
      ['Time', new Date(block.timestamp * 1000).toISOString()],
      ['Transactions', String(block.transactionCount)],
      ['Position', block.position === null ? '' : String(block.position)],
    ]);
  },

  'chain address': async ({ chain: reference, address }, { connection: { client }, out }) => {
    const chain = await findChain(client, reference);
    const facts = await client.call('getAddress', { params: { chain, address } });
    out.facts(facts, [
      ['Address', facts.address],
      ['Name', facts.name],
      ['Kind', facts.kind],
      ['Balance', `${facts.balance} ${facts.nativeSymbol}`],
      ['Nonce', String(facts.nonce)],
      ['Token', facts.token?.symbol ?? ''],
      ['Decimals', facts.token?.decimals === undefined ? '' : String(facts.token.decimals)],
      ['Block', String(facts.blockNumber)],
    ]);
  },

  'abi set': async ({ chain: reference, address, file }, { connection: { client }, out }) => {
    const body = await readAbi(file);
    const chain = await findChain(client, reference);
    const given = await client.call('putAbi', { params: { chain, address }, body });
    const { functions, events, errors } = given;
    out.result(given, `${functions} functions, ${events} events, ${errors} errors`);
  },

  'abi show': async ({ chain: reference, address }, { connection: { client }, out }) => {
    const chain = await findChain(client, reference);
    const given = await client.call('getAbi', { params: { chain, address } });
    out.result(given, JSON.stringify(given.abi, null, 2));
  },

  'abi delete': async ({ chain: reference, address }, { connection: { client }, out }) => {
    const chain = await findChain(client, reference);
    await client.call('deleteAbi', { params: { chain, address } });
    out.result({ deleted: [address] }, `Deleted the ABI of ${address}.`);
  },

  'label list': async (format, { connection, out }) => {
    const labels = await connection.client.call('listLabels', {});
    const rows = labels.map(({ address, name, chain }) => [address, name, chain ?? 'all']);
    out.list(labels, { columns: ['ADDRESS', 'NAME', 'CHAIN'], rows }, format);
  },

  'label set': async ({ address, name, chain: given }, { connection: { client }, out }) => {
    const chain = given === undefined ? {} : { chain: await findChain(client, given) };
    const label = await client.call('putLabel', { body: { address, name, ...chain } });
    out.result(label, `${label.address} is "${label.name}".`);
  },

  'label delete': async ({ address, chain: given }, { connection: { client }, out }) => {
    const chain = given === undefined ? {} : { chain: await findChain(client, given) };
    await client.call('deleteLabel', { body: { address, ...chain } });
    out.result({ deleted: [address] }, `Deleted the label of ${address}.`);
  },

  'artifacts add': async ({ folders }, { connection: { client }, out }) => {
    const body = { folders: folders.map((folder) => resolve(folder)) };
    const all = await client.call('addArtifactFolders', { body });
    out.result(all, all.folders.join('\n'));
  },
};

interface AbiBody {
  abi: never[];
  [field: string]: unknown;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON list is a bare ABI. @param file `-`: standard input @throws UsageError, ApiError `invalidField` */
async function readAbi(file: string): Promise<AbiBody> {
  let text: string;
  try {
    text = file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`<file> cannot be read: ${(error as Error).message}`);
  }
  // The service validates the content and names its faults.
  const body = asArtifact(jsonOf(text) ?? text);
  const { abi } = (body ?? {}) as Partial<Record<string, unknown>>;
  if (typeof abi === 'string') throw invalidField('<file>', file, `a file with ${ABI_FORMS}`);
  return body as AbiBody;
}
