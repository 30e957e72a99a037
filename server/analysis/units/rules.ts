/**
 * Rules by canonical signature. A rule lists `position=unit` for arguments and, after `>`, for results. A position counts from 0, and
 * inside tuples and arrays after a dot (`0.5`); `*` is every element. Units:
 * - `self`: the token that is called or that emitted the event; `wrapped`: the same, if it wraps the native asset
 * - `asset`: the token that the called vault holds (EIP-4626); `token0`, `token1`: those of the called pool; `pool`: the pool's own token
 * - `native`: the native asset; `time`: Unix seconds
 * - `@2`: the token whose address is argument 2; `@2.first`, `@2.last`, `@2.*`: the first, last or same element of that array
 * - `path:3.first`, `path:3.last`: the first or last token of the packed path in argument 3 (Uniswap V3)
 */
export type UnitRules = Readonly<Record<string, string>>;

/** A unit at a position. */
export interface PlacedUnit {
  /** Index of the argument or result. */
  readonly index: number;
  /** Position inside it, as in `Leaf`; empty for the whole of it. */
  readonly inside: string;
  /** Whether the unit is that of every element at the position. */
  readonly isEach: boolean;
  readonly unit: string;
}

export interface UnitRule {
  readonly args: readonly PlacedUnit[];
  readonly returns: readonly PlacedUnit[];
}

const read = new Map<string, UnitRule>();

/** The rule of a signature; undefined if it has none. */
export function ruleOf(rules: UnitRules, signature: string): UnitRule | undefined {
  const text = Object.hasOwn(rules, signature) ? rules[signature] : undefined;
  if (text === undefined) return undefined;
  let rule = read.get(text);
  if (!rule) {
    const [args = '', returns = ''] = text.split('>');
    read.set(text, (rule = { args: placed(args), returns: placed(returns) }));
  }
  return rule;
}

const placed = (text: string): PlacedUnit[] =>
  text
    .trim()
    .split(' ')
    .filter((one) => one !== '')
    .map((one) => {
      const at = one.indexOf('=');
      const [index = '', ...inside] = one.slice(0, at).split('.');
      const isEach = inside.at(-1) === '*';
      if (isEach) inside.pop();
      return { index: Number(index), inside: inside.join('.'), isEach, unit: one.slice(at + 1) };
    });
