import { evaluateAs } from '../expressions/evaluate';
import type { EncodableFunction } from '../expressions/encode-call';
import type { CallableFunction, Names } from '../expressions/names';
import { ExpressionError } from '../../port/expression-error';
import type { Operand } from '../expressions/operands';
import { wordAt } from '../../../../evm/interpreter/word';
import { isBefore } from '../../../recording/program';
import type { State } from '../values/state';
import { storageValue } from '../values/storage-values';
import { isReference, type UserDefinedType } from '../values/types';
import { Unavailable } from '../../port/unavailable';
import { orMissing, type Value } from '../values/value';
import { contractOf, fieldOf, listOf, nameOf, type AstNode } from './ast';
import { encodableFunctions } from './encodable-functions';
import { interpretedFunction, type NamesWith } from './interpreted-functions';
import type { NamedValue } from './locals';
import { globalName, GLOBALS } from './message';
import type { ProgramTree } from './program-tree';
import type { StateVariable } from './state-variables';
import { ViewCalls } from './view-calls';

const TYPES = new Set([
  'StructDefinition',
  'EnumDefinition',
  'ContractDefinition',
  'UserDefinedValueTypeDefinition',
]);
/** Constants that refer to one another. */
const MAX_CONSTANTS = 20;

/** The names that the code of a step can use: local variables first, then the contract's, its types, and what Solidity knows everywhere. */
export class StepNames implements Names {
  /** Each is evaluated once: constants may name each other many times. */
  readonly #constants: Map<AstNode, Value>;

  constructor(
    readonly state: State,
    private readonly tree: ProgramTree | undefined,
    private readonly locals: () => readonly NamedValue[],
    /** Of a constant's value: how many constants led to it, the contract that declares it, and what is evaluated already. */
    private readonly constant?: {
      depth: number;
      contract: AstNode | undefined;
      values: Map<AstNode, Value>;
    },
    /** The contract whose source has the place of the call. */
    private readonly contractHere: () => AstNode | undefined = () => undefined,
    /** Of the functions whose evaluation led here. */
    private readonly depth = 0,
  ) {
    this.#constants = constant?.values ?? new Map<AstNode, Value>();
  }

  known(): readonly string[] {
    const variables = this.tree?.state.variables ?? [];
    return [...new Set([...this.locals(), ...variables].map(({ name }) => name)), ...GLOBALS];
  }

  resolve(name: string): Operand | undefined {
    return (
      this.locals().findLast((local) => local.name === name)?.value ??
      (this.constant ? undefined : this.stateVariable(name)) ??
      this.#defined(name) ??
      globalName(name, this.state, this.tree?.facts.contract ?? '')
    );
  }

  get cutsLiterals(): boolean {
    return this.tree !== undefined && isBefore(this.tree.facts, 8);
  }

