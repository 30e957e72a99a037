import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ApiError } from '../../server/api/errors';
import type { Hash, Hex } from '../../server/api/primitives';
import { shortHex } from '../../server/client/format';
import { showData } from '../decoded-data/show-data';
import type { ApiClient } from '../model/api-client';
import type { CommandContext } from '../model/command-context';
import type { CommandId } from '../model/commands';
import { askNetwork } from '../transactions/network-picks';
import { withProgress } from '../ui/progress';
import { pick } from '../ui/quick-input';
import type { Meaning } from './meaning';
import { showBlock } from './show-block';
import { openRawTransaction } from './open-raw-transaction';
import { showSignature, showSignatures } from './show-signatures';

const ANALYZE: CommandId = 'forklens.openTransaction';
const SHOW_ADDRESS: CommandId = 'forklens.showAddress';

/** Does what a text means. @throws UserCancelledError, ApiError */
export async function perform(context: CommandContext, meaning: Meaning): Promise<void> {
  const { client } = context;
  switch (meaning.kind) {
    case 'transaction': {
      const { hash: transaction, chain } = meaning;
      const target = { transaction, ...(chain !== undefined && { chain }) };
      await vscode.commands.executeCommand(ANALYZE, target);
      return;
    }
    case 'word':
      await openWord(context, meaning.word, meaning.chain);
      return;
    case 'address': {
      const { address, chain } = meaning;
      const target = { address, ...(chain !== undefined && { chain }) };
      await vscode.commands.executeCommand(SHOW_ADDRESS, target);
      return;
    }
    case 'name': {
      const title = l10n.t('Show {0}', meaning.name);
      const chain = meaning.chain ?? (await askNetwork(context, title));
      await showName(client, chain, meaning.name);
      return;
    }
    case 'block': {
      const title = l10n.t('Show block {0}', shortHex(meaning.block));
      const chain = meaning.chain ?? (await askNetwork(context, title));
      await showBlock(client, chain, meaning.block);
      return;
    }
    case 'selector':
      await showSignatures(client, meaning.selector);
      return;
    case 'topic':
      await showSignatures(client, meaning.topic);
      return;
    case 'signature':
      await showSignature(meaning.signature);
      return;
    case 'data':
      await showData(client, meaning.data);
      return;
    case 'rawTransaction':
      await openRawTransaction(context, meaning);
  }
}

/** Shows the address that an ENS name has on a chain. @throws ApiError `invalidField` where it has none */
async function showName(client: ApiClient, chain: string, name: string): Promise<void> {
  const { address } = await withProgress(l10n.t('Resolving {0}…', name), (signal) =>
    client.call('resolveName', { params: { chain, name } }, { signal }),
  );
  await vscode.commands.executeCommand(SHOW_ADDRESS, { address, chain });
}

/** A transaction, or the block with this hash. Public endpoints are asked only for a chain that the user named. */
async function openWord(
  context: CommandContext,
  word: Hash,
  chain: string | undefined,
): Promise<void> {
  const { client } = context;
  const found = await withProgress(l10n.t('Looking for {0}…', shortHex(word)), (signal) =>
    client.call(
      'findTransaction',
      { params: { transaction: word }, query: chain === undefined ? {} : { chains: chain } },
      { signal },
    ),
  );
  const [place, ...others] = found.places;
  if (place !== undefined) {
    const target = { transaction: word, ...(others.length === 0 && { chain: place.chain }) };
    await vscode.commands.executeCommand(ANALYZE, target);
    return;
  }
  const holder = await chainOfBlock(client, word, chain);
  if (holder !== undefined) await showBlock(client, holder, word);
  else await askMeaning(context, word, chain);
}

async function chainOfBlock(
  client: ApiClient,
  hash: Hex,
  chain: string | undefined,
): Promise<string | undefined> {
  const chains = await client.call('listChains', {});
  const own = chains.flatMap(({ slug, hasOwnEndpoint }) => (hasOwnEndpoint ? [slug] : []));
  const answers = await Promise.all(
    (chain === undefined ? own : [chain]).map(async (slug) => {
      const params = { chain: slug, block: hash };
      try {
        await client.call('listBlockTransactions', { params, query: { limit: 1 } });
        return slug;
      } catch (error) {
        if (error instanceof ApiError) return undefined;
        throw error;
      }
    }),
  );
  return answers.find((slug) => slug !== undefined);
}

/** The word is found nowhere: the user says what it is. */
async function askMeaning(
  context: CommandContext,
  word: Hash,
  chain: string | undefined,
): Promise<void> {
  const on = chain === undefined ? {} : { chain };
  const { value } = await pick<Meaning>({
    title: shortHex(word),
    placeholder: l10n.t('Neither a transaction nor a block of the chains that were asked. It is'),
    items: Promise.resolve([
      {
        label: l10n.t('$(search) A transaction of another chain'),
        value: { kind: 'transaction', hash: word, ...on },
      },
      {
        label: l10n.t('$(package) A block of another chain'),
        value: { kind: 'block', block: word },
      },
      {
        label: l10n.t('$(symbol-event) The first topic of an event'),
        value: { kind: 'topic', topic: word },
      },
    ]),
  });
  await perform(context, value);
}
