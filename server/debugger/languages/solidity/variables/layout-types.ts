import type { StorageLayout } from '../../../../analysis/storage-layout';
import { elementaryType } from '../values/elementary';
import { unknownType, type SolidityType, type StructMember } from '../values/types';

type LayoutType = NonNullable<StorageLayout['types']>[string];

/** Arrays and mappings in each other. */
const MAX_DEPTH = 32;

/** Types of a storage layout, for contracts without a syntax tree. */
export class LayoutTypes {
  readonly #structs = new Map<string, readonly StructMember[]>();
  readonly #known = new Map<string, SolidityType | undefined>();

  constructor(private readonly layout: StorageLayout) {}

  /** @returns undefined for a type that the layout does not describe, or that contains itself other than by a struct */
  of(id: string, depth = 0): SolidityType | undefined {
    if (this.#known.has(id)) return this.#known.get(id);
    const type = this.layout.types?.[id];
    if (!type || depth > MAX_DEPTH) return undefined;
    // What the type consists of sees it as unknown.
    this.#known.set(id, undefined);
    const read = this.#read(id, type, depth);
    this.#known.set(id, read);
    return read;
  }

  #read(id: string, type: LayoutType, depth: number): SolidityType | undefined {
    const { encoding, label, base, key, value } = type;
    if (encoding === 'bytes') return elementaryType(label);
    if (encoding === 'mapping') {
      const keyType = this.of(key ?? '', depth + 1);
      const valueType = this.of(value ?? '', depth + 1);
      return keyType && valueType && { kind: 'mapping', key: keyType, value: valueType };
    }
    if (type.members) {
      return {
        kind: 'struct',
        name: plain(label),
        slots: slotsOf(type),
        members: () => this.#membersOf(id, type),
      };
    }
    if (base !== undefined) {
      const element = this.of(base, depth + 1);
      const length = /\[(\d+)\]$/.exec(label)?.[1];
      if (!element || (encoding !== 'dynamic_array' && length === undefined)) return undefined;
      return {
        kind: 'array',
        base: element,
        length: encoding === 'dynamic_array' ? undefined : BigInt(length ?? 0),
      };
    }
    return inPlace(type);
  }

  /** A type of the syntax tree with the slots of the layout, which are known also where a member of a struct is not. */
  withSlots(id: string, known: SolidityType): SolidityType {
    const type = this.layout.types?.[id];
    return known.kind === 'struct' && type ? { ...known, slots: slotsOf(type) } : known;
  }

  #membersOf(id: string, { members = [] }: LayoutType): readonly StructMember[] {
    const known = this.#structs.get(id);
    if (known) return known;
    const read = members.map(({ label, slot, offset, type }): StructMember => {
      const place = { name: label, slot: BigInt(slot), offset };
      const own = this.of(type);
      if (own) return { ...place, type: own };
      const reason = `the storage layout does not describe its type ${type}`;
      return { ...place, type: unknownType(type), unavailable: reason };
    });
    this.#structs.set(id, read);
    return read;
  }
}

/** Slots of a struct; undefined where its bytes are no number. */
const slotsOf = ({ numberOfBytes }: LayoutType): bigint | undefined =>
  /^[1-9][0-9]{0,79}$/.test(numberOfBytes) ? (BigInt(numberOfBytes) + 31n) / 32n : undefined;

const plain = (label: string): string => label.replace(/^(struct|enum|contract) /, '');

function inPlace({ label, numberOfBytes }: LayoutType): SolidityType {
  const bytes = Number(numberOfBytes);
  const elementary = elementaryType(label);
  if (elementary) return elementary;
  if (label.startsWith('enum '))
    return { kind: 'enum', name: plain(label), members: undefined, bytes };
  if (label.startsWith('contract ')) return { kind: 'contract', name: plain(label) };
  if (label.startsWith('function ')) {
    return { kind: 'function', name: label, isExternal: / external\b/.test(label) };
  }
  return { kind: 'other', name: label, bytes };
}
