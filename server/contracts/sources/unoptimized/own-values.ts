import type { SolcCode } from '../compilers/solc-job';
import type { CompiledContract } from '../compiled-contract';
import type { ImmutableReferences } from '../compilation';
import { namedImmutables } from '../immutables';

/** A library's address that the linker fills in: 40 characters. */
const PLACEHOLDER = /__.{38}/g;
/** A library compares its own address (Solidity, "Call Protection For Libraries"). */
const LIBRARY = /^73(.{40})3014/;

/** Hex digits, or a clause that says why there are none. */
type Digits = { readonly digits: string } | { readonly reason: string };

/**
 * Addresses of libraries by their placeholders, from executed code.
 * @param object as the compiler wrote it
 * @param executed hex digits
 */
export function linkedLibraries(object: string, executed: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { 0: placeholder, index } of object.matchAll(PLACEHOLDER)) {
    const address = executed.slice(index, index + placeholder.length);
    if (/^[0-9a-f]{40}$/.test(address)) found.set(placeholder, address);
  }
  return found;
}

/** Code with the addresses of its libraries. */
export function link(object: string, libraries: ReadonlyMap<string, string>): Digits {
  const digits = object.replace(PLACEHOLDER, (one) => libraries.get(one) ?? one).toLowerCase();
  if (/^[0-9a-f]*$/.test(digits)) return { digits };
  return { reason: 'the address of a library that it calls is not known' };
}

/** Deployed code with the address of the library that it is, as executed code has it. */
export function withOwnAddress(digits: string, executed: string): string {
  const [, own] = LIBRARY.exec(executed) ?? [];
  return own === undefined ? digits : digits.replace(LIBRARY, `73${own}3014`);
}

/**
 * Deployed code with the immutables of executed code.
 * @param made the same source without the optimizer
 */
export function withImmutables(
  digits: string,
  made: { readonly code: SolcCode; readonly contract: CompiledContract },
  original: CompiledContract,
  executed: string,
): Digits {
  const wanted = made.code.immutableReferences ?? {};
  if (Object.keys(wanted).length === 0) return { digits };
  const known = original.compilation.immutableReferences ?? {};
  const idOf = correspondence(wanted, known, made.contract, original);
  let filled = digits;
  for (const [id, ranges] of Object.entries(wanted)) {
    const [from] = known[idOf(id) ?? ''] ?? [];
    const value = from && executed.slice(from.start * 2, (from.start + from.length) * 2);
    if (value === undefined) {
      return { reason: 'the value of an immutable is not in the executed code' };
    }
    for (const { start, length } of ranges) {
      const padded = value.padStart(length * 2, '0').slice(-length * 2);
      filled = filled.slice(0, start * 2) + padded + filled.slice((start + length) * 2);
    }
  }
  return { digits: filled };
}

/** Which declaration of one build is which one of another: by their ids where both have the same, else by their names. */
function correspondence(
  wanted: ImmutableReferences,
  known: ImmutableReferences,
  made: CompiledContract,
  original: CompiledContract,
): (id: string) => string | undefined {
  const names = (contract: CompiledContract): Map<string, string> =>
    new Map(namedImmutables(contract).map(({ id, name }) => [id, name]));
  const [own, other] = [names(made), names(original)];
  const agrees = (id: string): boolean => {
    const [one = '', two = ''] = [own.get(id), other.get(id)];
    return known[id] !== undefined && (one === '' || two === '' || one === two);
  };
  if (Object.keys(wanted).every(agrees)) return (id) => id;
  const [ownIds, otherIds] = [own, other].map(idsByName);
  return (id) => {
    const name = own.get(id) ?? '';
    const [found, ...others] = otherIds?.get(name) ?? [];
    const isOnly = name !== '' && others.length === 0 && ownIds?.get(name)?.length === 1;
    return isOnly ? found : undefined;
  };
}

function idsByName(names: ReadonlyMap<string, string>): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const [id, name] of names) {
    const known = ids.get(name);
    if (known) known.push(id);
    else ids.set(name, [id]);
  }
  return ids;
}
