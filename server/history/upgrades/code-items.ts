import { keccak256, toBeHex, toUtf8Bytes } from 'ethers';
import type { AddressSource } from '../../api/contract-source';
import type { NewCode } from '../../api/new-code';
import type { UpgradeItem } from '../../api/upgrade-check';

/** EIP-170. */
const MAX_CODE = 24_576;
/** More than any contract has. Each is searched in the whole code. */
const MAX_NAMESPACES = 200;

/** Size and immutables of new code. @param old of the implementation */
export function codeItems(
  { code, immutables }: NewCode,
  old: AddressSource['implementation'],
): UpgradeItem[] {
  const bytes = (code.length - 2) / 2;
  const size = `the new code has ${bytes} bytes; the limit is ${MAX_CODE} (EIP-170)`;
  const items: UpgradeItem[] = [
    { level: bytes > MAX_CODE ? 'error' : 'info', subject: 'code', text: size },
  ];
  const known = old?.source?.immutables ?? [];
  for (const { name, value } of known) {
    const isKept = immutables.some((one) => one.name === name);
    if (name === '' || isKept) continue;
    const text = `the immutable ${name} is gone; its value is ${value}`;
    items.push({ level: 'warning', subject: 'immutables', text });
  }
  if (immutables.length > 0) {
    const names = immutables.map(({ name }) => name || 'one without a name').join(', ');
    const text = `the constructor of the new code sets immutables (${names}): the artifact does not say to what`;
    items.push({ level: 'unknown', subject: 'immutables', text });
  }
  return items;
}

/** Namespaces of ERC-7201 that the old source names: the new code has to name them, or to have their slots. */
export function namespaceItems(
  { code, namespaces }: NewCode,
  old: AddressSource['implementation'],
): UpgradeItem[] {
  const texts = (old?.source?.files ?? []).flatMap(({ content }) => content ?? []);
  const found = texts.flatMap((text) =>
    Array.from(
      text.matchAll(/@custom:storage-location\s+erc7201:([\w.$-]+)/g),
      ([, name]) => name ?? '',
    ),
  );
  const [names, known] = [[...new Set(found)], new Set(namespaces)];
  const items = names.slice(0, MAX_NAMESPACES).flatMap((name): UpgradeItem[] => {
    const slot = slotOfNamespace(name);
    if (code.includes(slot.slice(2))) return [];
    const isNamed = known.has(name);
    const text = isNamed
      ? `the namespace ${name} is named, and its slot is not in the new code as one number: whether it is used was not checked`
      : `the namespace ${name} is gone: neither is it named, nor is its slot in the new code`;
    return [{ level: isNamed ? 'unknown' : 'error', subject: 'namespaces', text, slot }];
  });
  if (names.length <= MAX_NAMESPACES) return items;
  const text = `only the first ${MAX_NAMESPACES} of ${names.length} namespaces were checked`;
  return items.concat({ level: 'unknown', subject: 'namespaces', text });
}

/** ERC-7201. */
export function slotOfNamespace(name: string): string {
  const inner = BigInt(keccak256(toUtf8Bytes(name))) - 1n;
  const outer = BigInt(keccak256(toBeHex(inner, 32)));
  return toBeHex(outer & ~0xffn, 32);
}
