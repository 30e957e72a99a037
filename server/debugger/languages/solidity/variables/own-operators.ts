import type { UserDefinedType } from '../values/types';
import { fieldOf, parametersOf, type Ast, type AstNode } from './ast';

interface OwnOperator {
  /** Definition of the type. */
  readonly type: AstNode;
  readonly operator: string;
  /** Free function. */
  readonly definition: AstNode;
}

/** Operators of user-defined value types: `using {add as +} for T global` (Solidity documentation, "Using For"). */
export class OwnOperators {
  #all: readonly OwnOperator[] | undefined;

  constructor(private readonly ast: Ast | undefined) {}

  /** The function of an operator. @param count of the operands */
  find({ id, name }: UserDefinedType, operator: string, count: number): AstNode | undefined {
    this.#all ??= this.ast ? readAll(this.ast) : [];
    const found = this.#all.filter(
      (one) =>
        one.operator === operator &&
        (id === undefined ? one.type.json['name'] === name : one.type.id === id) &&
        parametersOf(one.definition).length === count,
    );
    return found.length === 1 ? found[0]?.definition : undefined;
  }
}

function readAll(ast: Ast): OwnOperator[] {
  return ast.ofType('UsingForDirective').flatMap((directive) => {
    const name = fieldOf(directive, 'typeName');
    const type = name && ast.referenced(name);
    const { functionList } = directive.json;
    if (directive.json['global'] !== true || !type || !Array.isArray(functionList)) return [];
    return (functionList as unknown[]).flatMap((item) => {
      const { operator, definition: path } = item as { operator?: unknown; definition?: unknown };
      const { referencedDeclaration: id } = (path ?? {}) as { referencedDeclaration?: unknown };
      const definition = typeof id === 'number' ? ast.byId.get(id) : undefined;
      return typeof operator === 'string' && definition ? [{ type, operator, definition }] : [];
    });
  });
}
