import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FoundTransaction } from '../../server/api/lookup';
import type { Address, Hash } from '../../server/api/primitives';
import type { CommandId } from '../model/commands';
import { grouped, shortHex } from '../../server/client/format';
import type { LocatedAddress } from './literal-facts';

const COMMANDS = [
  'forklens.openTransaction',
  'forklens.debugTransaction',
  'forklens.forkBeforeTransaction',
  'forklens.copyLiteral',
  'forklens.nameAddress',
  'forklens.showAddress',
] as const satisfies readonly CommandId[];
type CardCommand = (typeof COMMANDS)[number];

const KINDS = {
  address: l10n.t('Address'),
  account: l10n.t('Account'),
  contract: l10n.t('Contract'),
  delegated: l10n.t('Account that runs a contract (EIP-7702)'),
} as const;

/** @param places where the transaction was found; if empty, the card offers to search for it */
export function transactionCard(
  transaction: Hash,
  places: readonly FoundTransaction[],
): vscode.MarkdownString {
  const card = newCard();
  card.appendMarkdown(l10n.t('**Transaction** `{0}`', shortHex(transaction)));
  for (const { kind, chain, name, blockNumber } of places) {
    card.appendMarkdown('  \n$(' + (kind === 'fork' ? 'repo-forked' : 'link') + ') ');
    card.appendText(name);
    const block =
      blockNumber === null ? l10n.t('pending') : l10n.t('block {0}', grouped(blockNumber));
    card.appendMarkdown(` · ${block}`);
    if (places.length > 1) {
      const target = { transaction, chain };
      card.appendMarkdown(` · ${analyze(target)} · ${debug(target)}`);
    }
  }
  const [only] = places.length === 1 ? places : [];
  const links = [
    ...(places.length > 1
      ? []
      : [
          analyze({ transaction, ...(only === undefined ? {} : { chain: only.chain }) }),
          debug({ transaction, ...(only === undefined ? {} : { chain: only.chain }) }),
        ]),
    ...(only?.kind === 'chain' && only.blockNumber !== null
      ? [
          link(l10n.t('Fork before this'), 'forklens.forkBeforeTransaction', {
            chain: only.chain,
            transaction,
          }),
        ]
      : []),
    link(l10n.t('Copy'), 'forklens.copyLiteral', transaction),
  ];
  card.appendMarkdown(`\n\n${links.join(' · ')}`);
  return card;
}

/** @param facts undefined if the service does not run or did not answer */
export function addressCard(
  address: Address,
  facts: LocatedAddress | undefined,
): vscode.MarkdownString {
  const card = newCard();
  card.appendMarkdown('**');
  const { name = '', kind = 'address' } = facts ?? {};
  card.appendText(name === '' ? KINDS[kind] : name);
  card.appendMarkdown(`** \`${shortHex(address)}\``);
  if (facts !== undefined) {
    card.appendMarkdown(`  \n${name === '' ? l10n.t('on') : l10n.t('{0} on', KINDS[facts.kind])} `);
    card.appendText(facts.place);
    const token = facts.token;
    if (token !== undefined) {
      card.appendMarkdown(` · ${l10n.t('token')} `);
      card.appendText(token.symbol ?? '');
      if (token.decimals !== undefined) {
        card.appendMarkdown(` ${l10n.t('with {0} decimals', token.decimals)}`);
      }
    }
    card.appendMarkdown(`  \n${l10n.t('Balance {0}', groupedDecimal(facts.balance))} `);
    card.appendText(facts.nativeSymbol);
    card.appendMarkdown(` · ${l10n.t('nonce {0}', grouped(facts.nonce))}`);
  }
  const { chain } = facts ?? {};
  const links = [
    link(l10n.t('Show'), 'forklens.showAddress', { address, ...(chain && { chain }) }),
    link(l10n.t('Name it'), 'forklens.nameAddress', address),
    link(l10n.t('Copy'), 'forklens.copyLiteral', address),
  ];
  card.appendMarkdown(`\n\n${links.join(' · ')}`);
  return card;
}

/** `12345.5` as `12,345.5`. */
const groupedDecimal = (text: string): string =>
  text.replace(/^\d+/, (digits) => grouped(BigInt(digits)));

const analyze = (target: { transaction: Hash; chain?: string }): string =>
  link(l10n.t('Analyze'), 'forklens.openTransaction', target);

const debug = (target: { transaction: Hash; chain?: string }): string =>
  link(l10n.t('Debug'), 'forklens.debugTransaction', target);

function link(title: string, command: CardCommand, argument: unknown): string {
  return `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([argument]))})`;
}

/** Names come from chains and collaborators: they are appended as text, and links can run only the commands listed here. */
function newCard(): vscode.MarkdownString {
  const card = new vscode.MarkdownString('', true);
  card.isTrusted = { enabledCommands: COMMANDS };
  return card;
}
