import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hashSchema } from '../../server/api/primitives';
import { invalidField } from '../../server/api/errors';
import { openTransaction } from './open-transaction';
import { LastNetwork, networkItems } from './network-picks';
import { askPick, askText } from '../ui/quick-input';
import { BACK, runSteps, type Step } from '../ui/steps';
import { shortHex } from '../../server/client/format';
import { transactionLabel } from './transaction-label';
import type { ForkNode, TransactionNode } from '../model/tree-node';
import { copyText } from '../ui/clipboard';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import { findHash, hashProblem } from '../ui/input-rules';

const TITLE = l10n.t('Analyze Transaction');

interface Target {
  /** Slug of a chain or id of a fork. */
  chain: string;
  transaction: string;
  title?: string;
}

export function transactionCommands(
  context: CommandContext,
): Pick<
  Commands,
  | 'forklens.analyzeTransaction'
  | 'forklens.analyzeSelection'
  | 'forklens.openTransaction'
  | 'forklens.copyLiteral'
  | 'forklens.copyTransactionHash'
> {
  const { client, inspector } = context;
  const last = new LastNetwork(context.memento);

  return {
    'forklens.analyzeTransaction': async (node) => {
      await inspector.open(node?.kind === 'transaction' ? targetOf(node) : await askTarget(node));
    },

    'forklens.analyzeSelection': async () => {
      const hash = hashInEditor();
      if (hash !== undefined) await openTransaction(context, hash);
      else await inspector.open(await askTarget(undefined));
    },

    'forklens.openTransaction': async ({ transaction, chain, node }) => {
      const hash = hashSchema.safeParse(transaction);
      if (!hash.success) throw invalidField('transaction', transaction, '0x and 64 hex digits');
      await openTransaction(context, hash.data, { chain, node });
    },

    'forklens.copyLiteral': async (literal) => {
      await copyText(literal, shortHex(literal));
    },

    'forklens.copyTransactionHash': async ({ transaction }) => {
      const hash = typeof transaction === 'string' ? transaction : transaction.hash;
      await copyText(hash, shortHex(hash));
    },
  };

  /** @param fork undefined: asks for the chain or fork as well as for the hash */
  async function askTarget(fork: ForkNode | undefined): Promise<Target> {
    // Fails early: the user should see a sign-in or service error before typing.
    await client.call('getAccount', {});
    const found = await offeredHash();
    const target: Target = { chain: fork?.fork.forkId ?? '', transaction: found?.hash ?? '' };
    const askHash: Step = async (frame) => {
      const text = await askText({
        title: TITLE,
        ...(fork === undefined ? { frame } : {}),
        value: target.transaction,
        prompt:
          found === undefined
            ? l10n.t('Transaction hash')
            : l10n.t('Transaction hash, from {0}', found.source),
        placeholder: '0x…',
        validate: hashProblem,
      });
      if (text === BACK) return BACK;
      target.transaction = text.trim().toLowerCase();
      return undefined;
    };
    const askChain: Step = async (frame) => {
      const picked = await askPick({
        title: TITLE,
        frame,
        placeholder: l10n.t('Chain or fork of the transaction'),
        items: networkItems(client),
        isActive: (chain) => chain === last.get(),
      });
      if (picked === BACK) return BACK;
      target.chain = picked.value;
      await last.set(picked.value);
      return undefined;
    };
    await runSteps(fork === undefined ? [askHash, askChain] : [askHash]);
    return target;
  }
}

function targetOf(node: TransactionNode): Target {
  const { parent, transaction } = node;
  const title = transactionLabel(node);
  return { chain: parent.fork.forkId, transaction: transaction.hash, title };
}

/** The hash that is selected in the active editor, or that contains the cursor. */
function hashInEditor(): ReturnType<typeof findHash> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const { document, selection } = editor;
  const range = selection.isEmpty
    ? document.getWordRangeAtPosition(selection.active, /0x[0-9a-fA-F]{64}/)
    : selection;
  return range === undefined ? undefined : findHash(document.getText(range));
}

/** A hash from the editor's selection or the clipboard. */
async function offeredHash(): Promise<{ hash: string; source: string } | undefined> {
  const selected = hashInEditor();
  if (selected !== undefined) return { hash: selected, source: l10n.t('the editor') };
  const hash = findHash(await vscode.env.clipboard.readText());
  return hash === undefined ? undefined : { hash, source: l10n.t('the clipboard') };
}
