import * as vscode from 'vscode';
import { timeoutSignal } from '../../server/api/timeout-signal';
import type { CommandContext } from '../model/command-context';
import { hexLiteralAt, type HexLiteral } from './hex-literals';
import { addressCard, transactionCard } from './hover-cards';
import { LiteralFacts } from './literal-facts';

/** Longer than a user waits for a hover. */
const TIMEOUT_MS = 4_000;
/** Characters read on each side of the pointer, because lines of bundled or generated files can be very long. */
const MAX_LITERAL_LENGTH = 80;

/**
 * Shows hover cards on transaction hashes and addresses in every kind of document. Never starts the service: without it the cards only
 * offer actions.
 */
export function registerLiteralHover(
  context: Pick<CommandContext, 'client' | 'service' | 'memento'>,
): vscode.Disposable {
  const facts = new LiteralFacts(context);
  return vscode.languages.registerHoverProvider('*', {
    provideHover: async (document, position, token) => {
      const start = Math.max(0, position.character - MAX_LITERAL_LENGTH);
      const around = new vscode.Range(
        position.line,
        start,
        position.line,
        position.character + MAX_LITERAL_LENGTH,
      );
      const literal = hexLiteralAt(document.getText(around), position.character - start);
      if (literal === undefined) return undefined;
      const from = start + literal.start;
      const range = new vscode.Range(position.line, from, position.line, from + literal.length);
      const card = await cardOf(literal, facts, signalOf(token));
      return token.isCancellationRequested ? undefined : new vscode.Hover(card, range);
    },
  });
}

async function cardOf(
  { kind, value }: HexLiteral,
  facts: LiteralFacts,
  signal: AbortSignal,
): Promise<vscode.MarkdownString> {
  return kind === 'transaction'
    ? transactionCard(value, await facts.placesOf(value, signal))
    : addressCard(value, await facts.addressFacts(value, signal));
}

function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  token.onCancellationRequested(() => {
    controller.abort();
  });
  return AbortSignal.any([controller.signal, timeoutSignal(TIMEOUT_MS)]);
}
