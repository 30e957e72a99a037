import type { RawData } from 'ws';

/** The text of a WebSocket message, whichever way the library gives it. */
export function messageText(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.from(data as ArrayBuffer).toString('utf8');
}
