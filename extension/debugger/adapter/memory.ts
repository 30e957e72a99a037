import { Buffer } from 'node:buffer';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { BytesOf, RecordedTransaction } from './recorded-transaction';

const KINDS: readonly string[] = ['memory', 'calldata', 'returndata'] satisfies BytesOf[];
const A_REQUEST = 65_536;
const MOST = 4 * 1_048_576;

/** Names bytes of a call at the step of the debugger, so that an open view follows it. */
export const bytesReference = (of: BytesOf, call: number): string => `${of}:${call}`;

/** Bytes at a step. What is not there counts as unreadable. */
export async function readMemory(
  recorded: RecordedTransaction,
  step: number,
  { memoryReference, offset = 0, count }: DebugProtocol.ReadMemoryArguments,
): Promise<DebugProtocol.ReadMemoryResponse['body']> {
  const address = `0x${Math.max(0, offset).toString(16)}`;
  const [, of = '', call = ''] = /^([a-z]+):([0-9]{1,9})$/.exec(memoryReference) ?? [];
  if (!KINDS.includes(of) || offset < 0 || count <= 0) {
    return { address, unreadableBytes: Math.max(0, count) };
  }
  const wanted = Math.min(count, MOST);
  const parts: Buffer[] = [];
  for (let read = 0; read < wanted;) {
    const { data } = await recorded.bytes(step, {
      of: of as BytesOf,
      call: Number(call),
      offset: offset + read,
      length: Math.min(A_REQUEST, wanted - read),
    });
    const part = Buffer.from(data.slice(2), 'hex');
    if (part.length === 0) break;
    parts.push(part);
    read += part.length;
  }
  const bytes = Buffer.concat(parts);
  return { address, data: bytes.toString('base64'), unreadableBytes: count - bytes.length };
}
