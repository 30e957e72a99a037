import { ExpressionError } from '../../port/expression-error';
import { tokensOf, type Token } from './tokens';

/** An expression of Solidity. `at` is an offset in its text. */
export type Expression = { readonly at: number } & (
  | { readonly kind: 'number'; readonly text: string; readonly unit: string | undefined }
  | { readonly kind: 'string' | 'hex'; readonly digits: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly object: Expression; readonly name: string }
  | { readonly kind: 'index'; readonly object: Expression; readonly index: Expression }
  | {
      /** `data[1:3]`; undefined: from the beginning, or to the end. */
      readonly kind: 'slice';
      readonly object: Expression;
      readonly start: Expression | undefined;
      readonly end: Expression | undefined;
    }
  | { readonly kind: 'list'; readonly items: readonly Expression[]; readonly text: string }
  /** `(a, b)`, the arguments of `abi.encodeCall`. */
  | { readonly kind: 'tuple'; readonly items: readonly Expression[] }
  | {
      readonly kind: 'call';
      readonly callee: Expression;
      readonly given: readonly Expression[];
      /** Of the arguments, where they are written as `{x: 1, y: 2}`. */
      readonly names: readonly string[] | undefined;
      readonly text: string;
    }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'conditional';
      readonly test: Expression;
      readonly yes: Expression;
      readonly no: Expression;
    }
);

/** Solidity documentation, "Order of Precedence of Operators"; larger binds tighter. */
const PRECEDENCE: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '<': 4,
  '>': 4,
  '<=': 4,
  '>=': 4,
  '|': 5,
  '^': 6,
  '&': 7,
  '<<': 8,
  '>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
  '**': 11,
};
const UNARY = new Set(['!', '~', '-']);
const UNITS = new Set(
  'wei gwei szabo finney ether seconds minutes hours days weeks years'.split(' '),
);
const MAX_DEPTH = 100;

/** @throws ExpressionError */
export function parseExpression(text: string): Expression {
  const parser = new Parser(tokensOf(text), text);
  return parser.whole();
}

/** The expression in a form that a member or an index can follow. @throws ExpressionError */
export function asObject(text: string): string {
  const { kind } = parseExpression(text);
  return kind === 'conditional' || kind === 'binary' || kind === 'unary' ? `(${text})` : text;
}

/** How an expression names a function, for messages. */
export function calleeName(callee: Expression): string {
  if (callee.kind === 'name') return callee.name;
  return callee.kind === 'member' ? `${calleeName(callee.object)}.${callee.name}` : 'it';
}

