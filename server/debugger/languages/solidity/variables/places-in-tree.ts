import type { SourceMap } from '../../../../contracts/sources/source-map';
import { around, fieldOf, parametersOf, type Ast, type AstNode } from './ast';

/** Where an instruction is in the syntax tree, as far as the stack is concerned. */
export interface TreePlace {
  /** The innermost node that contains the instruction's range. */
  readonly node: AstNode;
  /** Whether the range is all of the node. */
  readonly isWhole: boolean;
  /** Function, modifier or function of inline assembly around it. */
  readonly callable: AstNode | undefined;
  /** Local variable whose slot the instruction makes. */
  readonly declares: AstNode | undefined;
  /** Modifier whose arguments are evaluated. */
  readonly invocation: AstNode | undefined;
  /** `let` of inline assembly. */
  readonly assembly: AstNode | undefined;
  /** Clauses of `try` around it, with parameters. */
  readonly clauses: readonly AstNode[];
  /** Arguments of a base's constructor, which belong to another function than the one around them. */
  readonly isBaseArgument: boolean;
}

const CALLABLES = new Set(['FunctionDefinition', 'ModifierDefinition', 'YulFunctionDefinition']);

/** The places of a code's instructions. */
export class TreePlaces {
  readonly #byOffset = new Map<number, TreePlace | undefined>();

  constructor(
    private readonly ast: Ast,
    private readonly map: SourceMap,
    /** The definition that runs where a modifier is named. */
    private readonly overriding: (modifier: AstNode) => AstNode = (modifier) => modifier,
  ) {}

  /** undefined for generated code */
  at(offset: number): TreePlace | undefined {
    if (this.#byOffset.has(offset)) return this.#byOffset.get(offset);
    const place = this.#find(offset);
    this.#byOffset.set(offset, place);
    return place;
  }

  #find(offset: number): TreePlace | undefined {
    const range = this.map.at(offset);
    let node = range && this.ast.files.get(range.file);
    if (!range || !node) return undefined;
    const [start, end] = [range.start, range.start + range.length];
    const contains = (one: AstNode): boolean =>
      one.start <= start && one.end >= end && !isTypeOfDeclaration(one);
    for (let inner: AstNode | undefined = node; inner;) {
      node = inner;
      inner = childrenNear(node, start).find(contains);
    }
    return this.#placeOf(node, node.start === start && node.end === end);
  }

  #placeOf(node: AstNode, isWhole: boolean): TreePlace {
    const invocation = around(node, ({ nodeType }) => nodeType === 'ModifierInvocation');
    const isBaseArgument = invocation !== undefined && this.#isOfBase(invocation);
    const clauses: AstNode[] = [];
    for (let outer = node; outer.parent; outer = outer.parent) {
      const { parent } = outer;
      const isBlock = parent.nodeType === 'TryCatchClause' && outer === fieldOf(parent, 'block');
      if (isBlock && parametersOf(parent).length > 0) clauses.unshift(parent);
    }
    return {
      node,
      isWhole,
      isBaseArgument,
      clauses,
      callable: around(node, ({ nodeType }) => CALLABLES.has(nodeType)),
      declares: isWhole && isLocal(node) ? node : undefined,
      invocation: isBaseArgument ? undefined : invocation,
      assembly: around(node, ({ nodeType }) => nodeType === 'YulVariableDeclaration'),
    };
  }

  /** Parameters of the modifier that an invocation runs: that of the most derived contract, unless a base is named. */
  modifierParameters(invocation: AstNode): AstNode[] {
    const name = fieldOf(invocation, 'modifierName');
    const definition = name && this.ast.referenced(name);
    return definition ? parametersOf(this.overriding(definition)) : [];
  }

  #isOfBase(invocation: AstNode): boolean {
    const name = fieldOf(invocation, 'modifierName');
    return name !== undefined && this.ast.referenced(name)?.nodeType === 'ContractDefinition';
  }
}

/** The compiler gives a type of functions the range of the whole declaration. */
const isTypeOfDeclaration = ({ nodeType, start, end, parent }: AstNode): boolean =>
  nodeType === 'FunctionTypeName' && parent?.start === start && parent.end === end;

/** A variable of a statement, or a result: its slot is made where it is declared. Arguments are on the stack before. */
function isLocal({ nodeType, parent }: AstNode): boolean {
  if (nodeType !== 'VariableDeclaration' || !parent) return false;
  if (parent.nodeType === 'VariableDeclarationStatement') return true;
  const owner = parent.parent;
  return owner?.nodeType === 'FunctionDefinition' && fieldOf(owner, 'returnParameters') === parent;
}

/** Children up to which all are compared. More of them are items of a list, which do not overlap. */
const MAX_COMPARED = 64;
const byStart = new WeakMap<AstNode, readonly AstNode[]>();

/** The children that may contain a place: a file may have any number of them, and the code any number of places. */
function childrenNear(node: AstNode, at: number): readonly AstNode[] {
  if (node.children.length <= MAX_COMPARED) return node.children;
  const sorted = byStart.get(node) ?? node.children.toSorted((a, b) => a.start - b.start);
  byStart.set(node, sorted);
  let [first, end] = [0, sorted.length];
  while (first < end) {
    const middle = (first + end) >>> 1;
    if ((sorted[middle]?.start ?? 0) <= at) first = middle + 1;
    else end = middle;
  }
  return sorted.slice(Math.max(0, first - MAX_COMPARED), first).reverse();
}
