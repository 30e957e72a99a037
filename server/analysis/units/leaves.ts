import type { Param } from '../../api/decoding';

/** A number, text or other scalar inside a value. */
export interface Leaf {
  /** Indices of arrays, names of named components: `[0].amountIn`. Empty for a value that is neither array nor tuple. */
  readonly path: string;
  /** The same by position, as the types count: `0.1`. */
  readonly position: string;
  readonly value: string;
}

/** The leaves of parameters, each read when it is asked for. */
export class Leaves {
  readonly #read: (Leaf[] | undefined)[] = [];

  constructor(readonly params: readonly Param[]) {}

  /** None if there is no such parameter. */
  of(index: number): readonly Leaf[] {
    const param = this.params[index];
    return param ? (this.#read[index] ??= leavesOf(param)) : [];
  }
}

/** Leaves of a value that is larger are not listed. */
const MAX_CHARACTERS = 100_000;

/** The scalars of a parameter's value, in order; none if it is too large or no such text. */
function leavesOf({ type, value }: Param): Leaf[] {
  if (!/[\])]$/.test(type)) return [{ path: '', position: '', value }];
  if (value.length > MAX_CHARACTERS) return [];
  const leaves: Leaf[] = [];
  try {
    collect(JSON.parse(value), '', '', leaves);
  } catch {
    return [];
  }
  return leaves;
}

function collect(value: unknown, path: string, position: string, leaves: Leaf[]): void {
  if (typeof value !== 'object' || value === null) {
    leaves.push({ path, position, value: String(value) });
    return;
  }
  const isList = Array.isArray(value);
  for (const [index, [name, item]] of Object.entries(value).entries()) {
    const at = position === '' ? String(index) : `${position}.${index}`;
    collect(
      item,
      isList ? `${path}[${index}]` : path === '' ? name : `${path}.${name}`,
      at,
      leaves,
    );
  }
}
