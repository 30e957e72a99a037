import type { ContractSource } from '../../api/contract-source';
import { ApiError } from '../../api/errors';
import type { NewCode } from '../../api/new-code';
import type { Hex } from '../../api/primitives';

type OldImmutables = NonNullable<ContractSource['immutables']>;

/**
 * New runtime code with the values that the old code's immutables have.
 * @throws ApiError `invalidField` for an immutable whose value is not known
 */
export function placedCode({ code, immutables }: NewCode, old: OldImmutables): Hex {
  let digits = code.slice(2);
  for (const { name, ranges } of immutables) {
    const [only, ...others] = old;
    const isOnly = name === '' && immutables.length === 1 && others.length === 0;
    const known = isOnly ? only : old.find((one) => name !== '' && one.name === name);
    if (!known) throw unknownValue(name);
    for (const { start, length } of ranges) {
      const value = known.value
        .slice(2)
        .padStart(64, '0')
        .slice(-2 * length);
      digits = digits.slice(0, 2 * start) + value + digits.slice(2 * (start + length));
    }
  }
  return `0x${digits}`;
}

const unknownValue = (name: string): ApiError =>
  new ApiError(
    'invalidField',
    `newCode.immutables has ${name === '' ? 'one without a name' : name}, whose value the deployed code does not have: the constructor, which sets it, does not run again; accepted are the names of the old code's immutables`,
  );