class Parser {
  #next = 0;
  #depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly text: string,
  ) {}

  whole(): Expression {
    const expression = this.#conditional();
    if (this.#token.kind !== 'end') this.#refuse('an operator or the end');
    return expression;
  }

  get #token(): Token {
    return this.tokens[this.#next] ?? { kind: 'end', text: '', at: 0 };
  }

  #take(): Token {
    const token = this.#token;
    this.#next++;
    return token;
  }

  #isSign(text: string): boolean {
    return this.#token.kind === 'sign' && this.#token.text === text;
  }

  #skip(text: string): boolean {
    if (!this.#isSign(text)) return false;
    this.#next++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#skip(text)) this.#refuse(`"${text}"`);
  }

  #refuse(accepted: string): never {
    const { kind, text, at } = this.#token;
    const found = kind === 'end' ? 'the expression ends' : `found ${JSON.stringify(text)}`;
    throw new ExpressionError(`${found} where ${accepted} is expected`, at);
  }

  #deeper<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH) {
      throw new ExpressionError(`more than ${MAX_DEPTH} levels are not accepted`, this.#token.at);
    }
    const result = read();
    this.#depth--;
    return result;
  }

  #conditional(): Expression {
    return this.#deeper(() => {
      const { at } = this.#token;
      const test = this.#binary(1);
      if (!this.#skip('?')) return test;
      const yes = this.#conditional();
      this.#expect(':');
      return { kind: 'conditional', at, test, yes, no: this.#conditional() };
    });
  }

  #binary(least: number): Expression {
    let left = this.#unary();
    for (;;) {
      const { kind, text: operator, at } = this.#token;
      const precedence = kind === 'sign' ? PRECEDENCE[operator] : undefined;
      if (precedence === undefined || precedence < least) return left;
      this.#take();
      // Powers are grouped from the right, all others from the left.
      const right = this.#deeper(() =>
        this.#binary(operator === '**' ? precedence : precedence + 1),
      );
      left = { kind: 'binary', at, operator, left, right };
    }
  }

  #unary(): Expression {
    const { kind, text: operator, at } = this.#token;
    if (kind !== 'sign' || !UNARY.has(operator)) return this.#postfix();
    this.#take();
    return this.#deeper(() => ({ kind: 'unary', at, operator, operand: this.#unary() }));
  }

  /** The text from an offset up to the last token that was taken. */
  #textFrom(at: number): string {
    const { at: last, text } = this.tokens[this.#next - 1] ?? { at, text: '' };
    return this.text.slice(at, last + text.length);
  }

  #postfix(): Expression {
    const { at: start } = this.#token;
    let object = this.#primary();
    for (;;) {
      const { at } = this.#token;
      if (this.#skip('.')) {
        if (this.#token.kind !== 'name') this.#refuse('the name of a member');
        object = { kind: 'member', at, object, name: this.#take().text };
      } else if (this.#skip('[')) {
        object = this.#bracket(object, at);
      } else if (this.#skip('(')) {
        const [names, given] = this.#isSign('{') ? this.#named() : [undefined, this.#list(')')];
        object = { kind: 'call', at, callee: object, given, names, text: this.#textFrom(start) };
      } else return object;
    }
  }

  /** An index or a slice, after its bracket. */
  #bracket(object: Expression, at: number): Expression {
    const start = this.#isSign(':') ? undefined : this.#conditional();
    if (start && !this.#isSign(':')) {
      this.#expect(']');
      return { kind: 'index', at, object, index: start };
    }
    this.#expect(':');
    const end = this.#isSign(']') ? undefined : this.#conditional();
    this.#expect(']');
    return { kind: 'slice', at, object, start, end };
  }

  /** Expressions with commas between them. */
  #list(end: ')' | ']'): Expression[] {
    const given: Expression[] = [];
    if (this.#skip(end)) return given;
    do given.push(this.#conditional());
    while (this.#skip(','));
    this.#expect(end);
    return given;
  }

  /** Arguments by name: `{x: 1, y: 2})`. */
  #named(): [string[], Expression[]] {
    this.#expect('{');
    const names: string[] = [];
    const given: Expression[] = [];
    if (!this.#isSign('}')) {
      do {
        const { kind, text, at } = this.#token;
        if (kind !== 'name') this.#refuse('the name of an argument');
        if (names.includes(text)) throw new ExpressionError(`${text} is given twice`, at);
        names.push(this.#take().text);
        this.#expect(':');
        given.push(this.#conditional());
      } while (this.#skip(','));
    }
    this.#expect('}');
    this.#expect(')');
    return [names, given];
  }

  #primary(): Expression {
    const { kind, text, at } = this.#token;
    if (this.#skip('(')) {
      const items = this.#list(')');
      const [inner] = items;
      return inner && items.length === 1 ? inner : { kind: 'tuple', at, items };
    }
    if (this.#skip('[')) {
      const items = this.#deeper(() => this.#list(']'));
      return { kind: 'list', at, items, text: this.#textFrom(at) };
    }
    if (kind === 'end' || kind === 'sign') this.#refuse('a value');
    this.#take();
    if (kind === 'name') return { kind: 'name', at, name: text };
    if (kind !== 'number') return { kind, at, digits: text };
    const unit = UNITS.has(this.#token.text) ? this.#take().text : undefined;
    return { kind: 'number', at, text: text.replaceAll('_', ''), unit };
  }
}
