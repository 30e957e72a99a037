import { withoutTexts } from './solidity-functions';

/** The members of each enum by its name, in order; undefined where enums of one name differ. */
export type EnumMembers = ReadonlyMap<string, readonly string[] | undefined>;

const ENUM = /\benum\s+([A-Za-z_$][\w$]*)\s*\{([^}]*)\}/g;

/** Reads the enums that Solidity sources declare, at any place. */
export function enumMembers(sources: readonly string[]): EnumMembers {
  const found = new Map<string, readonly string[] | undefined>();
  for (const source of sources) {
    for (const { 1: name = '', 2: list = '' } of withoutTexts(source).matchAll(ENUM)) {
      const members = list.match(/[A-Za-z_$][\w$]*/g) ?? [];
      const agrees = !found.has(name) || found.get(name)?.join() === members.join();
      found.set(name, agrees ? members : undefined);
    }
  }
  return found;
}
