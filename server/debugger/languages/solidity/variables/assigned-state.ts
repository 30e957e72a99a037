import { around, fieldOf, listOf, nameOf, textField, type Ast, type AstNode } from './ast';

/** What functions may assign of the state. */
export interface AssignedState {
  /** Declarations of state variables. */
  readonly variables: ReadonlySet<AstNode>;
  /** Whether they assign by a reference to storage, or in assembly: any variable that a reference may lead to. */
  readonly isAny: boolean;
}

const CALLABLES = ['FunctionDefinition', 'ModifierDefinition'];
const LOOPS = new Set(['ForStatement', 'WhileStatement', 'DoWhileStatement']);
const CHANGING = new Set(['++', '--', 'delete']);
const GROWING = new Set(['push', 'pop']);

interface Direct {
  readonly variables: Set<AstNode>;
  isAny: boolean;
  readonly names: Set<string>;
}

/** What the functions of the source assign, with those that they name. */
export class StateAssignments {
  readonly #byName = new Map<string, AstNode[]>();
  readonly #direct = new Map<AstNode, Direct>();
  readonly #known = new Map<string, AssignedState>();

  constructor(
    private readonly ast: Ast,
    private readonly source: { textOf(node: AstNode): string | undefined },
  ) {
    for (const node of CALLABLES.flatMap((type) => ast.ofType(type))) {
      const same = this.#byName.get(nameOf(node)) ?? [];
      this.#byName.set(nameOf(node), same);
      same.push(node);
    }
  }

  /** @param names of the functions that are executed; undefined where one is not known: all of the source */
  of(names: readonly string[] | undefined): AssignedState {
    const key = names ? [...new Set(names)].sort().join(' ') : '*';
    const known = this.#known.get(key) ?? this.#read(names ?? [...this.#byName.keys()]);
    this.#known.set(key, known);
    return known;
  }

  /** What a function assigns up to an offset of its source, where no loop leads back from a place. */
  before(callable: AstNode, place: AstNode, end: number): AssignedState {
    const loop = around(place, (node) => LOOPS.has(node.nodeType) || node === callable);
    if (loop !== callable) return this.of([nameOf(callable)]);
    const own = this.#collect(callable, end);
    const called = this.#read([...own.names]);
    const variables = new Set([...own.variables, ...called.variables]);
    return { variables, isAny: own.isAny || called.isAny };
  }

  #read(names: readonly string[]): AssignedState {
    const variables = new Set<AstNode>();
    let isAny = false;
    const waiting = [...names];
    const done = new Set<string>();
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (done.has(name)) continue;
      done.add(name);
      for (const node of this.#byName.get(name) ?? []) {
        const own = this.#directOf(node);
        for (const variable of own.variables) variables.add(variable);
        isAny ||= own.isAny;
        waiting.push(...own.names);
      }
    }
    return { variables, isAny };
  }

  #directOf(callable: AstNode): Direct {
    const known = this.#direct.get(callable) ?? this.#collect(callable, Infinity);
    this.#direct.set(callable, known);
    return known;
  }

  /** @param before place in the source up to which it is read */
  #collect(callable: AstNode, before: number): Direct {
    const found = { variables: new Set<AstNode>(), isAny: false, names: new Set<string>() };
    const assign = (target: AstNode | undefined): void => {
      if (target?.nodeType === 'TupleExpression') {
        for (const part of listOf(target, 'components')) assign(part);
        return;
      }
      const variable = target && this.#variableOf(target);
      if (variable === 'any') found.isAny = true;
      else if (variable) found.variables.add(variable);
    };
    const visit = (node: AstNode): void => {
      if (node.start >= before) return;
      for (const child of node.children) visit(child);
      if (node.end > before) return;
      const operator = textField(node, 'operator');
      const member = textField(node, 'memberName');
      if (node.nodeType === 'Assignment') assign(fieldOf(node, 'leftHandSide'));
      if (node.nodeType === 'UnaryOperation' && CHANGING.has(operator)) {
        assign(fieldOf(node, 'subExpression'));
      }
      if (node.nodeType === 'MemberAccess' && GROWING.has(member)) {
        assign(fieldOf(node, 'expression'));
      }
      if (node.nodeType === 'InlineAssembly') {
        found.isAny ||= /\bsstore\b/.test(this.source.textOf(node) ?? 'sstore');
      }
      if (node === callable) return;
      for (const name of [nameOf(node), member]) {
        // Constructors have no name, as most nodes.
        if (name !== '' && this.#byName.has(name)) found.names.add(name);
      }
    };
    visit(callable);
    return found;
  }

  /** The state variable that an assignment changes; `any` where a reference leads to it; undefined for a local one. */
  #variableOf(target: AstNode): AstNode | 'any' | undefined {
    const declared = this.ast.referenced(target);
    const isMember = declared?.parent?.nodeType === 'StructDefinition';
    if (declared?.nodeType === 'VariableDeclaration' && !isMember) {
      if (declared.json['stateVariable'] === true) return declared;
      return textField(declared, 'storageLocation') === 'storage' ? 'any' : undefined;
    }
    const inner = fieldOf(target, 'baseExpression') ?? fieldOf(target, 'expression');
    const isPart = /^(IndexAccess|MemberAccess|IndexRangeAccess)$/.test(target.nodeType);
    return isPart && inner ? this.#variableOf(inner) : 'any';
  }
}
