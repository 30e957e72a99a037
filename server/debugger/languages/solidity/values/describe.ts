import type { Variable, Variables } from '../../../../api/recording';
import { toWord } from '../../../../evm/forms/quantity';
import {
  bytesOf,
  elementOf,
  entryOf,
  lengthOf,
  memberOf,
  readable,
  type Reference,
} from './access';
import { mappingKeys, type MappingKey } from './mapping-keys';
import type { Assumptions } from './assumptions';
import type { State } from './state';
import { storageValue } from './storage-values';
import { isReference, packedBytes, slotsOfType, typeName, type MappingType } from './types';
import { Unavailable } from '../../port/unavailable';
import type { Origin, StoragePlace, Value } from './value';
import { bytesText, wordFault, wordHex, wordText, type FunctionNames } from './words';

/** What values are shown with. */
export interface Surroundings {
  readonly state: State;
  /** The same without slots that the transaction does not touch: those do not change. */
  readonly touched: State;
  /** Notes what is read from these states. */
  readonly assumptions: Assumptions;
  /** Storage is compared with this state. */
  readonly previous: State;
  /** Keys of a mapping that were used, as hex digits. */
  readonly keysOf: (place: StoragePlace, type: MappingType) => readonly string[];
  readonly functions: FunctionNames;
}

/** How a value is found again. */
export interface Path {
  /** Begins references, such as `state`. */
  readonly scope: string;
  readonly expression: string;
}

interface Child {
  readonly name: string;
  readonly path: Path;
  readonly read: (state: State) => Value;
}

/** Bytes of a text that are shown. */
const SHOWN_BYTES = 4_096;
const SLOT_BYTES = 32;
const PREVIEW_ITEMS = 8;
const PREVIEW_LENGTH = 120;
/** Members that are compared to find whether a whole changed. */
const COMPARED = 256;
const MAX_REFERENCE = 2_000;

export const MAX_CHILDREN = 1_000;

/** @param path undefined where nothing can find it again */
export function describe(
  name: string,
  value: Value,
  path: Path | undefined,
  around: Surroundings,
): Variable {
  const base = { name, type: typeName(value.type), ...wholePlace(value), ...pathOf(value, path) };
  try {
    if (value.kind === 'missing') return { ...base, value: '', unavailable: value.reason };
    const children = value.kind === 'reference' ? countOf(value, around) : undefined;
    return {
      ...base,
      value: textOf(value, around),
      ...(value.kind === 'word' && { raw: wordHex(value.word) }),
      ...(children !== undefined && { children }),
      ...changeOf(value, around),
    };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { ...base, value: '', unavailable: error.message };
  }
}

function placeOf(value: Value): Partial<Variable> {
  const origin: Origin | undefined =
    value.kind === 'reference' ? originOf(value) : (value.origin ?? undefined);
  if (!origin) return {};
  if (!('slot' in origin)) return { location: origin.in };
  const { in: location, address, slot, offset } = origin;
  const length = isReference(value.type) ? SLOT_BYTES : packedBytes(value.type);
  return {
    location,
    address,
    slot: toWord(slot),
    ...(offset > 0 && { offset }),
    ...(length < SLOT_BYTES && { length }),
  };
}

/** The place with its slots. Where their number is not known there is no place: the first slot alone is not the value. */
function wholePlace(value: Value): Partial<Variable> {
  const { type } = value;
  const place = placeOf(value);
  if (place.slot === undefined || !isReference(type)) return place;
  try {
    const slots = Number(slotsOfType(type));
    return slots > 1 ? { ...place, slots: Math.min(slots, Number.MAX_SAFE_INTEGER) } : place;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { location: place.location };
  }
}

function originOf({ place }: Reference): Origin | undefined {
  if (place.in === 'calldata') return place.data === undefined ? { in: 'calldata' } : undefined;
  return place.in === 'memory' ? { in: place.in } : place;
}

function pathOf(value: Value, path: Path | undefined): Partial<Variable> {
  if (!path || path.expression.length > MAX_REFERENCE) return {};
  const isExpandable =
    value.kind === 'reference' && value.type.kind !== 'bytes' && value.type.kind !== 'string';
  return {
    expression: path.expression,
    ...(isExpandable && { reference: `${path.scope}:${path.expression}` }),
  };
}

/** @throws Unavailable */
function countOf(value: Reference, around: Surroundings): number | undefined {
  const { type } = value;
  if (type.kind === 'bytes' || type.kind === 'string') return undefined;
  if (type.kind === 'struct') return type.members().length;
  if (type.kind === 'mapping') return keysOf(value, around).length;
  return Number(lengthOf(around.state, value));
}

function keysOf({ type, place }: Reference, { keysOf: used }: Surroundings): MappingKey[] {
  if (type.kind !== 'mapping' || !('slot' in place)) return [];
  return mappingKeys(type.key, used(place, type));
}

/** @throws Unavailable */
function textOf(value: Exclude<Value, { kind: 'missing' }>, around: Surroundings): string {
  if (value.kind === 'word') {
    const fault = wordFault(value.type, value.word);
    if (fault !== undefined) throw new Unavailable(fault);
    return wordText(value.type, value.word, around.functions);
  }
  const { type } = value;
  if (value.kind === 'data')
    return bytesText(type.kind === 'string' ? 'string' : 'bytes', value.data);
  if (type.kind === 'bytes' || type.kind === 'string') {
    const { length, data } = bytesOf(around.state, value, SHOWN_BYTES);
    const text = bytesText(type.kind, data);
    return BigInt(data.length) < length
      ? `${text} and ${length - BigInt(data.length)} bytes more`
      : text;
  }
  return preview(value, around);
}

