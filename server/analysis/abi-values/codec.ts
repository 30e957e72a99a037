import type { Fragment, ParamType } from 'ethers';
import type { Param } from '../../api/explorer';
import type { Hex } from '../../api/primitives';
import { valuesReader, type AbiValues, type LeadingValues, type ValuesReader } from './abi-reader';
import { formatValue } from './format';

/**
 * Decodes ABI-encoded data. Returns undefined unless encoding the values again produces the same bytes: a guess that does not fit is not
 * a decoding.
 * @param from index of the data's first digit: 10 after a selector
 */
export function decodeExactly(
  types: readonly ParamType[],
  text: Hex,
  from = 2,
): AbiValues | undefined {
  const leading = decodeLeading(types, text, from);
  return leading?.end === text.length ? leading.values : undefined;
}

/** Decodes ABI-encoded values that more data may follow. Returns undefined unless encoding the values again produces the same bytes. */
export const decodeLeading = (
  types: readonly ParamType[],
  text: Hex,
  from = 2,
): LeadingValues | undefined => typeList(types).read(text, from);

/** Cached facts of a list of types: the same few methods are called over and over. */
interface TypeList {
  readonly read: ValuesReader;
  readonly params: readonly {
    readonly name: string;
    readonly canonical: string;
    readonly type: ParamType;
  }[];
}

const typeLists = new WeakMap<readonly ParamType[], TypeList>();

function typeList(types: readonly ParamType[]): TypeList {
  let known = typeLists.get(types);
  if (!known) {
    known = {
      read: valuesReader(types),
      params: types.map((type) => ({ name: type.name, canonical: canonicalType(type), type })),
    };
    typeLists.set(types, known);
  }
  return known;
}

/** The values as text, with the names and canonical types of their parameters. */
export function toParams(types: readonly ParamType[], values: AbiValues): Param[] {
  const params = new Array<Param>(types.length);
  let index = 0;
  for (const { name, canonical, type } of typeList(types).params) {
    params[index] = { name, type: canonical, value: formatValue(type, values[index] ?? '') };
    index++;
  }
  return params;
}

export const toParam = (type: ParamType, value: string): Param => ({
  name: type.name,
  type: canonicalType(type),
  value,
});

const signatures = new WeakMap<Fragment, string>();
/** `name(type,…)` in canonical types. */
export function signatureOf(fragment: Fragment): string {
  const known = signatures.get(fragment);
  if (known !== undefined) return known;
  const text = fragment.format('sighash');
  signatures.set(fragment, text);
  return text;
}

const canonicalTypes = new WeakMap<ParamType, string>();
function canonicalType(type: ParamType): string {
  const known = canonicalTypes.get(type);
  if (known !== undefined) return known;
  const text = type.format('sighash');
  canonicalTypes.set(type, text);
  return text;
}
