import '../editor/translations';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { BlockTransactions } from '../../server/api/chain-explorer';
import { grouped } from '../../server/client/format';
import { NO_PAINT, otherBlockLines } from '../../server/client/other-block-lines';
import type { ApiClient } from '../model/api-client';
import type { CommandContext } from '../model/command-context';
import type { BlockTarget } from '../model/targets';
import { transactionDetail, transactionTitle } from '../transactions/transaction-text';
import { withProgress } from '../ui/progress';
import { pick } from '../ui/quick-input';
import { BlockPlan, type Movement } from './block-plan';

/** The most that the service lists in one answer. */
const PAGE = 100;
const MAX_LISTED = 500;
/** The user executes the plan. */
const EXECUTE = 'execute';

/**
 * Asks which transactions of a block are left out or moved, executes it so, and shows what would have happened.
 * @throws UserCancelledError, ApiError
 */
export async function whatWouldHaveHappened(
  { client }: Pick<CommandContext, 'client'>,
  { chain, block }: BlockTarget,
): Promise<void> {
  const title = l10n.t('What Would Have Happened in Block {0}', grouped(block.number));
  const page = await withProgress(
    l10n.t('Loading the transactions of block {0}…', grouped(block.number)),
    (signal) => transactionsOf(client, chain, block.hash, signal),
  );
  const plan = new BlockPlan(page.transactions.length);
  let last: number | undefined;
  for (;;) {
    const chosen = await choose(title, plan, page, last);
    if (chosen === EXECUTE) break;
    last = chosen;
    await change(title, plan, chosen);
  }
  const other = await withProgress(
    l10n.t('Executing block {0}…', grouped(block.number)),
    (signal, onProgress) =>
      client.call(
        'reorder',
        { params: { chain }, body: { block: block.number, changes: plan.changes() } },
        { signal, onProgress },
      ),
  );
  const lines = [...otherBlockLines(other, undefined, { chain, colors: NO_PAINT })];
  const content = `${lines.join('\n')}\n`;
  const document = await vscode.workspace.openTextDocument({ language: 'plaintext', content });
  await vscode.window.showTextDocument(document, { preview: false });
}

async function transactionsOf(
  client: ApiClient,
  chain: string,
  block: string,
  signal: AbortSignal,
): Promise<BlockTransactions> {
  const params = { chain, block };
  const query = { limit: PAGE };
  const first = await client.call('listBlockTransactions', { params, query }, { signal });
  const transactions = [...first.transactions];
  let { next } = first;
  while (next !== null && transactions.length < MAX_LISTED) {
    const more: BlockTransactions = await client.call(
      'listBlockTransactions',
      { params, query: { from: String(next), limit: PAGE } },
      { signal },
    );
    transactions.push(...more.transactions);
    next = more.next;
  }
  return Object.assign(first, { transactions });
}

async function choose(
  title: string,
  plan: BlockPlan,
  page: BlockTransactions,
  last: number | undefined,
): Promise<number | typeof EXECUTE> {
  const transactions = plan.order.flatMap((position) => {
    const transaction = page.transactions[position];
    if (!transaction) return [];
    const name = l10n.t('{0}: {1}', position, transactionTitle(transaction));
    const isDropped = plan.isDropped(position);
    return [
      {
        label: isDropped ? l10n.t('{0} (left out)', name) : name,
        description: transactionDetail(transaction, page),
        iconPath: new vscode.ThemeIcon(isDropped ? 'circle-slash' : 'list-ordered'),
        value: position,
      },
    ];
  });
  const { value } = await pick<number | typeof EXECUTE>({
    title,
    placeholder: l10n.t('Transaction to leave out or to move, or the first entry to execute'),
    items: Promise.resolve([
      {
        label: l10n.t('Execute the block in this order'),
        iconPath: new vscode.ThemeIcon('play'),
        value: EXECUTE,
      },
      ...transactions,
    ]),
    isActive: (one) => one === last,
  });
  return value;
}

async function change(title: string, plan: BlockPlan, position: number): Promise<void> {
  const movements: [Movement, string][] = [
    ['up', l10n.t('Move up')],
    ['down', l10n.t('Move down')],
    ['first', l10n.t('Move to the start of the block')],
    ['last', l10n.t('Move to the end of the block')],
  ];
  const isDropped = plan.isDropped(position);
  const { value } = await pick<Movement | 'toggle'>({
    title,
    placeholder: l10n.t('What happens to transaction {0}', position),
    items: Promise.resolve([
      { label: isDropped ? l10n.t('Put back') : l10n.t('Leave out'), value: 'toggle' as const },
      ...movements.map(([movement, label]) => ({ label, value: movement })),
    ]),
  });
  if (value === 'toggle') plan.toggle(position);
  else plan.move(position, value);
}
