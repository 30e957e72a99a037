import type { Invocation } from '../../../server/api/explorer';

/** What was sent, selector and arguments; of a creation the init code. `0x` hex. */
export function wholeCallData({ selector, callData }: Invocation): string {
  const start = selector.startsWith('0x') ? selector : '0x';
  return start + callData.replace(/^0x/, '');
}
