import type { ParamType } from 'ethers';
import type { Address } from '../../api/primitives';
import type { AbiValues } from '../abi-values/abi-reader';

/** Where a call inside arguments is, and what it calls. */
export interface NestedCallTarget {
  readonly path: string;
  /** Undefined if the data contains no address: the call is then decoded as a call of the callee. */
  readonly to?: Address | undefined;
  /** Wei. */
  readonly value?: bigint | undefined;
  readonly isDelegated?: boolean | undefined;
  readonly mayFail?: true | undefined;
}

/** The last address before the bytes, and the amount between the two if there is exactly one. */
export function addresseeOf(
  types: readonly ParamType[],
  values: AbiValues,
  index: number,
): Omit<NestedCallTarget, 'path'> {
  const at = types.findLastIndex(({ type }, i) => i < index && type === 'address');
  if (at < 0) return {};
  const isAmount = index === at + 2 && types[at + 1]?.type === 'uint256';
  const amount = types[at + 1]?.name.replace(/^_/, '') !== 'nonce' && isAmount;
  return {
    to: values[at] as Address,
    value: amount ? (values[at + 1] as bigint) : undefined,
  };
}

/** Lists of addresses and amounts that precede a list of bytes and have its length. */
export function addresseesOf(
  types: readonly ParamType[],
  values: AbiValues,
  index: number,
): { to: readonly Address[]; value: readonly bigint[] } {
  const { length } = values[index] as AbiValues;
  const list = (wanted: string): AbiValues => {
    const at = types.findLastIndex(({ type }, i) => i < index && type === wanted);
    const found = at < 0 ? [] : (values[at] as AbiValues);
    return found.length === length ? found : [];
  };
  const to = list('address[]') as readonly Address[];
  return { to, value: to.length === 0 ? [] : (list('uint256[]') as readonly bigint[]) };
}
