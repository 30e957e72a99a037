import { keccak256 } from 'ethers';
import type { AccountChange } from '../../api/views';
import type { Address, Hash } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import { toWord } from '../../evm/forms/quantity';
import { executionSteps, type CallFrame } from '../call-frame';
import type { StorageLayout, StorageType } from '../storage-layout';

type SlotChange = AccountChange['storage'][number];
type NamedChange = NonNullable<SlotChange['variables']>[number];

/** A variable or an element of one, with its position in the slot. */
interface SlotMember {
  readonly name: string;
  readonly type: StorageType;
  readonly offset: number;
}

/** Limit of the hashes in the search for mapping keys; a hash takes about 10 microseconds. */
const MAX_HASHES = 30_000;
const MAX_ELEMENTS = 1_024;
/** Bounds for layouts by anyone, whose types may contain themselves. */
const MAX_VISITS = 200_000;
const MAX_DEPTH = 32;
/** Between two pauses. */
const VISITS_PER_YIELD = 256;
const WORDS_PER_YIELD = 1_024;
/** Of a value in a slot. */
const MAX_VALUE_BYTES = 32;
const MAX_ARRAY_SLOTS = 1n << 32n;

/**
 * Names the variables in changed slots. A slot does not contain the key of its mapping, so keys are searched for among the words of the
 * transaction. An entry stays unnamed if its key does not occur there.
 * @param keys possible keys, the likeliest first
 */
export function* nameSlotsWork(
  changes: readonly SlotChange[],
  layout: StorageLayout,
  keys: readonly Hash[],
): Work<SlotChange[]> {
  const search = new SlotSearch(
    layout,
    changes.map(({ slot }) => BigInt(slot)),
    keys,
  );
  yield* search.work();
  return changes.map((change) => {
    const variables = search
      .at(BigInt(change.slot))
      .flatMap((member) => toVariable(member, change) ?? []);
    return variables.length === 0 ? change : { ...change, variables };
  });
}

class SlotSearch {
  readonly #found = new Map<bigint, SlotMember[]>();
  #hashes = 0;
  #visits = 0;
  #depth = 0;

  constructor(
    private readonly layout: StorageLayout,
    private readonly wanted: readonly bigint[],
    private readonly keys: readonly Hash[],
  ) {}

  *work(): Work<void> {
    for (const { label, slot, offset, type } of this.layout.storage) {
      yield* this.#visit(label, type, BigInt(slot), offset);
    }
  }

  at(slot: bigint): readonly SlotMember[] {
    return this.#found.get(slot) ?? [];
  }

  *#visit(name: string, typeId: string, slot: bigint, offset: number): Work<void> {
    const type = this.layout.types?.[typeId];
    if (!type || ++this.#visits > MAX_VISITS || this.#depth >= MAX_DEPTH) return;
    if (this.#visits % VISITS_PER_YIELD === 0) yield VISITS_PER_YIELD;
    this.#depth++;
    yield* this.#visitType(name, type, slot, offset);
    this.#depth--;
  }

  *#visitType(name: string, type: StorageType, slot: bigint, offset: number): Work<void> {
    if (type.encoding === 'mapping') yield* this.#visitMapping(name, type, slot);
    else if (type.encoding === 'dynamic_array') yield* this.#visitList(name, type, slot);
    else if (type.members) {
      for (const { label, slot: inner, offset: at, type: member } of type.members) {
        yield* this.#visit(`${name}.${label}`, member, slot + BigInt(inner), at);
      }
    } else if (type.base !== undefined) {
      const length = Number(/\[(\d+)\]$/.exec(type.label)?.[1] ?? 0);
      for (let index = 0; index < Math.min(length, MAX_ELEMENTS); index++) {
        yield* this.#visitElement(name, type.base, slot, BigInt(index));
      }
    } else if (isValue(type)) this.#add(slot, { name, type, offset });
  }

  *#visitMapping(name: string, { key, value }: StorageType, slot: bigint): Work<void> {
    const keyType = key === undefined ? undefined : this.layout.types?.[key];
    if (keyType?.encoding !== 'inplace' || !isValue(keyType) || value === undefined) return;
    for (const word of this.keys) {
      if (this.#isComplete() || this.#hashes >= MAX_HASHES) return;
      const text = keyText(word, keyType);
      if (text === undefined) continue;
      this.#hashes++;
      yield 1;
      const entry = BigInt(keccak256(`${word}${toWord(slot).slice(2)}`));
      yield* this.#visit(`${name}[${text}]`, value, entry, 0);
    }
  }

