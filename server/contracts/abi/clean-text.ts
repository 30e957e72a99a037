import { abiItemSchema, type AbiItem } from '../../api/abi';
import { visibleText } from '../../api/visible-text';

const MAX_LABEL = 64;
const MAX_TEXT = 1_024;
const MAX_ITEMS = 10_000;

/** Untrusted text as a label; empty if it is no valid label. */
export function cleanLabel(text: string): string {
  if (text.length > MAX_TEXT) return '';
  return Array.from(visibleText(text)).slice(0, MAX_LABEL).join('');
}

/** The well-formed items of an untrusted ABI; undefined if it is not an ABI. */
export function readAbi(json: unknown): AbiItem[] | undefined {
  if (!Array.isArray(json) || json.length > MAX_ITEMS) return undefined;
  return json.flatMap((item) => abiItemSchema.safeParse(item).data ?? []);
}
