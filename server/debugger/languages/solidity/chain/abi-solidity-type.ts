import type { ParamType } from 'ethers';
import { elementaryType } from '../values/elementary';
import type { SolidityType, StructMember } from '../values/types';

/** An account whose functions can be called: an ABI does not say which addresses are contracts. */
export const ACCOUNT: SolidityType = { kind: 'contract', name: 'address' };

/** The type of a parameter or result of an ABI; undefined for types that no expression has. */
export function solidityType(param: ParamType): SolidityType | undefined {
  if (param.arrayChildren) {
    const base = solidityType(param.arrayChildren);
    const length = param.arrayLength ?? -1;
    return base && { kind: 'array', base, length: length < 0 ? undefined : BigInt(length) };
  }
  if (param.components) {
    const members: StructMember[] = [];
    for (const [index, component] of param.components.entries()) {
      const type = solidityType(component);
      if (!type) return undefined;
      const name = component.name === '' ? `[${index}]` : component.name;
      members.push({ name, type, slot: 0n, offset: 0 });
    }
    return { kind: 'struct', name: param.format(), members: () => members };
  }
  return param.type === 'address' ? ACCOUNT : elementaryType(param.type);
}
