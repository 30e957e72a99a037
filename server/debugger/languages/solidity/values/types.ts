/** A type whose values take one word of the stack (external functions: two). */
export type ValueType =
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'bool' }
  | { readonly kind: 'address'; readonly isPayable: boolean }
  | { readonly kind: 'fixedBytes'; readonly length: number }
  | { readonly kind: 'contract'; readonly name: string }
  | EnumType
  | UserDefinedType
  | { readonly kind: 'function'; readonly isExternal: boolean; readonly name: string }
  | { readonly kind: 'other'; readonly name: string; readonly bytes: number };

export interface EnumType {
  readonly kind: 'enum';
  readonly name: string;
  /** undefined where only the storage layout is known. */
  readonly members: readonly string[] | undefined;
  readonly bytes: number;
}

export interface UserDefinedType {
  readonly kind: 'userDefined';
  readonly name: string;
  readonly underlying: ValueType;
  /** Of its definition in the syntax tree: types of several files may have one name. */
  readonly id?: number | undefined;
}

export type BytesType = { readonly kind: 'bytes' } | { readonly kind: 'string' };

export interface ArrayType {
  readonly kind: 'array';
  readonly base: SolidityType;
  /** undefined: dynamic. */
  readonly length: bigint | undefined;
}

export interface StructType {
  readonly kind: 'struct';
  readonly name: string;
  /** Several results of a function: those without a name are named by their index, such as `[0]`. */
  readonly isTuple?: true;
  /**
   * A function, since a struct may contain itself in a list or a mapping.
   * @throws Unavailable where the places of the members are not known
   */
  readonly members: () => readonly StructMember[];
  /** In storage, by the compiler's layout; undefined: counted by the members. */
  readonly slots?: bigint | undefined;
}

export interface StructMember {
  readonly name: string;
  readonly type: SolidityType;
  /** In storage, relative to the struct's first slot. */
  readonly slot: bigint;
  /** Bytes from the right end of the slot. */
  readonly offset: number;
  /** Why it cannot be read. */
  readonly unavailable?: string;
}

export interface MappingType {
  readonly kind: 'mapping';
  readonly key: SolidityType;
  readonly value: SolidityType;
}

export type ReferenceType = BytesType | ArrayType | StructType | MappingType;
export type SolidityType = ValueType | ReferenceType;
export type DataLocation = 'storage' | 'memory' | 'calldata';

/** Of a variable whose type this reader does not know. @param name as the compiler writes it */
export const unknownType = (name: string): ValueType => ({ kind: 'other', name, bytes: 32 });

export const UINT256: ValueType = { kind: 'uint', bits: 256 };
export const BOOL: ValueType = { kind: 'bool' };
export const ADDRESS: ValueType = { kind: 'address', isPayable: false };
export const BYTES32: ValueType = { kind: 'fixedBytes', length: 32 };
export const BYTE: ValueType = { kind: 'fixedBytes', length: 1 };
export const BYTES: BytesType = { kind: 'bytes' };
export const STRING: BytesType = { kind: 'string' };

const REFERENCES: ReadonlySet<string> = new Set(['bytes', 'string', 'array', 'struct', 'mapping']);

export const isReference = (type: SolidityType): type is ReferenceType => REFERENCES.has(type.kind);

/** As written in Solidity. */
export function typeName(type: SolidityType): string {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return `${type.kind}${type.bits}`;
    case 'address':
      return type.isPayable ? 'address payable' : 'address';
    case 'fixedBytes':
      return `bytes${type.length}`;
    case 'array':
      return `${typeName(type.base)}[${type.length ?? ''}]`;
    case 'mapping':
      return `mapping(${typeName(type.key)} => ${typeName(type.value)})`;
    case 'bool':
    case 'bytes':
    case 'string':
      return type.kind;
    default:
      return type.name;
  }
}

const WORD = 32;

/** Bytes that a value takes in storage; packed where possible (Solidity documentation, "Layout of State Variables in Storage"). */
export function packedBytes(type: ValueType): number {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return type.bits / 8;
    case 'bool':
      return 1;
    case 'address':
    case 'contract':
      return 20;
    case 'fixedBytes':
      return type.length;
    case 'userDefined':
      return packedBytes(type.underlying);
    case 'function':
      return type.isExternal ? 24 : 8;
    case 'enum':
    case 'other':
      return type.bytes;
  }
}

/**
 * Slots of a type that starts at a slot of its own: every reference type, and arrays' elements above 16 bytes.
 * @throws Unavailable where the members of a struct are not known, nor its slots by the layout
 */
export function slotsOfType(type: SolidityType): bigint {
  if (type.kind === 'struct') {
    if (type.slots !== undefined) return type.slots;
    const last = type.members().at(-1);
    return last ? last.slot + slotsOfType(last.type) : 1n;
  }
  if (type.kind !== 'array' || type.length === undefined) return 1n;
  const perSlot = elementsPerSlot(type.base);
  const slots =
    perSlot > 1n ? (type.length + perSlot - 1n) / perSlot : type.length * slotsOfType(type.base);
  return slots === 0n ? 1n : slots;
}

export const elementsPerSlot = (base: SolidityType): bigint =>
  isReference(base) ? 1n : BigInt(Math.floor(WORD / packedBytes(base)));

/** Places variables one after another, as a contract's or a struct's storage does. @param first slot of the first one */
export function placeInStorage<T extends { readonly type: SolidityType }>(
  variables: readonly T[],
  first = 0n,
): (T & { slot: bigint; offset: number })[] {
  let slot = first;
  let offset = 0;
  return variables.map((variable) => {
    const { type } = variable;
    const size = isReference(type) ? WORD : packedBytes(type);
    if (offset + size > WORD || (isReference(type) && offset > 0)) {
      slot++;
      offset = 0;
    }
    const placed = { ...variable, slot, offset };
    if (isReference(type)) slot += slotsOfType(type);
    else offset += size;
    return placed;
  });
}

/** Words of the stack. */
export function stackWords(type: SolidityType, location: DataLocation | undefined): number {
  if (type.kind === 'function') return type.isExternal ? 2 : 1;
  const isDynamic =
    type.kind === 'bytes' ||
    type.kind === 'string' ||
    (type.kind === 'array' && type.length === undefined);
  return isDynamic && location === 'calldata' ? 2 : 1;
}
