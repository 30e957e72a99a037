import type { StorageLayout } from '../../analysis/storage-layout';
import { placeInStorage, type SolidityType } from '../values/types';
import type { AstTypes } from './ast-types';
import { contractOf, fieldOf, listOf, nameOf, textField, type Ast, type AstNode } from './ast';
import { LayoutTypes } from './layout-types';

/** A variable of a contract, outside its functions. */
export interface StateVariable {
  readonly name: string;
  /** That declares it; empty where unknown. */
  readonly contract: string;
  readonly type: SolidityType;
  readonly at:
    | { readonly in: 'storage' | 'transient'; readonly slot: bigint; readonly offset: number }
    /** @param id of its declaration */
    | { readonly in: 'code'; readonly id: number }
    | { readonly in: 'constant'; readonly value: AstNode };
}

export interface StateVariables {
  readonly variables: readonly StateVariable[];
  /** Why there are none, or not all. */
  readonly unavailable?: string;
}

/** What is known of a contract's storage. */
export interface ContractFacts {
  readonly name: string;
  /** Format of the compiler's `storageLayout`. */
  readonly layout?: StorageLayout | undefined;
  readonly transientLayout?: StorageLayout | undefined;
}

interface Tree {
  readonly ast: Ast;
  readonly types: AstTypes;
}

/** The variables of a contract and its bases, in the order of their places. */
export function stateVariables(
  contract: AstNode | undefined,
  { layout, transientLayout }: ContractFacts,
  tree: Tree | undefined,
): StateVariables {
  if (contract && tree) {
    const declared = declaredVariables(contract, tree);
    return layout ? withLayout(declared, layout) : declared;
  }
  if (!layout)
    return {
      variables: [],
      unavailable: 'neither its storage layout nor its syntax tree is known',
    };
  return {
    variables: [
      ...fromLayout(layout, 'storage'),
      ...(transientLayout ? fromLayout(transientLayout, 'transient') : []),
    ],
  };
}

function fromLayout(layout: StorageLayout, kind: 'storage' | 'transient'): StateVariable[] {
  const types = new LayoutTypes(layout);
  return layout.storage.flatMap(({ label, slot, offset, type: id }) => {
    const type = types.of(id);
    return type
      ? [{ name: label, contract: '', type, at: { in: kind, slot: BigInt(slot), offset } }]
      : [];
  });
}

/** Places of the compiler, which a layout specifier (Solidity 0.8.29) may move. */
function withLayout({ variables }: StateVariables, layout: StorageLayout): StateVariables {
  const places = layout.storage.map(({ slot, offset }) => ({ slot: BigInt(slot), offset }));
  let next = 0;
  return {
    variables: variables.map((variable) => {
      const place = variable.at.in === 'storage' ? places[next++] : undefined;
      return place ? { ...variable, at: { in: 'storage', ...place } } : variable;
    }),
  };
}

/** Computes the places of storage as the compiler does: bases first, in the order of their linearization. */
function declaredVariables(contract: AstNode, { ast, types }: Tree): StateVariables {
  const ids = contract.json['linearizedBaseContracts'];
  const bases = (Array.isArray(ids) ? (ids as unknown[]) : [])
    .flatMap((id) => (typeof id === 'number' ? (ast.byId.get(id) ?? []) : []))
    .reverse();
  const nodes = bases.flatMap((base) =>
    listOf(base, 'nodes').filter(({ nodeType }) => nodeType === 'VariableDeclaration'),
  );
  const typed = nodes.flatMap((node) => {
    const type = types.of(node);
    return type ? [{ node, type }] : [];
  });
  const first = firstSlot(bases);
  const of = (kind: Kind): typeof typed => typed.filter(({ node }) => kindOf(node) === kind);
  const named = ({ node, type }: (typeof typed)[number]): Omit<StateVariable, 'at'> => {
    const owner = contractOf(node);
    return { name: nameOf(node), contract: owner ? nameOf(owner) : '', type };
  };
  const placed = (kind: 'storage' | 'transient', slot: bigint): StateVariable[] =>
    placeInStorage(of(kind), slot).map((one) => ({
      ...named(one),
      at: { in: kind, slot: one.slot, offset: one.offset },
    }));
  const variables: StateVariable[] = [
    ...placed('storage', first ?? 0n),
    ...placed('transient', 0n),
    ...of('immutable').map((one) => ({
      ...named(one),
      at: { in: 'code' as const, id: one.node.id ?? -1 },
    })),
    ...of('constant').flatMap((one) => {
      const value = fieldOf(one.node, 'value');
      return value ? [{ ...named(one), at: { in: 'constant' as const, value } }] : [];
    }),
  ];
  const isComplete = typed.length === nodes.length && first !== undefined;
  if (isComplete) return { variables };
  return {
    variables: variables.filter(({ at }) => at.in === 'code' || at.in === 'constant'),
    unavailable: 'the places of its variables cannot be computed without its storage layout',
  };
}

type Kind = 'storage' | 'transient' | 'immutable' | 'constant';

function kindOf(node: AstNode): Kind {
  if (node.json['constant'] === true) return 'constant';
  if (textField(node, 'mutability') === 'immutable') return 'immutable';
  return textField(node, 'storageLocation') === 'transient' ? 'transient' : 'storage';
}

/** The slot of `layout at`; undefined where it is no plain number. */
function firstSlot(contracts: readonly AstNode[]): bigint | undefined {
  const specifier = contracts
    .map((contract) => fieldOf(contract, 'storageLayout'))
    .find((one) => one !== undefined);
  if (!specifier) return 0n;
  const expression = fieldOf(specifier, 'baseSlotExpression');
  const value = expression ? textField(expression, 'value') : '';
  return /^(0x[0-9a-fA-F]+|\d+)$/.test(value) ? BigInt(value) : undefined;
}
