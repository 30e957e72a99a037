import { selectorOf } from './selectors';
import { Ast, contractOf, listOf, nameOf, textField, type AstNode } from './ast';
import { AstTypes } from './ast-types';
import { TreePlaces } from './places-in-tree';
import { StateAssignments } from './assigned-state';
import { OwnOperators } from './own-operators';
import type { ProgramFacts } from '../../port/program-facts';
import { NamedFunctions } from './named-functions';
import { stateVariables, type StateVariables } from './state-variables';

/** What is computed once for a program. */
export class ProgramTree {
  static readonly #known = new WeakMap<ProgramFacts, ProgramTree>();
  /** undefined without syntax trees */
  readonly ast: Ast | undefined;
  readonly types: AstTypes | undefined;
  readonly contract: AstNode | undefined;
  readonly places: TreePlaces | undefined;
  readonly state: StateVariables;
  readonly operators: OwnOperators;
  readonly namedFunctions: NamedFunctions;
  #assignments: StateAssignments | undefined;
  /** Names of functions by selector. */
  readonly #external = new Map<string, string | undefined>();

  private constructor(readonly facts: ProgramFacts) {
    const ast = facts.trees.size > 0 ? Ast.of(facts.trees) : undefined;
    if (ast) {
      this.ast = ast;
      this.types = new AstTypes(ast);
      this.contract = this.#findContract(ast);
      this.places = new TreePlaces(ast, facts.map, (modifier) => this.#overriding(ast, modifier));
    }
    this.operators = new OwnOperators(ast);
    this.namedFunctions = new NamedFunctions(this);
    const tree = this.ast && this.types && { ast: this.ast, types: this.types };
    this.state = stateVariables(this.contract, facts, tree);
  }

  static of(facts: ProgramFacts): ProgramTree {
    const known = this.#known.get(facts);
    if (known) return known;
    const tree = new ProgramTree(facts);
    this.#known.set(facts, tree);
    return tree;
  }

  #findContract(ast: Ast): AstNode | undefined {
    const { contract, contractFile } = this.facts;
    const named = ast.ofType('ContractDefinition').filter((node) => nameOf(node) === contract);
    if (contractFile === undefined) return named.length === 1 ? named[0] : undefined;
    return named.find(({ file }) => this.facts.text(file)?.file === contractFile);
  }

  /** The contract and its bases, the most derived first. */
  get bases(): AstNode[] {
    return this.basesOf(this.contract);
  }

  basesOf(contract: AstNode | undefined): AstNode[] {
    const ids = contract?.json['linearizedBaseContracts'];
    if (!Array.isArray(ids)) return [];
    return (ids as unknown[]).flatMap((id) =>
      typeof id === 'number' ? (this.ast?.byId.get(id) ?? []) : [],
    );
  }

  /** The definition that runs where a virtual modifier is named. */
  #overriding(ast: Ast, modifier: AstNode): AstNode {
    if (!ast.ofType('ModifierDefinition').includes(modifier)) return modifier;
    const all = this.bases.flatMap((base) => listOf(base, 'nodes'));
    const isSame = (node: AstNode): boolean =>
      node.nodeType === 'ModifierDefinition' && nameOf(node) === nameOf(modifier);
    return all.find(isSame) ?? modifier;
  }

  /** The function whose entry is at an offset; for the getter of a public variable, the variable. */
  entryAt(offset: number): AstNode | undefined {
    const place = this.places?.at(offset);
    if (!place?.isWhole) return undefined;
    const { node, callable } = place;
    if (node === callable) return node;
    return node.json['stateVariable'] === true ? node : undefined;
  }

  functionAt = (offset: number): string | undefined => {
    const node = this.entryAt(offset);
    return node && functionName(node);
  };

  /** The function that a value of an internal function type holds: an offset of the code; via IR, a number that the compiler gave it. */
  internalFunction(word: bigint): string | undefined {
    const { compiler, isCreation } = this.facts;
    if (compiler?.viaIR === true) return this.#functionOfNumber(Number(word));
    // As a contract is created, the word has the offsets in its creation code and in its deployed code.
    return this.functionAt(Number(isCreation ? word >> 32n : word & 0xffffffffn));
  }

  #functionOfNumber(wanted: number): string | undefined {
    const numbers = this.contract?.json['internalFunctionIDs'] ?? {};
    const [id] = Object.entries(numbers).find(([, number]) => number === wanted) ?? [];
    const node = this.ast?.byId.get(Number(id));
    return node && functionName(node);
  }

  /** A function by its selector: of this contract, with the contract's name, or of another one. */
  externalFunction(selector: string): string | undefined {
    if (!this.#external.has(selector)) {
      const own = this.functionBySelector(selector);
      const all = this.ast?.ofType('FunctionDefinition') ?? [];
      const other = all.find((node) => selectorOf(node, this.types) === selector);
      this.#external.set(selector, own ? functionName(own) : other && nameOf(other));
    }
    return this.#external.get(selector);
  }

  /** What the functions assign of the state; undefined without a syntax tree. */
  get assignments(): StateAssignments | undefined {
    this.#assignments ??= this.ast && new StateAssignments(this.ast, this);
    return this.#assignments;
  }

  /** Name of the contract that declares a variable; empty outside of contracts. */
  contractNameOf(node: AstNode): string {
    const contract = contractOf(node);
    return contract ? nameOf(contract) : '';
  }

  /** The source text of a node. */
  textOf({ file, start, end }: AstNode): string | undefined {
    return this.facts.text(file)?.slice(start, end - start);
  }

  /** A function with a selector, of this contract or of a base. @param selector 8 hex digits */
  functionBySelector(selector: string): AstNode | undefined {
    return this.bases
      .flatMap((base) => listOf(base, 'nodes'))
      .find((node) => selectorOf(node, this.types) === selector);
  }

  /** Files' own constants and types, which no contract contains. */
  get fileNodes(): AstNode[] {
    return [...(this.ast?.files.values() ?? [])].flatMap((file) => listOf(file, 'nodes'));
  }
}

/** `Contract.function`, or the function alone outside of contracts. */
export function functionName(node: AstNode): string {
  const contract = contractOf(node);
  const name =
    nameOf(node) || textField(node, 'kind') || (isConstructor(node) ? 'constructor' : 'fallback');
  return contract ? `${nameOf(contract)}.${name}` : name;
}

const isConstructor = (node: AstNode): boolean => node.json['isConstructor'] === true;
