import type { ParamType } from 'ethers';
import type { Hex } from '../api/primitives';

/** Hex digits of a word. */
const WORD = 64;
/** In front of what a number of JavaScript holds exactly. */
const SMALL = '0'.repeat(52);

/**
 * Whether data is exactly as long as an ABI encoding with its lengths: each word is part of one value. Takes no longer than the data
 * is long, whatever the types are: signatures come from anybody, and `uint256[1000000000]` alone would fill the memory of a coder.
 * @param from index of the data's first digit
 */
export function isWhole(types: readonly ParamType[], text: Hex, from: number): boolean {
  const words = (text.length - from) / WORD;
  return Number.isInteger(words) && new Words(text, from, words).take(types, 0) === words;
}

/** Words of encoded data, by their number from the first. */
class Words {
  constructor(
    private readonly text: Hex,
    private readonly from: number,
    private readonly count: number,
  ) {}

  /** Words that values beside each other take, with all that they point to; more than there are where that cannot be. */
  take(types: readonly ParamType[], base: number): number {
    let head = base;
    let taken = 0;
    for (const type of types) {
      taken += isDynamic(type) ? 1 + this.pointed(type, base, head) : staticWords(type);
      head += isDynamic(type) ? 1 : staticWords(type);
      if (taken > this.count) return Infinity;
    }
    return taken;
  }

  private pointed(type: ParamType, base: number, head: number): number {
    return this.tail(type, base + this.number(head) / 32);
  }

  private tail(type: ParamType, at: number): number {
    const { arrayLength, arrayChildren, components } = type;
    if (components) return this.take(components, at);
    if (!arrayChildren) return 1 + Math.ceil(this.number(at) / 32);
    if (arrayLength !== -1) return this.items(arrayChildren, arrayLength ?? 0, at);
    return 1 + this.items(arrayChildren, this.number(at), at + 1);
  }

  private items(type: ParamType, length: number, base: number): number {
    if (!isDynamic(type)) return length * Math.max(1, staticWords(type));
    let taken = length;
    for (let i = 0; i < length; i++) {
      if (taken > this.count) return Infinity;
      taken += this.pointed(type, base, base + i);
    }
    return taken;
  }

  /** Infinite where there is no such word, or where it holds more than any data is long. */
  private number(at: number): number {
    const start = this.from + at * WORD;
    if (!Number.isInteger(at) || at >= this.count || !this.text.startsWith(SMALL, start)) {
      return Infinity;
    }
    return parseInt(this.text.slice(start + SMALL.length, start + WORD), 16);
  }
}

const dynamic = new WeakMap<ParamType, boolean>();
function isDynamic(type: ParamType): boolean {
  const known = dynamic.get(type);
  if (known !== undefined) return known;
  const { type: name, arrayLength, arrayChildren, components } = type;
  const found = components
    ? components.some(isDynamic)
    : arrayChildren
      ? arrayLength === -1 || isDynamic(arrayChildren)
      : name === 'bytes' || name === 'string';
  dynamic.set(type, found);
  return found;
}

const sizes = new WeakMap<ParamType, number>();
/** Words of a type that is not dynamic. */
function staticWords(type: ParamType): number {
  const known = sizes.get(type);
  if (known !== undefined) return known;
  const { arrayLength, arrayChildren, components } = type;
  const size = components
    ? components.reduce((sum, component) => sum + staticWords(component), 0)
    : arrayChildren
      ? (arrayLength ?? 0) * Math.max(1, staticWords(arrayChildren))
      : 1;
  sizes.set(type, size);
  return size;
}
