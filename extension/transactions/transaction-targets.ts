import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ApiError, forkNotFound } from '../../server/api/errors';
import type { ApiClient } from '../model/api-client';
import { enterText, pick } from '../ui/quick-input';
import { shortHex } from '../../server/client/format';
import type { TransactionTarget } from '../model/targets';
import type { TransactionNode } from '../model/tree-node';
import { findHash, hashProblem } from '../ui/input-rules';
import { listAllForks, type ForkChoice } from '../ui/pickers';
import { withProgress } from '../ui/progress';

const KINDS = { fork: l10n.t('fork'), chain: l10n.t('chain') };

/** Returns the transaction that the command was given, or the one that the user enters. */
export async function askTransaction(
  client: ApiClient,
  given: TransactionNode | TransactionTarget | undefined,
  title: string,
): Promise<TransactionTarget> {
  if (given !== undefined) return targetOf(given);
  const copied = findHash(await vscode.env.clipboard.readText());
  const text = await enterText({
    title,
    value: copied ?? '',
    prompt:
      copied === undefined
        ? l10n.t('Transaction hash')
        : l10n.t('Transaction hash, from the clipboard'),
    placeholder: '0x…',
    validate: hashProblem,
  });
  const transaction = text.trim().toLowerCase();
  return { chain: await placeOf(client, transaction, title), transaction };
}

function targetOf(given: TransactionNode | TransactionTarget): TransactionTarget {
  if ('parent' in given) {
    return { chain: given.parent.fork.forkId, transaction: given.transaction.hash };
  }
  const { chain, transaction } = given;
  return { chain, transaction };
}

/** Returns the chain or fork that contains a transaction. Asks the user if none or several do. */
export async function placeOf(
  client: ApiClient,
  transaction: string,
  title: string,
): Promise<string> {
  const { places } = await withProgress(
    l10n.t('Looking for transaction {0}…', shortHex(transaction)),
    (signal) => client.call('findTransaction', { params: { transaction } }, { signal }),
  );
  const [only, ...others] = places;
  if (only !== undefined && others.length === 0) return only.chain;
  const items =
    only === undefined
      ? (await client.call('listChains', {})).map(({ slug, name }) => ({
          label: slug,
          description: name,
          value: slug,
        }))
      : places.map(({ chain, name, kind }) => ({
          label: name,
          description: KINDS[kind],
          value: chain,
        }));
  const placeholder =
    only === undefined ? l10n.t('Found nowhere yet. Its chain is') : l10n.t('Several have it');
  return (await pick({ title, placeholder, items: Promise.resolve(items) })).value;
}

/** Origin of a transaction: the slug of a chain, or the fork on which it was sent. */
type Home = { chain: string } | { fork: ForkChoice };

/** Also resolves a chain's own transaction that was opened on a fork. */
export async function homeOf(
  client: ApiClient,
  { chain, transaction }: TransactionTarget,
): Promise<Home> {
  if (!chain.startsWith('fork_')) return { chain };
  const choice = (await listAllForks(client)).find(({ fork }) => fork.forkId === chain);
  if (choice === undefined) throw forkNotFound(chain);
  const params = { chain: choice.fork.chain };
  try {
    await client.call('findBlock', { params, query: { at: transaction } });
    return params;
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'transactionNotFound') return { fork: choice };
    throw error;
  }
}
