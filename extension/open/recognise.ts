import { parseBlockReference } from '../../server/api/chain-block';
import type { Hex } from '../../server/api/primitives';
import { parseSignature } from '../../server/client/abi-signature';
import { chainNamed } from './chain-names';
import { readExplorerLink } from './explorer-link';
import { onChain, type KnownChain, type Meaning } from './meaning';
import { rawTransactionHash } from './raw-transaction';

/** Characters of a text that are read. Call data is bounded by the service. */
export const MAX_TEXT = 300_000;
/** Values that are offered of a longer text. */
const MAX_FOUND = 10;
/** Longer texts name nothing as a whole. */
const MAX_SENTENCE = 5_000;
/** A name of ENS, of any script; other endings are names of the internet. */
const NAME = /^[^\s.:/()]+(?:\.[^\s.:/()]+)*\.eth$/iu;
const MARKS = new Set('"\'`<>,.; \t\r\n');

/** Everything that a pasted text may mean, the most likely first; empty if nothing can be opened. Never throws. */
export function recognise(input: string, chains: readonly KnownChain[]): Meaning[] {
  const text = withoutMarks(input.slice(0, MAX_TEXT));
  if (text === '') return [];
  const hex = asHex(text);
  if (hex !== undefined) return ofHex(hex);
  if (text.length > MAX_SENTENCE) return foundIn(text);
  const link = readExplorerLink(text, chains);
  if (link !== undefined) return [link];
  const [, name = '', rest = ''] = /^([a-z0-9][a-z0-9.-]{0,63})[:/](.+)$/i.exec(text) ?? [];
  const chain = name === '' ? undefined : chainNamed(name, chains);
  if (chain !== undefined) return recognise(rest, []).map((meaning) => onChain(meaning, chain));
  if (parseSignature(text, 'function')) return [{ kind: 'signature', signature: text }];
  if (NAME.test(text)) return [{ kind: 'name', name: text }];
  const block = blockOf(text);
  return block === undefined ? foundIn(text) : [{ kind: 'block', block }];
}

/** The text without the quotes and full stops around it. */
function withoutMarks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && MARKS.has(text.charAt(start))) start++;
  while (end > start && MARKS.has(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** With `0x`, in lower case. Hashes and addresses are often copied without it. */
function asHex(text: string): Hex | undefined {
  const value = text.toLowerCase().replace(/\s+/g, '');
  if (/^0x[0-9a-f]+$/.test(value)) return value as Hex;
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(value) ? `0x${value}` : undefined;
}

function ofHex(hex: Hex): Meaning[] {
  const digits = hex.length - 2;
  const block: Meaning[] = digits <= 12 ? [{ kind: 'block', block: BigInt(hex).toString() }] : [];
  if (digits === 8) return [{ kind: 'selector', selector: hex }, ...block];
  if (digits < 8 || digits % 2 === 1) return block;
  if (digits === 40) return [{ kind: 'address', address: hex }];
  if (digits === 64) return [{ kind: 'word', word: hex }];
  const hash = rawTransactionHash(hex);
  const raw: Meaning[] = hash === undefined ? [] : [{ kind: 'rawTransaction', raw: hex, hash }];
  const isWords = (digits - 8) % 64 === 0;
  if (hash !== undefined && !isWords) return raw;
  return [...raw, { kind: 'data', data: hex }, ...block];
}

/** `19,000,123`, `#19000123`, `block 19000123`, `latest`, `2024-01-13 11:20`. */
function blockOf(text: string): string | undefined {
  const plain = text
    .replace(/^(block\s*)?(number\s*)?#?\s*(?=[\da-z])/i, '')
    .replace(/(?<=\d)[,_](?=\d{3}(\D|$))/g, '');
  return parseBlockReference(plain) === undefined ? undefined : plain.toLowerCase();
}

/** The hashes, addresses, selectors and data of a longer text, such as a line of a log or a command. */
function foundIn(text: string): Meaning[] {
  const words = text.matchAll(/(?<![0-9a-z])0x[0-9a-f]{8,}(?![0-9a-z])/gi);
  const distinct = new Set([...words].map(([word]) => word.toLowerCase() as Hex));
  return [...distinct]
    .map((word) => ofHex(word).filter(({ kind }) => kind !== 'block'))
    .filter((meanings) => meanings.length > 0)
    .slice(0, MAX_FOUND)
    .flat();
}
