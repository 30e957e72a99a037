import type { FunctionFragment } from 'ethers';
import type { ContractFacts } from '../../port/contract-facts';
import { LayoutTypes } from '../variables/layout-types';
import type { SolidityType } from '../values/types';

/** A state variable in storage. */
export interface PlacedVariable {
  readonly name: string;
  readonly type: SolidityType;
  readonly slot: bigint;
  /** Bytes from the right end of the slot. */
  readonly offset: number;
}

/** The functions of a name, each selector once. */
export function functionsNamed(facts: ContractFacts, name: string): FunctionFragment[] {
  const found = new Map<string, FunctionFragment>();
  for (const one of facts.interfaces) {
    const own = one.functionsNamed(name);
    for (const fragment of own)
      if (!found.has(fragment.selector)) found.set(fragment.selector, fragment);
    // What a standard says counts only where the contract's own interface does not have the name.
    if (own.length > 0) break;
  }
  return [...found.values()];
}

/** The variables of the layouts whose types are known, in order. */
export function placedVariables({ layouts }: ContractFacts): PlacedVariable[] {
  return layouts.flatMap((layout) => {
    const types = new LayoutTypes(layout);
    return layout.storage.flatMap(({ label, slot, offset, type: id }) => {
      const type = types.of(id);
      return type ? [{ name: label, type, slot: BigInt(slot), offset }] : [];
    });
  });
}