  *#visitList(name: string, type: StorageType, slot: bigint): Work<void> {
    this.#add(slot, { name: `${name}.length`, type: LENGTH, offset: 0 });
    const element = type.base === undefined ? undefined : this.layout.types?.[type.base];
    if (!element || type.base === undefined) return;
    const start = BigInt(keccak256(toWord(slot)));
    const { perSlot, slots } = sizeOf(element);
    for (const wanted of this.wanted) {
      const distance = wanted - start;
      if (distance < 0n || distance >= MAX_ARRAY_SLOTS) continue;
      const first = (distance / slots) * perSlot;
      for (let index = first; index < first + perSlot; index++) {
        yield* this.#visitElement(name, type.base, start, index);
      }
    }
  }

  *#visitElement(name: string, typeId: string, start: bigint, index: bigint): Work<void> {
    const type = this.layout.types?.[typeId];
    if (!type) return;
    const { perSlot, slots, bytes } = sizeOf(type);
    const slot = start + (index / perSlot) * slots;
    yield* this.#visit(`${name}[${index}]`, typeId, slot, Number(index % perSlot) * bytes);
  }

  #add(slot: bigint, member: SlotMember): void {
    const members = this.#found.get(slot);
    if (!members) this.#found.set(slot, [member]);
    else if (members.every(({ name }) => name !== member.name)) members.push(member);
  }

  #isComplete(): boolean {
    return this.wanted.every((slot) => this.#found.has(slot));
  }
}

const LENGTH: StorageType = { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' };

const isValue = ({ numberOfBytes }: StorageType): boolean =>
  Number(numberOfBytes) <= MAX_VALUE_BYTES;

/** Elements of up to 16 bytes share a slot; each larger element starts a new one. */
function sizeOf(type: StorageType): { bytes: number; perSlot: bigint; slots: bigint } {
  const given = Number(type.numberOfBytes);
  // A layout by anyone may state no size.
  const bytes = Number.isSafeInteger(given) && given > 0 ? given : 32;
  return {
    bytes,
    perSlot: BigInt(Math.max(1, Math.floor(32 / bytes))),
    slots: BigInt(Math.ceil(bytes / 32)),
  };
}

/** A key in the notation of its type; undefined if the word is not of this type. */
function keyText(word: Hash, type: StorageType): string | undefined {
  const bytes = Number(type.numberOfBytes);
  const digits = word.slice(2);
  if (/^bytes\d+$/.test(type.label)) {
    return /^0*$/.test(digits.slice(bytes * 2)) ? `0x${digits.slice(0, bytes * 2)}` : undefined;
  }
  if (type.label.startsWith('int')) return valueText(BigInt(word), type);
  return /^0*$/.test(digits.slice(0, 64 - bytes * 2)) ? valueText(BigInt(word), type) : undefined;
}

function toVariable(
  { name, type, offset }: SlotMember,
  change: SlotChange,
): NamedChange | undefined {
  const [before, after] = [change.before, change.after].map((word) => {
    const value = BigInt(word) >> BigInt(offset * 8);
    return type.encoding === 'bytes' ? shortText(word, type) : valueText(value, type);
  });
  if (before === undefined || after === undefined || before === after) return undefined;
  const length = Number(type.numberOfBytes);
  return {
    name,
    type: type.label,
    before,
    after,
    ...(offset > 0 && { offset }),
    ...(type.encoding === 'inplace' && length > 0 && length < MAX_VALUE_BYTES && { length }),
  };
}

/** @param value may contain the variables to the left in the slot */
function valueText(value: bigint, { label, numberOfBytes }: StorageType): string {
  const bytes = Number(numberOfBytes);
  const own = BigInt.asUintN(bytes * 8, value);
  if (label === 'bool') return String(own !== 0n);
  if (/^(uint|enum )/.test(label)) return own.toString();
  if (label.startsWith('int')) return BigInt.asIntN(bytes * 8, value).toString();
  return `0x${own.toString(16).padStart(bytes * 2, '0')}`;
}

/**
 * Text and bytes of up to 31 bytes are in the slot itself, with twice the length in its last byte. The slot of longer ones contains only
 * the length.
 */
function shortText(word: string, { label }: StorageType): string {
  const length = Number(BigInt.asUintN(8, BigInt(word)));
  if (length % 2 === 1) return word;
  const bytes = word.slice(2, 2 + length);
  return label.startsWith('string') ? Buffer.from(bytes, 'hex').toString() : `0x${bytes}`;
}

/** Words of a trace that may be keys of mappings: accounts first, then words of call data, return data and logs. */
export function* keyCandidatesWork(root: CallFrame, limit = 5_000): Work<Hash[]> {
  const addresses = new Set<Address>();
  const words = new Set<Hash>();
  // Equal words do not count for the limit, and there may be millions of them.
  function* takeWork(data: string, from: number): Work<void> {
    let taken = 0;
    for (let at = from; at + 64 <= data.length && words.size < limit; at += 64) {
      words.add(`0x${data.slice(at, at + 64)}`);
      if (++taken % WORDS_PER_YIELD === 0) yield WORDS_PER_YIELD;
    }
  }
  for (const { frame, log } of executionSteps(root)) {
    if (words.size >= limit) break;
    yield 1;
    if (log) {
      for (const topic of log.topics.slice(1)) words.add(topic);
      yield* takeWork(log.data, 2);
    } else {
      addresses.add(frame.from);
      if (frame.to !== null) addresses.add(frame.to);
      yield* takeWork(frame.input, 10);
      yield* takeWork(frame.output, 2);
    }
  }
  const accounts = new Set([...addresses].map((address) => toWord(BigInt(address))));
  const isAddress = (word: Hash): boolean => /^0x0{24}(?!0{16})/.test(word);
  const all = [...words].filter((word) => !accounts.has(word));
  return [...accounts, ...all.filter(isAddress), ...all.filter((word) => !isAddress(word))];
}
