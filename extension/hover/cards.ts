import * as vscode from 'vscode';
import type { FoundTransaction } from '../../server/api/lookup';
import type { Address, Hash } from '../../server/api/primitives';
import type { CommandId } from '../commands/commands';
import { grouped, shortHex } from '../views/format';
import type { LocatedAddress } from './literal-facts';

const COMMANDS = [
  'forklens.openTransaction',
  'forklens.forkBeforeTransaction',
  'forklens.copyLiteral',
  'forklens.nameAddress',
] as const satisfies readonly CommandId[];
type CardCommand = (typeof COMMANDS)[number];

const KINDS = {
  address: 'Address',
  account: 'Account',
  contract: 'Contract',
  delegated: 'Account that runs a contract (EIP-7702)',
} as const;

/** @param places where it is known to be; none: the card offers to look for it */
export function transactionCard(
  transaction: Hash,
  places: readonly FoundTransaction[],
): vscode.MarkdownString {
  const card = newCard();
  card.appendMarkdown(`**Transaction** \`${shortHex(transaction)}\``);
  for (const { kind, chain, name, blockNumber } of places) {
    card.appendMarkdown('  \n$(' + (kind === 'fork' ? 'repo-forked' : 'link') + ') ');
    card.appendText(name);
    card.appendMarkdown(blockNumber === null ? ' · pending' : ` · block ${grouped(blockNumber)}`);
    if (places.length > 1) card.appendMarkdown(` · ${analyze({ transaction, chain })}`);
  }
  const [only] = places.length === 1 ? places : [];
  const links = [
    ...(places.length > 1
      ? []
      : [analyze({ transaction, ...(only === undefined ? {} : { chain: only.chain }) })]),
    ...(only?.kind === 'chain' && only.blockNumber !== null
      ? [
          link('Fork before this', 'forklens.forkBeforeTransaction', {
            chain: only.chain,
            transaction,
          }),
        ]
      : []),
    link('Copy', 'forklens.copyLiteral', transaction),
  ];
  card.appendMarkdown(`\n\n${links.join(' · ')}`);
  return card;
}

/** @param facts undefined where nothing can be asked now */
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
    card.appendMarkdown(`  \n${name === '' ? 'on ' : `${KINDS[facts.kind]} on `}`);
    card.appendText(facts.place);
    const token = facts.token;
    if (token !== undefined) {
      card.appendMarkdown(' · token ');
      card.appendText(token.symbol ?? '');
      if (token.decimals !== undefined) card.appendMarkdown(` with ${token.decimals} decimals`);
    }
    card.appendMarkdown(`  \nBalance ${groupedDecimal(facts.balance)} `);
    card.appendText(facts.nativeSymbol);
    card.appendMarkdown(` · nonce ${grouped(facts.nonce)}`);
  }
  const links = [
    link('Name it', 'forklens.nameAddress', address),
    link('Copy', 'forklens.copyLiteral', address),
  ];
  card.appendMarkdown(`\n\n${links.join(' · ')}`);
  return card;
}

/** `12345.5` as `12,345.5`. */
const groupedDecimal = (text: string): string =>
  text.replace(/^\d+/, (digits) => grouped(BigInt(digits)));

const analyze = (target: { transaction: Hash; chain?: string }): string =>
  link('Analyze', 'forklens.openTransaction', target);

function link(title: string, command: CardCommand, argument: unknown): string {
  return `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([argument]))})`;
}

/** Names come from chains and collaborators: they are appended as text, and no command but ours can be linked to. */
function newCard(): vscode.MarkdownString {
  const card = new vscode.MarkdownString('', true);
  card.isTrusted = { enabledCommands: COMMANDS };
  return card;
}
