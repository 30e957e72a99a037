import type { IncomingMessage } from 'node:http';
import { parseJson } from '../../evm/forms/rpc-message';
import { isChange } from '../../forks/address/fork-call';

/** Whether a request has the same effect if it is executed twice. @param body undefined: it is too long to be known */
export function isRepeatable(
  { method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>,
  body: Buffer | undefined,
): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  if (!url.startsWith('/rpc/') || body === undefined) return false;
  try {
    const message = parseJson(body.toString());
    return !(Array.isArray(message) ? message : [message]).some(isChange);
  } catch {
    return false;
  }
}
