import type { StorageLayout } from '../../../../analysis/storage-layout';
import type { NamedImmutable } from '../../../../contracts/sources/immutables';
import { elementaryType } from '../values/elementary';
import { placeInStorage, unknownType, type SolidityType } from '../values/types';
import { Unavailable } from '../../port/unavailable';
import type { AstTypes } from './ast-types';
import {
  contractOf,
  fieldOf,
  listOf,
  nameOf,
  textField,
  typeDescription,
  type Ast,
  type AstNode,
} from './ast';
import { LayoutTypes } from './layout-types';

/** A variable of a contract, outside its functions. */
export interface StateVariable {
  readonly name: string;
  /** That declares it; empty where unknown. */
  readonly contract: string;
  /** Whether other contracts cannot name it. */
  readonly isPrivate: boolean;
  readonly type: SolidityType;
  readonly at:
    | { readonly in: 'storage' | 'transient'; readonly slot: bigint; readonly offset: number }
    /** @param id of its declaration */
    | { readonly in: 'code'; readonly id: number }
    | { readonly in: 'constant'; readonly value: AstNode }
    | { readonly in: 'unknown'; readonly reason: string };
}

export interface StateVariables {
  readonly variables: readonly StateVariable[];
  /** Why there are none, or not all. */
  readonly unavailable?: string;
}

/** What is known of a contract's storage. */
export interface ContractFacts {
  /** Format of the compiler's `storageLayout`. */
  readonly layout?: StorageLayout | undefined;
  readonly transientLayout?: StorageLayout | undefined;
  /** Immutables by the source map, for contracts without a syntax tree. */
  readonly namedImmutables?: readonly NamedImmutable[] | undefined;
}

interface Tree {
  readonly ast: Ast;
  readonly types: AstTypes;
}

/** The variables of a contract and its bases, in the order of their places. */
export function stateVariables(
  contract: AstNode | undefined,
  { layout, transientLayout, namedImmutables = [] }: ContractFacts,
  tree: Tree | undefined,
): StateVariables {
  const bySourceMap = contract && tree ? [] : immutablesWithoutTree(namedImmutables, layout);
  if (!layout && !(contract && tree)) {
    return {
      variables: bySourceMap,
      unavailable: 'neither its storage layout nor its syntax tree is known',
    };
  }
  const bases = contract && tree ? basesOf(contract, tree.ast) : [];
  const declared = tree ? declarations(bases, tree) : [];
  const of = (kind: Kind): Declared[] => declared.filter(({ node }) => kindOf(node) === kind);
  const variables: StateVariable[] = [
    ...(layout ? byLayout(of('storage'), layout, 'storage') : computed(of('storage'), bases)),
    ...(transientLayout
      ? byLayout(of('transient'), transientLayout, 'transient')
      : computed(of('transient'))),
    ...of('immutable').map((one) => ({
      ...named(one),
      at: { in: 'code' as const, id: one.node.id ?? -1 },
    })),
    ...bySourceMap,
    ...of('constant').map((one) => {
      const value = fieldOf(one.node, 'value');
      const reason = 'its value is not in the syntax tree';
      return {
        ...named(one),
        at: value ? { in: 'constant' as const, value } : { in: 'unknown' as const, reason },
      };
    }),
  ];
  const [reason] = variables.flatMap(({ at }) => (at.in === 'unknown' ? at.reason : []));
  return { variables, ...(reason !== undefined && { unavailable: reason }) };
}

/** One whose type is not elementary keeps it as written, and its value is a word. */
function immutablesWithoutTree(
  immutables: readonly NamedImmutable[],
  layout: StorageLayout | undefined,
): StateVariable[] {
  const counts = new Map<string, number>();
  const count = (name: string): unknown => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { name } of immutables) count(name);
  for (const { label } of layout?.storage ?? []) count(label);
  return immutables.flatMap(({ id, name, type }): StateVariable[] => {
    if (name === '') return [];
    const isShared = (counts.get(name) ?? 0) > 1;
    const reason = 'other variables have its name, and the syntax tree of its source is not known';
    return [
      {
        name,
        contract: '',
        isPrivate: false,
        type: elementaryType(type) ?? unknownType(type),
        at: isShared ? { in: 'unknown', reason } : { in: 'code', id: Number(id) },
      },
    ];
  });
}

