import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Label } from '../../server/api/labels';
import type { Address } from '../../server/api/primitives';
import { shortHex } from '../../server/client/format';
import { UserCancelledError } from '../model/errors';
import { ACCEPTED, describe } from './describe';
import type { KnownChain, Meaning } from './meaning';
import { MAX_TEXT, recognise } from './recognise';

interface MeaningItem extends vscode.QuickPickItem {
  meaning?: Meaning;
}

const MAX_LABELS = 20;

/** What is known while the user types. It may arrive late. */
export interface Known {
  chains: readonly KnownChain[];
  labels: readonly Label[];
}

/**
 * Asks what to open, and offers each meaning of the text while it is typed. The selection of the editor is filled in; the clipboard is
 * offered as an item.
 * @throws UserCancelledError
 */
export async function askWhat(known: () => Promise<Known>): Promise<Meaning> {
  const input = vscode.window.createQuickPick<MeaningItem>();
  input.title = l10n.t('Open');
  input.placeholder = l10n.t(
    'Hash, address, block, call data, explorer link, any text with these…',
  );
  input.ignoreFocusOut = true;
  let facts: Known = { chains: [], labels: [] };
  const clipboard = (await vscode.env.clipboard.readText()).slice(0, MAX_TEXT);
  const update = (): void => {
    input.items =
      input.value.trim() === ''
        ? clipboardItems(clipboard, facts)
        : itemsOf(input.value, facts, true);
  };
  input.value = selectedText(facts);
  try {
    return await new Promise<Meaning>((resolve, reject) => {
      input.onDidChangeValue(update);
      input.onDidHide(() => {
        reject(new UserCancelledError());
      });
      input.onDidAccept(() => {
        const meaning = input.selectedItems[0]?.meaning;
        if (meaning !== undefined) resolve(meaning);
      });
      input.busy = true;
      known().then(
        (loaded) => {
          facts = loaded;
          input.busy = false;
          update();
        },
        (error: unknown) => {
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
      update();
      input.show();
    });
  } finally {
    input.dispose();
  }
}

/** The editor's selection, or the hash or address at the cursor, if it can be opened. */
function selectedText({ chains }: Known): string {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return '';
  const { document, selection } = editor;
  const range = selection.isEmpty
    ? document.getWordRangeAtPosition(selection.active, /0x[0-9a-fA-F]{40,64}/)
    : selection;
  const text = range === undefined ? '' : document.getText(range).trim();
  return text.length <= MAX_TEXT && recognise(text, chains).length > 0 ? text : '';
}

/** @param isTyped whether the user sees the text above the items, and expects an answer to it */
function itemsOf(text: string, { chains, labels }: Known, isTyped: boolean): MeaningItem[] {
  const meanings = recognise(text, chains).map(itemOf);
  const search = text.trim().toLowerCase();
  const named = isTyped
    ? labels
        .filter(({ name }) => name.toLowerCase().includes(search))
        .slice(0, MAX_LABELS)
        .map(labelItem)
    : [];
  if (meanings.length + named.length > 0) return [...meanings, ...named];
  return isTyped ? acceptedItems(l10n.t('This cannot be opened. Accepted are:')) : [];
}

function clipboardItems(clipboard: string, known: Known): MeaningItem[] {
  const items = itemsOf(clipboard, known, false);
  if (items.length === 0) return acceptedItems(l10n.t('Accepted are:'));
  const label = l10n.t('From the clipboard');
  return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

const acceptedItems = (title: string): MeaningItem[] => [
  { label: `$(info) ${title}`, alwaysShow: true },
  ...ACCEPTED.map((label) => ({ label, alwaysShow: true })),
];

function itemOf(meaning: Meaning): MeaningItem {
  const { label, description, icon } = describe(meaning);
  return { label: `$(${icon}) ${label}`, description, alwaysShow: true, meaning };
}

const labelItem = ({ name, address, chain }: Label): MeaningItem => ({
  label: `$(tag) ${name}`,
  description: `${shortHex(address)}${chain === undefined ? '' : ` · ${l10n.t('on {0}', chain)}`}`,
  alwaysShow: true,
  meaning: { kind: 'address', address: address as Address, ...(chain !== undefined && { chain }) },
});
