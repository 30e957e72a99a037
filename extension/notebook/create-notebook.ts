import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { BOOK_TYPE } from '../model/book-type';
import { SANDBOX } from '../model/sandbox';
import { askNetwork } from '../transactions/network-picks';
import type { BookCell } from '../../server/client/book/book';
import { boundTo } from '../../server/client/book/front-matter';
import { notebookOf } from './book-data';
import type { BookServices } from './notebook-bundle';

/** Opens a new book on the fork or chain that the user picks, with an example of its cells. @throws UserCancelledError, ApiError */
export async function createNotebook(services: BookServices): Promise<void> {
  const network = await askNetwork(services, l10n.t('New Notebook'));
  const isFork = network.startsWith('fork_');
  const chains = await services.client.call('listChains', {});
  const hasSandbox = chains.some(({ slug }) => slug === SANDBOX);
  const story = hasSandbox
    ? await services.client.call('listStory', { params: { chain: SANDBOX } })
    : [];
  const markdown = (text: string): BookCell => ({ kind: 'markdown', text });
  const cells: BookCell[] = [
    markdown(
      `# ${l10n.t('What happened')}\n\n${l10n.t('Write down what you see. Run the cells with the buttons beside them.')}`,
    ),
    ...(isFork
      ? [markdown(l10n.t('A JSON-RPC cell sends its request to the fork:')), blockNumber()]
      : []),
    markdown(l10n.t('An analyze cell shows a transaction, here one of the sandbox:')),
    analyzed(story.find(({ title }) => /swap/i.test(title))?.hash ?? story[0]?.hash, network),
  ];
  const eol = '\n';
  const data = notebookOf({ head: boundTo(network, { head: '', eol }), cells, tail: '', eol });
  const book = await vscode.workspace.openNotebookDocument(BOOK_TYPE, data);
  await vscode.window.showNotebookDocument(book);
}

const blockNumber = (): BookCell => ({
  kind: 'rpc',
  text: '{ "method": "eth_blockNumber", "params": [] }',
});

const analyzed = (hash: string | undefined, network: string): BookCell => ({
  kind: 'analyze',
  text: [
    `transaction: ${hash ?? '0x…'}`,
    ...(hash === undefined || network === SANDBOX ? [] : [`chain: ${SANDBOX}`]),
    'view: overview',
  ].join('\n'),
});