  operator(type: UserDefinedType, operator: string, count: number): CallableFunction | undefined {
    const { tree } = this;
    const node = tree?.operators.find(type, operator, count);
    return tree && node && interpretedFunction(node, tree, this.#inside, this.depth);
  }

  /** The names inside of a function that is evaluated. */
  readonly #inside: NamesWith = (locals, depth) =>
    new StepNames(this.state, this.tree, locals, undefined, () => undefined, depth);

  readonly derives = (contract: string, base: string): boolean =>
    (this.tree?.ast?.ofType('ContractDefinition') ?? []).some(
      (node) =>
        nameOf(node) === contract && this.tree?.basesOf(node).some((one) => nameOf(one) === base),
    );

  functions(name: string, target: Value | undefined, at: number): readonly CallableFunction[] {
    const own = target ? [] : this.#interpreted(this.tree?.namedFunctions.inside(name) ?? []);
    return own.length > 0 ? own : new ViewCalls(this.state, this.tree).named(name, target, at);
  }

  functionsOf(library: string, name: string): readonly CallableFunction[] {
    return this.#interpreted(this.tree?.namedFunctions.of(library, name) ?? []);
  }

  attached(name: string): readonly CallableFunction[] {
    return this.#interpreted(this.tree?.namedFunctions.attached(name) ?? []);
  }

  selector(contract: string | undefined, name: string): Value | undefined {
    return this.tree?.namedFunctions.selector(contract, name);
  }

  encodable(contract: string | undefined, name: string): readonly EncodableFunction[] {
    return this.tree ? encodableFunctions(this.tree, contract, name) : [];
  }

  interfaceId(contract: string): Value | undefined {
    return this.tree?.namedFunctions.interfaceId(contract);
  }

  #interpreted(nodes: readonly AstNode[]): CallableFunction[] {
    const { tree } = this;
    if (!tree) return [];
    return nodes.flatMap((node) => interpretedFunction(node, tree, this.#inside, this.depth) ?? []);
  }

  /**
   * The variable that a name means in the contract whose code runs, which sees its own private ones and others of its bases; else the most
   * derived one.
   */
  stateVariable(name: string): Value | undefined {
    const found = this.tree?.state.variables.filter((one) => one.name === name) ?? [];
    if (found.length < 2) return found[0] && this.valueOf(found[0]);
    const bestIn = (contract: AstNode | undefined): StateVariable | undefined => {
      const order = this.tree?.basesOf(contract).map(nameOf) ?? [];
      const visible = (one: StateVariable): boolean =>
        one.contract === order[0] || (order.includes(one.contract) && !one.isPrivate);
      return found
        .filter(visible)
        .sort((a, b) => order.indexOf(a.contract) - order.indexOf(b.contract))[0];
    };
    const best = bestIn(this.contractHere()) ?? bestIn(this.tree?.contract) ?? found.at(-1);
    return best && this.valueOf(best);
  }

  /** How an expression names a state variable, where several have one name. */
  expressionOf({ name, contract }: StateVariable): string {
    const isAmbiguous =
      contract !== '' &&
      (this.tree?.state.variables.filter((one) => one.name === name).length ?? 0) > 1;
    return isAmbiguous ? `${contract}.${name}` : name;
  }

  valueOf({ type, at }: StateVariable): Value {
    const { address } = this.state.frame.context;
    if (at.in === 'unknown') return { kind: 'missing', type, reason: at.reason };
    if (at.in === 'constant') return this.#constant(at.value, type);
    if (at.in !== 'code') return storageValue(this.state, type, { ...at, address });
    return orMissing(type, () => this.#immutable(at.id, type), { in: 'code' });
  }

  /** Immutables are words of the code. */
  #immutable(id: number, type: Value['type']): Value {
    const { immutables, isCreation } = this.tree?.facts ?? {};
    if (isCreation) throw new Unavailable('it is set as the contract is created');
    const [place] = immutables?.[String(id)] ?? [];
    if (!place || isReference(type)) throw new Unavailable('its place in the code is not known');
    const word = wordAt(this.state.frame.context.code, place.start, place.length);
    return { kind: 'word', type, word, origin: { in: 'code' } };
  }

  #constant(node: AstNode, type: Value['type']): Value {
    const known = this.#constants.get(node);
    if (known) return known;
    const value = this.#evaluated(node, type);
    this.#constants.set(node, value);
    return value;
  }

  #evaluated(node: AstNode, type: Value['type']): Value {
    const text = this.tree?.textOf(node);
    return orMissing(type, () => {
      if (text === undefined) throw new Unavailable('its source text is not known');
      const depth = (this.constant?.depth ?? 0) + 1;
      if (depth > MAX_CONSTANTS) throw new Unavailable('it refers to itself');
      const constant = { depth, contract: contractOf(node), values: this.#constants };
      const names = new StepNames(this.state, this.tree, () => [], constant);
      try {
        return evaluateAs(text, type, names);
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        throw new Unavailable(`its value ${text} is not evaluated: ${error.message}`);
      }
    });
  }

  #defined(name: string): Operand | undefined {
    if (!this.tree?.ast) return undefined;
    const bases = this.constant ? this.tree.basesOf(this.constant.contract) : this.tree.bases;
    const inner = bases.flatMap((base) => listOf(base, 'nodes'));
    const all = [...inner, ...this.tree.fileNodes];
    return this.#operandOf(all.find((node) => nameOf(node) === name && isDefinition(node)));
  }

  #operandOf(node: AstNode | undefined): Operand | undefined {
    if (!node || !this.tree?.types) return undefined;
    if (node.nodeType === 'VariableDeclaration') return this.#variable(node);
    const type = this.tree.types.defined(node);
    if (!type) return undefined;
    const inner = listOf(node, 'nodes');
    const member = (name: string): Operand | undefined =>
      this.#operandOf(inner.find((one) => nameOf(one) === name && isDefinition(one)));
    return { kind: 'type', type, member };
  }

  /** A constant of a file or of another contract, or a variable of a base by its full name. */
  #variable(node: AstNode): Operand | undefined {
    const owner = contractOf(node);
    const own = this.tree?.state.variables.find(
      ({ name, contract }) => owner && name === nameOf(node) && contract === nameOf(owner),
    );
    if (own) return this.valueOf(own);
    const type = this.tree?.types?.of(node);
    const value = fieldOf(node, 'value');
    return node.json['constant'] === true && type && value
      ? this.#constant(value, type)
      : undefined;
  }
}

const isDefinition = ({ nodeType }: AstNode): boolean =>
  TYPES.has(nodeType) || nodeType === 'VariableDeclaration';
