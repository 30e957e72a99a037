import { typeName } from '../values/types';
import type { Value } from '../values/value';
import type { AstTypes } from './ast-types';
import { fieldOf, listOf, nameOf, parametersOf, textField, type Ast, type AstNode } from './ast';
import { selectorOf } from './selectors';

/** Where functions are looked for. */
interface Tree {
  readonly ast: Ast | undefined;
  readonly types: AstTypes | undefined;
  /** The contract and its bases, the most derived first. */
  readonly bases: readonly AstNode[];
  /** What no contract contains. */
  readonly fileNodes: readonly AstNode[];
}

const INTERNAL = /^(internal|private)$/;
const SELECTED = new Set(['FunctionDefinition', 'ErrorDefinition', 'EventDefinition']);

/** Functions of the source that expressions name. */
export class NamedFunctions {
  constructor(private readonly tree: Tree) {}

  /** Functions that only the code itself can call: internal ones of the contract and its bases, and free ones. */
  inside(name: string): AstNode[] {
    const { bases, fileNodes } = this.tree;
    const internal = this.#named(bases, name).filter((node) =>
      INTERNAL.test(textField(node, 'visibility')),
    );
    return [...this.#overriding(internal), ...fileNodes.filter((node) => isFunction(node, name))];
  }

  /** @param owner name of a library or contract */
  of(owner: string, name: string): AstNode[] {
    return this.#named(this.#contracts(owner), name);
  }

  /** Functions of the name in all libraries and lists of `using … for`. */
  attached(name: string): AstNode[] {
    const { ast } = this.tree;
    if (!ast) return [];
    const found = ast.ofType('UsingForDirective').flatMap((directive) => {
      const library = fieldOf(directive, 'libraryName');
      const definition = library && ast.referenced(library);
      if (definition) return this.#named([definition], name);
      const { functionList } = directive.json;
      return (Array.isArray(functionList) ? (functionList as unknown[]) : []).flatMap((item) => {
        const path = (item as { function?: { referencedDeclaration?: unknown } }).function;
        const id = path?.referencedDeclaration;
        const node = typeof id === 'number' ? ast.byId.get(id) : undefined;
        return node && isFunction(node, name) ? [node] : [];
      });
    });
    return [...new Set(found)];
  }

  /** Undefined where there is none, or several have the name. */
  selector(owner: string | undefined, name: string): Value | undefined {
    const { bases, fileNodes, types } = this.tree;
    const nodes = [
      ...(owner === undefined ? bases : this.#contracts(owner)).flatMap((one) =>
        listOf(one, 'nodes'),
      ),
      ...(owner === undefined ? fileNodes : []),
    ];
    const found = nodes
      .filter((node) => nameOf(node) === name && isSelected(node))
      .flatMap((node) => {
        const event = textField(node, 'eventSelector');
        if (event !== '') return event;
        const error = textField(node, 'errorSelector');
        return error === '' ? (selectorOf(node, types) ?? []) : error;
      });
    const [selector, ...others] = new Set(found);
    if (selector === undefined || others.length > 0) return undefined;
    return bytesOf(selector);
  }

  /** All selectors of an interface, without those that it inherits (EIP-165). */
  interfaceId(owner: string): Value | undefined {
    const [contract, ...others] = this.#contracts(owner);
    if (!contract || others.length > 0 || textField(contract, 'contractKind') !== 'interface') {
      return undefined;
    }
    const selectors = listOf(contract, 'nodes').flatMap(
      (node) => selectorOf(node, this.tree.types) ?? [],
    );
    const id = selectors.reduce((sum, one) => sum ^ BigInt(`0x${one}`), 0n);
    return bytesOf(id.toString(16).padStart(8, '0'));
  }

  #contracts(name: string): AstNode[] {
    const found = this.tree.ast?.ofType('ContractDefinition') ?? [];
    return found.filter((node) => nameOf(node) === name);
  }

  #named(contracts: readonly AstNode[], name: string): AstNode[] {
    return contracts
      .flatMap((one) => listOf(one, 'nodes'))
      .filter((node) => isFunction(node, name));
  }

  /** Without functions that a more derived one of the same types overrides. */
  #overriding(nodes: readonly AstNode[]): AstNode[] {
    const bySignature = new Map<string, AstNode>();
    for (const node of nodes) {
      const types = parametersOf(node).map((one) => {
        const type = this.tree.types?.of(one);
        return type ? typeName(type) : '';
      });
      const key = types.join();
      if (!bySignature.has(key)) bySignature.set(key, node);
    }
    return [...bySignature.values()];
  }
}

const isFunction = (node: AstNode, name: string): boolean =>
  node.nodeType === 'FunctionDefinition' && nameOf(node) === name && name !== '';

const isSelected = (node: AstNode): boolean =>
  SELECTED.has(node.nodeType) || node.json['stateVariable'] === true;

function bytesOf(digits: string): Value {
  const length = digits.length / 2;
  const word = BigInt(`0x${digits}`) << BigInt(256 - 8 * length);
  return { kind: 'word', type: { kind: 'fixedBytes', length }, word };
}
