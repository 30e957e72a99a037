import type { Colors } from 'picocolors/types';
import type { ApiClient } from '../api/client';
import type { BalanceChange, InvocationFlow } from '../api/explorer';
import type { ComparedBalances } from '../api/shown-change';
import type { OnProgress } from '../api/progress';
import { countGuesses, guessTexts } from '../presentation/guesses';
import { proofWords, type ProofKind } from '../presentation/proof-words';
import { renderBalances } from './render-balances';
import { quoted } from '../presentation/quoted';
import type { Naming } from '../presentation/quantity-segments';
import { namesOf } from '../presentation/segment';
import { referredNodes } from '../presentation/summary-lines';
import { inert, utcTime } from '../presentation/text';
import { UNTRUSTED } from './untrusted';
import { renderSummary } from './render-summary';
import { renderCallTree, writingFor, type Flow } from './render-call-tree';

export interface PrintOptions {
  colors: Colors;
  /** Maximum number of rows of the call tree, and of the balance changes. */
  maxRows?: number;
  /** Columns of the terminal. */
  width?: number | undefined;
  /** Waits until no proof of the analysis is running. */
  isProofAwaited?: boolean;
  /** For a model: addresses are whole, and texts of strangers are JSON strings and named as untrusted. */
  isForModel?: boolean;
  signal?: AbortSignal;
  /** Receives the progress of a long analysis. */
  onProgress?: OnProgress;
}

/**
 * Both analyses of a transaction as text: facts, call tree, balance changes.
 * @param chain slug of a chain or id of a fork
 * @throws ApiError of the two operations
 */
export async function printAnalysis(
  client: ApiClient,
  chain: string,
  hash: string,
  options: PrintOptions,
): Promise<string> {
  const { signal, onProgress, isProofAwaited = false } = options;
  const query = isProofAwaited ? { proof: 'wait' as const } : {};
  const request = { params: { chain, transaction: hash }, query };
  const [flow, changes] = await Promise.all([
    client.call('getInvocationFlow', request, {
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
    }),
    client.call('getBalanceChange', request, { ...(signal && { signal }) }),
  ]);
  return [
    renderFacts(flow, changes.verification, options.colors),
    '',
    analysisText(flow, changes, options),
    ...(options.isForModel ? ['', UNTRUSTED] : []),
  ].join('\n');
}

/** Call tree and balance changes as text. @param changes undefined if unknown */
export function analysisText(
  flow: Flow,
  changes: ComparedBalances | undefined,
  options: PrintOptions,
): string {
  const { colors, maxRows, isForModel = false } = options;
  const { status, summary, labels, transaction } = flow;
  const naming: Naming = { names: namesOf(labels), nativeSymbol: transaction.nativeSymbol };
  const named = new Map<string, string>();
  const writing = {
    ...writingFor(isForModel),
    onName: (address: string, name: string) => named.set(address, name),
  };
  const text = [
    ...(summary ? [renderSummary(summary, { colors, naming, writing, status })] : []),
    ...guessTexts(countGuesses(Object.values(flow.dataMap))).map(colors.dim),
    '',
    renderCallTree(flow, {
      ...options,
      onName: writing.onName,
      ...(summary && { numbered: referredNodes(summary) }),
    }),
    '',
    changes === undefined
      ? 'The balance changes are not known.'
      : renderBalances(changes, { colors, naming, writing, maxRows }),
  ].join('\n');
  if (named.size === 0) return text;
  const names = [...named].map(([address, name]) => `${quoted(name)} ${address}`);
  return [text, '', 'Addresses of the names:', ...names].join('\n');
}

function renderFacts(
  { status, transaction, verification }: InvocationFlow,
  balances: BalanceChange['verification'],
  colors: Colors,
): string {
  const { hash, chain, blockNumber, position, timestamp, fee, nativeSymbol } = transaction;
  const outcome = status ? colors.green('✓ Succeeded') : colors.red('✗ Reverted');
  const { kind, word, facts } = proofWords(verification, balances);
  const { corrected } = verification;
  const replaced = corrected === undefined ? '' : `; replaces a wrong answer: ${inert(corrected)}`;
  return [
    `${outcome}  ${hash}`,
    colors.dim(
      `on ${chain} · block ${blockNumber} · position ${position} · ${utcTime(timestamp)}`,
    ) + (fee === '' ? '' : colors.dim(` · fee ${fee} ${nativeSymbol}`)),
    `${painted(kind, word, colors)}${colors.dim(` · trace by ${verification.method}`)}: ${inert(facts[0] ?? '')}${replaced}`,
    ...warningLines(verification.warnings, colors),
    ...facts.slice(1).map(colors.dim),
  ].join('\n');
}

/** What an execution assumes or lacks, one line each. */
export const warningLines = (warnings: readonly string[] | undefined, colors: Colors): string[] =>
  (warnings ?? []).map((text) => colors.yellow(`warning: ${inert(text)}`));

const painted = (kind: ProofKind, word: string, colors: Colors): string =>
  kind === 'matches' ? colors.green(word) : colors.yellow(word);
