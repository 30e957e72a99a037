import * as l10n from '@vscode/l10n';
import type { Action, SideId, Source } from '../../media/inspector/protocol';

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
    ...(typeof title === 'string' && title !== '' && { title }),
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

/** Of a fork its name, or where that is not known the ends of its id. */
function chainName(chain: string, forkName: string | undefined): string {
  if (forkName !== undefined) return forkName;
  return chain.startsWith('fork_')
    ? l10n.t('fork {0}', `${chain.slice(5, 9)}…${chain.slice(-4)}`)
    : chain;
}

/** What is known for the title of a panel. */
interface TitleFacts {
  /** The top call's method, or what it is in words. Any other text comes from no compiler: it is not shown. */
  method?: string | undefined;
  forkName?: string | undefined;
}

/** What the editor tab is called. */
export function panelTitle(source: Source, { method = '', forkName }: TitleFacts = {}): string {
  const isName = /^(?=.{1,60}$)[\w$]+(?: [\w$]+)*$/.test(method);
  const what = isName ? method : chainName(source.chain, forkName);
  if (source.kind === 'simulation') return source.title ?? l10n.t('simulation {0}', what);
  const { transaction } = source;
  return `${what} ${transaction.slice(0, 6)}…${transaction.slice(-4)}`;
}

/** What the editor tab of a comparison is called. @param forkNames of the sides that are on forks, as far as they are known */
export function comparisonTitle(
  sources: Readonly<Record<SideId, Source>>,
  forkNames: Partial<Record<SideId, string | undefined>> = {},
): string {
  const title = (side: SideId): string => panelTitle(sources[side], { forkName: forkNames[side] });
  return `${title('left')} ↔ ${title('right')}`;
}

/** Whether an action makes sense for what is shown: only what was sent has something in front of it, or can be tested against. */
export function canRun(action: Action, source: Source): boolean {
  return source.kind === 'transaction' || action === 'compareWith';
}