/** `{a: 1, b: 2}` or `[1, 2]` where all members are short values; else their number. */
function preview(value: Reference, around: Surroundings): string {
  const { type } = value;
  const total = countOf(value, around) ?? 0;
  if (type.kind === 'mapping') return `${total} known ${total === 1 ? 'key' : 'keys'}`;
  const isStruct = type.kind === 'struct';
  const isTuple = isStruct && type.isTuple === true;
  const long = isStruct ? `${total} members` : `${total} ${total === 1 ? 'element' : 'elements'}`;
  if (total > PREVIEW_ITEMS) return long;
  const items = childrenOf(value, undefined, around, 0, total).map(({ name, read }) => {
    const child = read(around.state);
    if (child.kind !== 'word' || wordFault(child.type, child.word) !== undefined) return undefined;
    const text = wordText(child.type, child.word, around.functions);
    return isStruct && !name.startsWith('[') ? `${name}: ${text}` : text;
  });
  if (items.includes(undefined)) return long;
  const list = items.join(', ');
  const text = isTuple ? `(${list})` : isStruct ? `{${list}}` : `[${list}]`;
  return text.length > PREVIEW_LENGTH ? long : text;
}

/** The members, elements or known entries of a value. */
export function describeChildren(
  value: Value,
  path: Path,
  around: Surroundings,
  start: number,
  count: number,
): Variables {
  if (value.kind !== 'reference') return { variables: [], total: 0 };
  const { assumptions, state } = around;
  const [total, assumption] = assumptions.of(() => countOf(value, around) ?? 0);
  const children = childrenOf(value, path, around, start, Math.min(count, MAX_CHILDREN));
  return {
    total,
    variables: children.map(({ name, read, path: own }) =>
      assumptions.variable(() => describe(name, read(state), own, around)),
    ),
    ...(assumption !== undefined && { assumption }),
  };
}

function childrenOf(
  value: Reference,
  path: Path | undefined,
  around: Surroundings,
  start: number,
  count: number,
): Child[] {
  const { scope, expression } = path ?? { scope: '', expression: '' };
  const { type } = value;
  if (type.kind === 'struct') {
    const members = type.members().slice(start, start + count);
    return members.map(({ name, type: member }) => ({
      name,
      path: { scope, expression: `${expression}${name.startsWith('[') ? '' : '.'}${name}` },
      read: (state) => readable(member, () => memberOf(state, value, name)),
    }));
  }
  if (type.kind === 'mapping') {
    const keys = keysOf(value, around).slice(start, start + count);
    return keys.map(({ text, key }) => ({
      name: `[${text}]`,
      path: { scope, expression: `${expression}[${text}]` },
      read: (state) => readable(type.value, () => entryOf(state, value, key)),
    }));
  }
  if (type.kind !== 'array') return [];
  const total = Number(lengthOf(around.state, value));
  const shown = Math.max(0, Math.min(count, total - start));
  return Array.from({ length: shown }, (_, index) => ({
    name: `[${start + index}]`,
    path: { scope, expression: `${expression}[${start + index}]` },
    read: (state) => readable(type.base, () => elementOf(state, value, BigInt(start + index))),
  }));
}

function changeOf(value: Value, around: Surroundings): Partial<Variable> {
  const { state, touched, previous } = around;
  if (value.kind === 'word') {
    const { origin } = value;
    if (!origin || !('slot' in origin)) return {};
    if (storageValue(touched, value.type, origin).kind === 'missing') return { changed: false };
    const before = storageValue(previous, value.type, origin);
    if (before.kind !== 'word' || before.word === value.word) return { changed: false };
    return { changed: true, before: wordText(before.type, before.word, around.functions) };
  }
  if (value.kind !== 'reference' || !('slot' in value.place)) return {};
  const { type } = value;
  if (type.kind === 'bytes' || type.kind === 'string') {
    const { kind } = type;
    if (!isTouched(value, touched)) return { changed: false };
    const [now, before] = [state, previous].map((one) => readText(kind, value, one));
    if (before === undefined) return {};
    return now === before ? { changed: false } : { changed: true, before };
  }
  const budget = { left: COMPARED };
  const changed = differs(value, around, budget);
  return changed || budget.left > 0 ? { changed } : {};
}

function readText(kind: 'bytes' | 'string', value: Reference, state: State): string | undefined {
  try {
    return bytesText(kind, bytesOf(state, value, SHOWN_BYTES).data);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return undefined;
  }
}

/** Whether a member in storage differs from the previous state. */
function differs(value: Reference, around: Surroundings, budget: { left: number }): boolean {
  const { touched, previous } = around;
  const length = readLength(value, touched);
  if (length !== undefined && length !== readLength(value, previous)) return true;
  return childrenOf(value, undefined, around, 0, budget.left).some(({ read }) => {
    if (--budget.left <= 0) return false;
    const now = read(touched);
    if (now.kind === 'word') {
      const before = read(previous);
      return before.kind === 'word' && before.word !== now.word;
    }
    if (now.kind !== 'reference') return false;
    const { kind } = now.type;
    if (kind !== 'bytes' && kind !== 'string') return differs(now, around, budget);
    if (!isTouched(now, touched)) return false;
    const before = readText(kind, now, previous);
    return before !== undefined && before !== readText(kind, now, around.state);
  });
}

/** Whether the transaction touches a text: its length is read before its bytes are. */
function isTouched(value: Reference, touched: State): boolean {
  try {
    bytesOf(touched, value, 0);
    return true;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return false;
  }
}

function readLength(value: Reference, state: State): bigint | undefined {
  if (value.type.kind !== 'array') return undefined;
  try {
    return lengthOf(state, value);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return undefined;
  }
}
