import {
  ConstructorFragment,
  ErrorFragment,
  EventFragment,
  Fragment,
  FunctionFragment,
  type JsonFragment,
  type ParamType,
} from 'ethers';
import { LRUCache } from 'lru-cache';
import type { AbiItem } from '../api/abi';
import type { DecodeSource } from '../api/decoding';
import type { Hash, Hex } from '../api/primitives';

/** Functions, events and errors of a contract, indexed by selector or topic. */
export class ContractInterface {
  /** @param source where the functions, events and errors come from */
  private constructor(
    readonly source: DecodeSource,
    private readonly functionsBySelector = new Map<string, FunctionFragment[]>(),
    private readonly eventsByTopic = new Map<string, EventFragment[]>(),
    private readonly errorsBySelector = new Map<string, ErrorFragment[]>(),
    private constructorFragment?: ConstructorFragment,
  ) {}

  /** Omits fragments that cannot be parsed: library ABIs refer to types that the ABI does not contain. */
  static fromAbi(
    abi: readonly (string | JsonFragment | AbiItem)[],
    source: DecodeSource = 'built-in',
  ): ContractInterface {
    const result = new ContractInterface(source);
    for (const item of abi) {
      const fragment = readFragment(item);
      if (fragment) result.#add(fragment);
    }
    return result;
  }

  /** Functions without names, used only for their types. Omits types that cannot be parsed. */
  static fromShapes(shapes: readonly FunctionShape[]): ContractInterface {
    const result = new ContractInterface('4byte');
    for (const { selector, types } of shapes) {
      const found = readFragment(`function shape(${types})`);
      if (found) result.#add({ ...found, key: selector });
    }
    return result;
  }

  /** The same interface with another source. */
  as(source: DecodeSource): ContractInterface {
    return new ContractInterface(
      source,
      this.functionsBySelector,
      this.eventsByTopic,
      this.errorsBySelector,
      this.constructorFragment,
    );
  }

  /** JSON fragments that give the same interface by `fromAbi`. @param isWanted by selector or first topic; default: all, with the constructor */
  toAbi(isWanted?: (key: string) => boolean): JsonFragment[] {
    const tables: ReadonlyMap<string, Fragment[]>[] = [
      this.functionsBySelector,
      this.eventsByTopic,
      this.errorsBySelector,
    ];
    const fragments = tables.flatMap((table) =>
      [...table].flatMap(([key, found]) => (!isWanted || isWanted(key) ? found : [])),
    );
    if (!isWanted && this.constructorFragment) fragments.push(this.constructorFragment);
    return fragments.map(toJson);
  }

  functions(selector: Hex): readonly FunctionFragment[] {
    return this.functionsBySelector.get(selector) ?? [];
  }

  get allFunctions(): readonly FunctionFragment[] {
    return [...this.functionsBySelector.values()].flat();
  }

  get allEvents(): readonly EventFragment[] {
    return [...this.eventsByTopic.values()].flat();
  }

  functionsNamed(name: string): readonly FunctionFragment[] {
    return this.allFunctions.filter((fragment) => fragment.name === name);
  }

  /** Does not contain anonymous events. */
  events(topic: Hash): readonly EventFragment[] {
    return this.eventsByTopic.get(topic) ?? [];
  }

  errors(selector: Hex): readonly ErrorFragment[] {
    return this.errorsBySelector.get(selector) ?? [];
  }

  /** Deletes the selectors and topics that it has from sets. Takes as many steps as the smaller side has entries: there may be many interfaces. */
  deleteKnown(selectors: Set<Hex>, topics: Set<Hex>): void {
    deleteKeys(selectors, this.functionsBySelector);
    deleteKeys(selectors, this.errorsBySelector);
    deleteKeys(topics, this.eventsByTopic);
  }

  get constructorInputs(): readonly ParamType[] {
    return this.constructorFragment?.inputs ?? [];
  }

  #add({ fragment, key }: ReadFragment): void {
    if (fragment instanceof FunctionFragment) {
      push(this.functionsBySelector, key, fragment);
    } else if (fragment instanceof EventFragment) {
      push(this.eventsByTopic, key, fragment);
    } else if (fragment instanceof ErrorFragment) {
      push(this.errorsBySelector, key, fragment);
    } else {
      this.constructorFragment = fragment;
    }
  }
}

function deleteKeys(open: Set<Hex>, known: ReadonlyMap<string, unknown>): void {
  if (known.size < open.size) for (const key of known.keys()) open.delete(key as Hex);
  else for (const key of open) if (known.has(key)) open.delete(key);
}

/** A constructor has no mutability for Ethers, which writes it nevertheless, and leaves out that of other functions where it is nonpayable. */
function toJson(fragment: Fragment): JsonFragment {
  const json = JSON.parse(fragment.format('json')) as JsonFragment;
  if (fragment instanceof FunctionFragment) {
    return { ...json, stateMutability: fragment.stateMutability };
  }
  if (fragment.type !== 'constructor') return json;
  return { ...json, stateMutability: json.payable === true ? 'payable' : 'nonpayable' };
}

/** Facts of a function that bytecode reveals. */
export interface FunctionShape {
  readonly selector: Hex;
  /** Canonical types of the arguments, separated by commas. */
  readonly types: string;
}

interface ReadFragment {
  readonly fragment: FunctionFragment | EventFragment | ErrorFragment | ConstructorFragment;
  /** Selector or first topic. */
  readonly key: string;
}

/** The artifacts of a workspace repeat the same fragments, and each costs a parse and a hash. */
const read = new LRUCache<string, ReadFragment>({ max: 20_000 });

function readFragment(item: string | JsonFragment | AbiItem): ReadFragment | undefined {
  const text = typeof item === 'string' ? item : JSON.stringify(item);
  const known = read.get(text);
  if (known) return known;
  const fresh = parse(item);
  if (fresh) read.set(text, fresh);
  return fresh;
}

function parse(item: string | JsonFragment | AbiItem): ReadFragment | undefined {
  try {
    const fragment = Fragment.from(item);
    if (fragment instanceof FunctionFragment || fragment instanceof ErrorFragment) {
      return { fragment, key: fragment.selector };
    }
    if (fragment instanceof EventFragment) {
      return fragment.anonymous ? undefined : { fragment, key: fragment.topicHash };
    }
    return fragment instanceof ConstructorFragment ? { fragment, key: '' } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the item defines an encoding: library ABIs refer to types that the ABI does not contain. */
export function isReadable(item: AbiItem): boolean {
  try {
    Fragment.from(item);
    return true;
  } catch {
    return false;
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
