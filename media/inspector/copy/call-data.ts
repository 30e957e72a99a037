import type { Invocation } from '../../../server/api/explorer';

/** The full input of a call, selector and arguments; for a creation the init code. `0x` hex. */
export function wholeCallData({ selector, callData }: Invocation): string {
  const start = selector.startsWith('0x') ? selector : '0x';
  return start + callData.replace(/^0x/, '');
}
