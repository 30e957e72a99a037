import type { StorageLayout } from '../../analysis/storage-layout';
import { elementaryType } from '../values/elementary';
import { unknownType, type SolidityType, type StructMember } from '../values/types';

type LayoutType = NonNullable<StorageLayout['types']>[string];

/** Types of a storage layout, for contracts without a syntax tree. */
export class LayoutTypes {
  readonly #structs = new Map<string, readonly StructMember[]>();

  constructor(private readonly layout: StorageLayout) {}

  of(id: string): SolidityType | undefined {
    const type = this.layout.types?.[id];
    if (!type) return undefined;
    const { encoding, label, base, key, value } = type;
    if (encoding === 'bytes') return elementaryType(label);
    if (encoding === 'mapping') {
      const keyType = this.of(key ?? '');
      const valueType = this.of(value ?? '');
      return keyType && valueType && { kind: 'mapping', key: keyType, value: valueType };
    }
    if (type.members) {
      return {
        ...{ kind: 'struct', name: plain(label), slots: slotsOf(type) },
        members: () => this.#membersOf(id, type),
      };
    }
    if (base !== undefined) {
      const element = this.of(base);
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
