import { ExpressionError } from '../../port/expression-error';

export interface Token {
  readonly kind: 'number' | 'name' | 'string' | 'hex' | 'sign' | 'end';
  /** As written; the bytes of a string as hex digits. */
  readonly text: string;
  readonly at: number;
}

/** Characters of an expression. */
const MAX_EXPRESSION = 2_000;

const PATTERNS: readonly (readonly [Token['kind'] | 'space', RegExp])[] = [
  ['space', /\s+/y],
  ['hex', /hex(?:"([0-9a-fA-F_]*)"|'([0-9a-fA-F_]*)')/y],
  ['string', /(?:unicode)?(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/y],
  ['number', /0[xX][0-9a-fA-F][0-9a-fA-F_]*|(?:\d[\d_]*)?\.?\d[\d_]*(?:[eE][-+]?\d+)?/y],
  ['name', /[A-Za-z_$][A-Za-z0-9_$]*(?:@\d+)?/y],
  ['sign', /\*\*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>!~&|^?:.,()[\]{}]/y],
];

/** @throws ExpressionError */
export function tokensOf(text: string): Token[] {
  if (text.length > MAX_EXPRESSION) {
    throw new ExpressionError(
      `the expression has ${text.length} characters; accepted are up to ${MAX_EXPRESSION}`,
      MAX_EXPRESSION,
    );
  }
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const { kind, match } = next(text, at);
    const [whole, first, second] = match;
    if (kind === 'string') tokens.push({ kind, text: unescape(first ?? second ?? '', at), at });
    else if (kind === 'hex') tokens.push({ kind, text: evenDigits(first ?? second ?? '', at), at });
    else if (kind !== 'space') tokens.push({ kind, text: whole, at });
    at += whole.length;
  }
  return [...tokens, { kind: 'end', text: '', at }];
}

function next(text: string, at: number): { kind: Token['kind'] | 'space'; match: RegExpExecArray } {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match && match[0] !== '') return { kind, match };
  }
  if (text[at] === '=') {
    throw new ExpressionError(
      'an expression does not set values; accepted is == to compare. A value is set in the list of variables, or by stateOverrides of a simulation',
      at,
    );
  }
  throw new ExpressionError(
    `${JSON.stringify(text[at])} is not accepted; accepted are names, numbers, texts in quotes and operators`,
    at,
  );
}

function evenDigits(text: string, at: number): string {
  const digits = text.replaceAll('_', '');
  if (digits.length % 2 === 0) return digits;
  throw new ExpressionError('hex"…" has an odd number of digits', at);
}

const PLAIN: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The bytes of a text, as hex digits (Solidity documentation, "String Literals and Types"). */
function unescape(text: string, at: number): string {
  const parts = text.match(/\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]+/gs) ?? [];
  const bytes = parts.map((part) => {
    if (!part.startsWith('\\')) return Buffer.from(part);
    const [, kind = ''] = part;
    if (kind === 'x' && part.length === 4) return Buffer.from(part.slice(2), 'hex');
    if (kind === 'u' && part.length === 6) {
      return Buffer.from(String.fromCharCode(parseInt(part.slice(2), 16)));
    }
    const plain = PLAIN[kind] ?? (/["'\\]/.test(kind) ? kind : undefined);
    if (plain !== undefined) return Buffer.from(plain);
    throw new ExpressionError(
      `${part} is not an escape; accepted are \\n, \\r, \\t, \\\\, \\", \\', \\xNN and \\uNNNN`,
      at,
    );
  });
  return Buffer.concat(bytes).toString('hex');
}
