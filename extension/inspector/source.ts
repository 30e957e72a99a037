import * as l10n from '@vscode/l10n';
import type { Action, Source } from '../../media/inspector/protocol';

const HASH = /^0x[0-9a-f]{64}$/;

/** The source in a webview's saved state; undefined where the state is not one of ours, or of an older version. */
export function parseSource(state: unknown): Source | undefined {
  if (!isObject(state) || !isObject(state['source'])) return undefined;
  const { kind, chain, transaction, request, title } = state['source'];
  if (typeof chain !== 'string' || chain === '') return undefined;
  if (kind === 'transaction') {
    if (typeof transaction !== 'string' || !HASH.test(transaction)) return undefined;
    return { kind, chain, transaction };
  }
  // What of a request is wrong, the service says.
  if (kind !== 'simulation' || !isObject(request) || typeof request['from'] !== 'string') {
    return undefined;
  }
  return {
    ...{ kind, chain },
    request: { ...request, from: request['from'] },
    ...(typeof title === 'string' && { title }),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** One panel per source. */
export function sourceKey(source: Source): string {
  return source.kind === 'transaction'
    ? `${source.chain} ${source.transaction}`
    : JSON.stringify([source.chain, source.request, source.title]);
}

/** For the log: a simulation may hold what the user keeps to himself. */
export function sourceText(source: Source): string {
  const what = source.kind === 'transaction' ? source.transaction : 'a simulation';
  return `${what} on ${source.chain}`;
}

/**
 * What the editor tab is called.
 * @param method the top call's method, or what it is in words, where it is known. Any other text comes from no compiler: it is not shown
 */
export function panelTitle(source: Source, method = ''): string {
  const what = /^(?=.{1,60}$)[\w$]+(?: [\w$]+)*$/.test(method) ? method : source.chain;
  if (source.kind === 'simulation') return source.title ?? l10n.t('simulation {0}', what);
  const { transaction } = source;
  return `${what} ${transaction.slice(0, 6)}…${transaction.slice(-4)}`;
}

/** Whether an action makes sense for what is shown: only what was sent has something in front of it, or can be tested against. */
export function canRun(action: Action, source: Source): boolean {
  return source.kind === 'transaction' || action === 'compareWith';
}
