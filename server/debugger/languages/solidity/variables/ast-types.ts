import { elementaryType } from '../values/elementary';
import {
  isReference,
  placeInStorage,
  type DataLocation,
  type SolidityType,
  type StructMember,
  type ValueType,
} from '../values/types';
import { Unavailable } from '../../port/unavailable';
import { fieldOf, listOf, nameOf, textField, typeDescription, type Ast, type AstNode } from './ast';

const LENGTH = /\[(\d+)\](?: (?:storage|memory|calldata).*)?$/;

/** Types in types. */
const MAX_DEPTH = 32;

/** Types of declarations, by the syntax tree. */
export class AstTypes {
  readonly #structs = new Map<AstNode, () => readonly StructMember[]>();
  readonly #byName = new Map<string, AstNode>();
  #depth = 0;

  constructor(private readonly ast: Ast) {
    for (const kind of ['StructDefinition', 'EnumDefinition', 'ContractDefinition']) {
      for (const node of ast.ofType(kind)) {
        this.#byName.set(textField(node, 'canonicalName') || nameOf(node), node);
      }
    }
  }

  /** The type of a declared variable; undefined for forms that this reader does not know. */
  of(declaration: AstNode): SolidityType | undefined {
    const name = fieldOf(declaration, 'typeName');
    return name ? this.#named(name) : this.#ofText(typeDescription(declaration, 'typeString'));
  }

  /** The type that a struct, enum, contract or named value type defines. */
  defined(node: AstNode): SolidityType | undefined {
    const name = textField(node, 'canonicalName') || nameOf(node);
    switch (node.nodeType) {
      case 'ContractDefinition':
        return { kind: 'contract', name: nameOf(node) };
      case 'EnumDefinition': {
        const members = listOf(node, 'members').map(nameOf);
        return { kind: 'enum', name, members, bytes: 1 };
      }
      case 'StructDefinition':
        return { kind: 'struct', name, members: this.#membersOf(node) };
      case 'UserDefinedValueTypeDefinition': {
        const underlying = this.#valueType(fieldOf(node, 'underlyingType'));
        return underlying && { kind: 'userDefined', name, underlying, id: node.id };
      }
      default:
        return undefined;
    }
  }

  #valueType(node: AstNode | undefined): ValueType | undefined {
    // The grammar of Solidity has no other.
    const type = node?.nodeType === 'ElementaryTypeName' ? this.#named(node) : undefined;
    return type && !isReference(type) ? type : undefined;
  }

  /** A tree by anyone may contain types that are defined by themselves. Members of structs are read when they are asked for. */
  #named(node: AstNode): SolidityType | undefined {
    if (this.#depth >= MAX_DEPTH) return undefined;
    this.#depth++;
    try {
      return this.#read(node);
    } finally {
      this.#depth--;
    }
  }

  #read(node: AstNode): SolidityType | undefined {
    const text = typeDescription(node, 'typeString');
    switch (node.nodeType) {
      case 'ElementaryTypeName':
        return elementaryType(text) ?? elementaryType(nameOf(node));
      case 'UserDefinedTypeName': {
        const definition = this.ast.referenced(node);
        return definition && this.defined(definition);
      }
      case 'Mapping': {
        const [key, value] = ['keyType', 'valueType'].map((field) => this.#inField(node, field));
        return key && value && { kind: 'mapping', key, value };
      }
      case 'ArrayTypeName': {
        const base = this.#inField(node, 'baseType');
        const length = LENGTH.exec(text)?.[1];
        const isFixed = node.json['length'] !== null && node.json['length'] !== undefined;
        if (!base || (isFixed && length === undefined)) return undefined;
        return { kind: 'array', base, length: isFixed ? BigInt(length ?? 0) : undefined };
      }
      case 'FunctionTypeName':
        return {
          kind: 'function',
          name: text,
          isExternal: textField(node, 'visibility') === 'external',
        };
      default:
        return undefined;
    }
  }

  #inField(node: AstNode, field: string): SolidityType | undefined {
    const child = fieldOf(node, field);
    return child && this.#named(child);
  }

  /** Types of `var` (before Solidity 0.5) are known by their text alone. */
  #ofText(text: string, depth = 0): SolidityType | undefined {
    const plain = text.replace(/ (storage|memory|calldata)( (ref|pointer|slice))?$/, '');
    const array = /^(.*)\[(\d*)\]$/.exec(plain);
    if (array) {
      const base = depth < MAX_DEPTH ? this.#ofText(array[1] ?? '', depth + 1) : undefined;
      return base && { kind: 'array', base, length: array[2] ? BigInt(array[2]) : undefined };
    }
    const definition = this.#byName.get(plain.replace(/^(struct|enum|contract) /, ''));
    return elementaryType(plain) ?? (definition && this.defined(definition));
  }

  #membersOf(node: AstNode): () => readonly StructMember[] {
    const known = this.#structs.get(node);
    if (known) return known;
    let members: readonly StructMember[] | undefined;
    const read = (): readonly StructMember[] => {
      members ??= placeInStorage(
        listOf(node, 'members').map((member) => {
          const type = this.of(member);
          if (type) return { name: nameOf(member), type };
          throw new Unavailable(`the type of its member ${nameOf(member)} is not known`);
        }),
      );
      return members;
    };
    this.#structs.set(node, read);
    return read;
  }
}

/** Where the data of a variable of a reference type is. */
export function locationOf(declaration: AstNode): DataLocation | undefined {
  const identifier = typeDescription(declaration, 'typeIdentifier');
  const [, location] = /_(storage|memory|calldata)(?:_ptr)?(?:_slice)?$/.exec(identifier) ?? [];
  if (location) return location as DataLocation;
  return identifier.startsWith('t_mapping') ? 'storage' : undefined;
}
