import * as l10n from '@vscode/l10n';
import type { StorageLayout } from '../build-output/compiled-code';
import type { EnumMembers } from '../build-output/enum-members';

export interface LayoutChanges {
  /** In words. */
  changes: string[];
  /** Enums that were not compared, because a source is unknown or declares several of the name: `enum Vault.Kind`. */
  unknownEnums: string[];
}

type Member = StorageLayout['storage'][number];

/**
 * What the new layout reads in another way than the old one wrote it: variables that moved, changed their type or are gone,
 * down to members of structs, and enums whose members have other numbers. Variables and members that are added behind the old ones
 * change nothing.
 * @param enums of the sources: a layout does not have their members
 */
export function layoutChanges(
  before: StorageLayout,
  after: StorageLayout,
  enums: { before: EnumMembers; after: EnumMembers },
): LayoutChanges {
  /** Types that were compared, because a struct may contain itself. */
  const compared = new Set<string>();
  const unknownEnums: string[] = [];
  return { changes: members(before.storage, after.storage, ''), unknownEnums };

  function members(old: readonly Member[], now: readonly Member[], path: string): string[] {
    const byName = new Map(now.map((member) => [member.label, member]));
    return old.flatMap((was) => {
      const name = path + was.label;
      const is = byName.get(was.label);
      if (is === undefined) return [l10n.t('{0} is gone', name)];
      if (is.slot !== was.slot || is.offset !== was.offset) {
        return [l10n.t('{0} moved from slot {1} to slot {2}', name, placeOf(was), placeOf(is))];
      }
      return types(was.type, is.type, name);
    });
  }

  function types(was: string | undefined, is: string | undefined, name: string): string[] {
    if (was === undefined || is === undefined || compared.has(was)) return [];
    compared.add(was);
    const [old, now] = [before.types?.[was], after.types?.[is]];
    if (old === undefined || now === undefined) return [];
    if (old.label !== now.label) {
      return [l10n.t('{0} was of type {1} and is of type {2}', name, old.label, now.label)];
    }
    if (old.label.startsWith('enum ')) return enumChanges(old.label);
    return [
      ...members(old.members ?? [], now.members ?? [], `${name}.`),
      ...types(old.key, now.key, `${name}[…]`),
      ...types(old.value ?? old.base, now.value ?? now.base, `${name}[…]`),
    ];
  }

  function enumChanges(label: string): string[] {
    const name = label.split(/[ .]/).at(-1) ?? '';
    const [was, is] = [enums.before.get(name), enums.after.get(name)];
    if (was === undefined || is === undefined) {
      unknownEnums.push(label);
      return [];
    }
    return was.every((member, index) => member === is[index])
      ? []
      : [l10n.t('{0} had the members {1} and has {2}', label, was.join(', '), is.join(', '))];
  }
}

const placeOf = ({ slot, offset }: Member): string =>
  offset === 0 ? slot : l10n.t('{0}, byte {1}', slot, offset);