interface Declared {
  readonly node: AstNode;
  readonly name: string;
  readonly contract: string;
  /** undefined: not known */
  readonly type: SolidityType | undefined;
}

/** Of the contract and its bases, in the order of their storage: bases first. */
const declarations = (bases: readonly AstNode[], { types }: Tree): Declared[] =>
  bases
    .flatMap((base) => listOf(base, 'nodes'))
    .filter(({ nodeType }) => nodeType === 'VariableDeclaration')
    .map((node) => {
      const owner = contractOf(node);
      const contract = owner ? nameOf(owner) : '';
      return { node, name: nameOf(node), contract, type: types.of(node) };
    });

const named = ({ node, name, contract, type }: Declared): Omit<StateVariable, 'at'> => ({
  name,
  contract,
  isPrivate: isPrivate(node),
  type: type ?? unknownType(typeDescription(node, 'typeString')),
});

const isPrivate = (node: AstNode): boolean => textField(node, 'visibility') === 'private';

function basesOf(contract: AstNode, ast: Ast): AstNode[] {
  const ids = contract.json['linearizedBaseContracts'];
  return (Array.isArray(ids) ? (ids as unknown[]) : [])
    .flatMap((id) => (typeof id === 'number' ? (ast.byId.get(id) ?? []) : []))
    .reverse();
}

/** Places as the compiler wrote them. Variables of one name are in the order of their declarations. */
function byLayout(
  declared: readonly Declared[],
  layout: StorageLayout,
  kind: 'storage' | 'transient',
): StateVariable[] {
  const types = new LayoutTypes(layout);
  const others = new Set(declared);
  const byName = new Map<string, Declared[]>();
  for (const one of [...declared].reverse()) {
    const same = byName.get(one.name);
    if (same) same.push(one);
    else byName.set(one.name, [one]);
  }
  const placed = layout.storage.map(({ label, slot, offset, type: id }): StateVariable => {
    const own = byName.get(label)?.pop();
    if (own) others.delete(own);
    const type = own?.type ? types.withSlots(id, own.type) : types.of(id);
    return {
      name: label,
      contract: own?.contract ?? '',
      type: type ?? unknownType(id),
      isPrivate: own !== undefined && isPrivate(own.node),
      at: type
        ? { in: kind, slot: BigInt(slot), offset }
        : { in: 'unknown', reason: `its type ${id} is not known` },
    };
  });
  const reason = 'the storage layout does not contain it';
  return [
    ...placed,
    ...Array.from(others, (one) => ({ ...named(one), at: { in: 'unknown' as const, reason } })),
  ];
}

/**
 * Computes the places as the compiler does.
 * @param bases given for storage, which a layout specifier (Solidity 0.8.29) may move
 */
function computed(declared: readonly Declared[], bases?: readonly AstNode[]): StateVariable[] {
  try {
    const first = bases ? firstSlot(bases) : 0n;
    if (first === undefined) throw new Unavailable('its first slot is an expression');
    const typed = declared.map((one) => {
      const { type } = one;
      if (type) return { ...one, type };
      throw new Unavailable(`the type of ${one.name} is not known`);
    });
    return placeInStorage(typed, first).map((one) => ({
      ...named(one),
      at: { in: bases ? 'storage' : 'transient', slot: one.slot, offset: one.offset },
    }));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const reason = `its place cannot be computed without the storage layout: ${error.message}`;
    return declared.map((one) => ({ ...named(one), at: { in: 'unknown', reason } }));
  }
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
