import * as l10n from '@vscode/l10n';
import type { DebuggedCall } from '../model/debugging';
import type { Action, SideId, Source } from '../../media/inspector/protocol/protocol';
import { isObject } from '../../server/client/is-object';

/** A transaction hash, lower case. */
export const HASH = /^0x[0-9a-f]{64}$/;

/** The source in a webview's saved state; undefined for an invalid state or one of an older version. */
export function parseSource(state: unknown): Source | undefined {
  if (!isObject(state) || !isObject(state['source'])) return undefined;
  const { kind, chain, transaction, request, title } = state['source'];
  if (typeof chain !== 'string' || chain === '') return undefined;
  if (kind === 'transaction') {
    if (typeof transaction !== 'string' || !HASH.test(transaction)) return undefined;
    return { kind, chain, transaction };
  }
  // The service validates the rest of the request.
  if (kind !== 'simulation' || !isObject(request) || typeof request['from'] !== 'string') {
    return undefined;
  }
  return {
    kind,
    chain,
    request: { ...request, from: request['from'] },
    ...(typeof title === 'string' && title !== '' && { title }),
  };
}

/** Identifies a panel: each source has one. */
export function sourceKey(source: Source): string {
  return source.kind === 'transaction'
    ? `${source.chain} ${source.transaction}`
    : JSON.stringify([source.chain, source.request, source.title]);
}

/** Text for the log. It leaves out the content of a simulation, which may be confidential. */
export function sourceText(source: Source): string {
  const what = source.kind === 'transaction' ? source.transaction : 'a simulation';
  return `${what} on ${source.chain}`;
}

/** The chain's slug, or the name of a fork; if the name is unknown, the shortened id. */
function chainName(chain: string, forkName: string | undefined): string {
  if (forkName !== undefined) return forkName;
  return chain.startsWith('fork_')
    ? l10n.t('fork {0}', `${chain.slice(5, 9)}…${chain.slice(-4)}`)
    : chain;
}

/** Known parts of a panel's title. */
interface TitleFacts {
  /** The top call's method or a description in words. Any other text does not come from a compiler and is not shown. */
  method?: string | undefined;
  forkName?: string | undefined;
}

/** Title of the editor tab. */
export function panelTitle(source: Source, { method = '', forkName }: TitleFacts = {}): string {
  const isName = /^(?=.{1,60}$)[\w$]+(?: [\w$]+)*$/.test(method);
  const what = isName ? method : chainName(source.chain, forkName);
  if (source.kind === 'simulation') return source.title ?? l10n.t('simulation {0}', what);
  const { transaction } = source;
  return `${what} ${transaction.slice(0, 6)}…${transaction.slice(-4)}`;
}

/** Title of a comparison's editor tab. @param forkNames names of the sides that are on forks, if known */
export function comparisonTitle(
  sources: Readonly<Record<SideId, Source>>,
  forkNames: Partial<Record<SideId, string | undefined>> = {},
): string {
  const title = (side: SideId): string => panelTitle(sources[side], { forkName: forkNames[side] });
  return `${title('left')} ↔ ${title('right')}`;
}

/** What a debugger of the source debugs. */
export const subjectOf = (source: Source): DebuggedCall['subject'] =>
  source.kind === 'transaction'
    ? { chain: source.chain, transaction: source.transaction }
    : { chain: source.chain, request: source.request };

/** Whether an action applies to a source: a simulation has no preceding state to fork and cannot be tested against. */
export const canRun = (action: Action, source: Source): boolean =>
  source.kind === 'transaction' || OF_SIMULATIONS.includes(action);

const OF_SIMULATIONS: readonly Action[] = ['compareWith', 'debugTransaction', 'saveAsCase'];
