import {
  ConstructorFragment,
  ErrorFragment,
  EventFragment,
  Fragment,
  FunctionFragment,
  type JsonFragment,
  type ParamType,
} from 'ethers';
import type { Hash, Hex } from '../api/primitives';

/** Functions, events and errors of a contract, found by what stands in the bytes. */
export class ContractInterface {
  private readonly functionsBySelector = new Map<string, FunctionFragment[]>();
  private readonly eventsByTopic = new Map<string, EventFragment[]>();
  private readonly errorsBySelector = new Map<string, ErrorFragment[]>();
  private constructorFragment: ConstructorFragment | undefined;

  static readonly EMPTY = new ContractInterface();

  /** Fragments that cannot be read (library ABIs name types that the ABI does not have) are left out. */
  static fromAbi(abi: readonly (string | JsonFragment)[]): ContractInterface {
    const result = new ContractInterface();
    for (const item of abi) {
      const fragment = parse(item);
      if (fragment) result.add(fragment);
    }
    return result;
  }

  functions(selector: Hex): readonly FunctionFragment[] {
    return this.functionsBySelector.get(selector) ?? [];
  }

  /** Without anonymous events. */
  events(topic: Hash): readonly EventFragment[] {
    return this.eventsByTopic.get(topic) ?? [];
  }

  errors(selector: Hex): readonly ErrorFragment[] {
    return this.errorsBySelector.get(selector) ?? [];
  }

  get constructorInputs(): readonly ParamType[] {
    return this.constructorFragment?.inputs ?? [];
  }

  private add(fragment: Fragment): void {
    if (fragment instanceof FunctionFragment) {
      push(this.functionsBySelector, fragment.selector, fragment);
    } else if (fragment instanceof EventFragment) {
      if (!fragment.anonymous) push(this.eventsByTopic, fragment.topicHash, fragment);
    } else if (fragment instanceof ErrorFragment) {
      push(this.errorsBySelector, fragment.selector, fragment);
    } else if (fragment instanceof ConstructorFragment) {
      this.constructorFragment = fragment;
    }
  }
}

function parse(item: string | JsonFragment): Fragment | undefined {
  try {
    return Fragment.from(item);
  } catch {
    return undefined;
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
