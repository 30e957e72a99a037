import * as vscode from 'vscode';
import { askPick, askText, type PickItem } from '../quick-input/quick-input';
import { BACK, runSteps, type Step } from '../quick-input/steps';
import { shortHex } from '../views/format';
import { transactionLabel } from '../views/node-view';
import type { ForkNode, TransactionNode } from '../views/tree-node';
import { copyText } from './clipboard';
import type { CommandContext } from './command-context';
import type { Commands } from './commands';
import { findHash, hashProblem } from './input-rules';
import { forkItem, listAllForks } from './pickers';

const TITLE = 'Analyze Transaction';
const LAST_CHAIN = 'forklens.lastAnalyzedChain';

interface Target {
  /** Slug of a chain, or id of a fork. */
  chain: string;
  transaction: string;
  title?: string;
}

export function transactionCommands({
  client,
  inspector,
  memento,
}: CommandContext): Pick<Commands, 'forklens.analyzeTransaction' | 'forklens.copyTransactionHash'> {
  return {
    'forklens.analyzeTransaction': async (node) => {
      await inspector.open(node?.kind === 'transaction' ? targetOf(node) : await askTarget(node));
    },

    'forklens.copyTransactionHash': async ({ transaction: { hash } }) => {
      await copyText(hash, shortHex(hash));
    },
  };

  /** @param fork where it is known already: only the hash is asked for */
  async function askTarget(fork: ForkNode | undefined): Promise<Target> {
    // Whatever stands in the way is better told before the user types.
    await client.call('getAccount', {});
    const found = await offeredHash();
    const target: Target = { chain: fork?.fork.forkId ?? '', transaction: found?.hash ?? '' };
    const askHash: Step = async (frame) => {
      const text = await askText({
        title: TITLE,
        ...(fork === undefined ? { frame } : {}),
        value: target.transaction,
        prompt: found === undefined ? 'Transaction hash' : `Transaction hash, from ${found.source}`,
        placeholder: '0x…',
        validate: hashProblem,
      });
      if (text === BACK) return BACK;
      target.transaction = text.trim().toLowerCase();
      return undefined;
    };
    const askChain: Step = async (frame) => {
      const last = memento.get<string>(LAST_CHAIN);
      const picked = await askPick({
        title: TITLE,
        frame,
        placeholder: 'Chain or fork of the transaction',
        items: places(),
        isActive: (chain) => chain === last,
      });
      if (picked === BACK) return BACK;
      target.chain = picked.value;
      await memento.update(LAST_CHAIN, picked.value);
      return undefined;
    };
    await runSteps(fork === undefined ? [askHash, askChain] : [askHash]);
    return target;
  }

  async function places(): Promise<
    (PickItem<string> | (vscode.QuickPickItem & { value?: never }))[]
  > {
    const [chains, forks] = await Promise.all([
      client.call('listChains', {}),
      // A key may lack the scope to see forks, and still analyze.
      listAllForks(client).catch(() => []),
    ]);
    return [
      ...chains.map(({ slug, name, chainId }) => ({
        label: slug,
        description: `${name} · chain id ${chainId}`,
        iconPath: new vscode.ThemeIcon('link'),
        value: slug,
      })),
      ...(forks.length === 0 ? [] : [{ label: 'Forks', kind: vscode.QuickPickItemKind.Separator }]),
      ...forks.map((choice) => ({ ...forkItem(choice), value: choice.fork.forkId })),
    ];
  }
}

function targetOf({ parent, transaction }: TransactionNode): Target {
  const title = transactionLabel(transaction);
  return { chain: parent.fork.forkId, transaction: transaction.hash, title };
}

/** A hash that the user most likely means. */
async function offeredHash(): Promise<{ hash: string; source: string } | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined) {
    const { document, selection } = editor;
    const range = selection.isEmpty
      ? document.getWordRangeAtPosition(selection.active, /0x[0-9a-fA-F]{64}/)
      : selection;
    const hash = range === undefined ? undefined : findHash(document.getText(range));
    if (hash !== undefined) return { hash, source: 'the editor' };
  }
  const hash = findHash(await vscode.env.clipboard.readText());
  return hash === undefined ? undefined : { hash, source: 'the clipboard' };
}
