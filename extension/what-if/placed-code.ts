import * as l10n from '@vscode/l10n';
import { keccak256, stringToHex } from 'viem';
import type { ContractSource } from '../../server/api/contract-source';
import type { RecordedContract } from '../../server/api/recording';
import type { CompiledCode } from '../build-output/compiled-code';

/** What new code takes over from the code in whose place it runs. */
export interface OldCode {
  /** Account of the code, lower case. */
  address: string;
  immutables: NonNullable<ContractSource['immutables']>;
  /** Contracts of the transaction, among them its libraries. */
  contracts: readonly Pick<RecordedContract, 'name' | 'files' | 'address'>[];
}

type PlacedCode = { code: `0x${string}` } | { problem: string };

const PLACEHOLDER = /__[$\w./:@-]{36}__/g;
/** A library begins with its own address, so that it knows when it is called directly. */
const LIBRARY = /^73(0{40})3014/;

/** New runtime code with the old code's immutables, the addresses of its libraries, and its own. */
export function placedCode(compiled: CompiledCode, old: OldCode): PlacedCode {
  let { object } = compiled;
  for (const { name, ranges } of compiled.immutables) {
    const value = valueOf(name, compiled, old);
    if ('problem' in value) return value;
    for (const { start, length } of ranges) {
      const digits = value.word
        .slice(2)
        .padStart(64, '0')
        .slice(-2 * length);
      object = object.slice(0, 2 * start) + digits + object.slice(2 * (start + length));
    }
  }
  const libraries = addressesByPlaceholder(old.contracts);
  object = object
    .replace(PLACEHOLDER, (text) => libraries.get(text) ?? text)
    .replace(LIBRARY, `73${old.address.slice(2)}3014`);
  if (/^([0-9a-f]{2})+$/.test(object)) return { code: `0x${object}` };
  return {
    problem: l10n.t(
      'the new code calls a library that this transaction does not call: its address is not known',
    ),
  };
}

/** The old value of an immutable. Without names, one is only told from no other. */
function valueOf(
  name: string | undefined,
  { immutables }: CompiledCode,
  old: OldCode,
): { word: string } | { problem: string } {
  const [only, ...others] = old.immutables;
  if (name === undefined) {
    if (only !== undefined && others.length === 0 && immutables.length === 1) {
      return { word: only.value };
    }
    return {
      problem: l10n.t(
        'its immutables have no names in the build output: with Foundry, set ast = true, and build again',
      ),
    };
  }
  const known = old.immutables.find((one) => one.name === name);
  if (known !== undefined) return { word: known.value };
  return {
    problem: l10n.t(
      'its immutable {0} has no value in the deployed code: the constructor, which sets it, does not run again',
      name,
    ),
  };
}

/** The compiler names a library by the hash of `file:Name`; before Solidity 0.5 by the beginning of that text. */
function addressesByPlaceholder(contracts: OldCode['contracts']): ReadonlyMap<string, string> {
  return new Map(
    contracts.flatMap(({ name, files, address }) =>
      files.flatMap((file): [string, string][] => {
        const digits = address.slice(2).toLowerCase();
        const hash = keccak256(stringToHex(`${file}:${name}`)).slice(2, 36);
        const text = `__${`${file}:${name}`.slice(0, 36)}`.padEnd(40, '_');
        return [
          [`__$${hash}$__`, digits],
          [text, digits],
        ];
      }),
    ),
  );
}
