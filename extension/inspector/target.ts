import type { Flow, Target } from '../../media/inspector/protocol';

const HASH = /^0x[0-9a-f]{64}$/;

/** The target in a webview's saved state; undefined where the state is not one of ours, or of an older version. */
export function parseTarget(state: unknown): Target | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  if (!('chain' in state) || !('transaction' in state)) return undefined;
  const { chain, transaction } = state;
  if (typeof chain !== 'string' || typeof transaction !== 'string') return undefined;
  return chain !== '' && HASH.test(transaction) ? { chain, transaction } : undefined;
}

/** One panel per target. A slug has no blank. */
export function targetKey({ chain, transaction }: Target): string {
  return `${chain} ${transaction}`;
}

/** The top call's method, where it is decoded. A name that is no identifier comes from no compiler: it is not shown. */
export function topMethod({ rows: [top] }: Flow): string | undefined {
  const name = top?.nodeType === 0 ? top.invocation.decodedMethod?.name : undefined;
  return name !== undefined && /^[\w$]{1,60}$/.test(name) ? name : undefined;
}

/** What the editor tab is called. @param method the top call's method, where it is known */
export function panelTitle({ chain, transaction }: Target, method?: string): string {
  return `${method ?? chain} ${transaction.slice(0, 6)}…${transaction.slice(-4)}`;
}
