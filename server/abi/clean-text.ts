import { abiItemSchema, type AbiItem } from '../api/abi';
import { visibleText } from '../api/visible-text';

const MAX_LABEL = 64;
const MAX_TEXT = 1_024;
const MAX_ITEMS = 10_000;

/** Text of a stranger as a label; empty where it is no label at all. */
export function cleanLabel(text: string): string {
  if (text.length > MAX_TEXT) return '';
  return Array.from(visibleText(text)).slice(0, MAX_LABEL).join('');
}

/** The items of a stranger's ABI that are of the right form; undefined where it is no ABI at all. */
export function readAbi(json: unknown): AbiItem[] | undefined {
  if (!Array.isArray(json) || json.length > MAX_ITEMS) return undefined;
  return json.flatMap((item) => abiItemSchema.safeParse(item).data ?? []);
}
