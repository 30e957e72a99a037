/** A node of the syntax tree of Solidity's compiler (`ast`). */
export interface AstNode {
  readonly nodeType: string;
  readonly id: number | undefined;
  /** In bytes. */
  readonly start: number;
  readonly end: number;
  readonly file: number;
  /** The node as the compiler wrote it. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly children: readonly AstNode[];
  /** undefined for a file's own node */
  readonly parent: AstNode | undefined;
}

/** Files of a compilation have some hundred thousand nodes at most. */
const MAX_NODES = 2_000_000;
const MAX_DEPTH = 500;
const SRC = /^(-?\d+):(-?\d+):(-?\d+)$/;
/** Of no use here, and large. */
const SKIPPED = new Set(['typeDescriptions', 'documentation', 'argumentTypes', 'exportedSymbols']);

/** The syntax trees of a compilation. */
export class Ast {
  static readonly #known = new WeakMap<ReadonlyMap<number, unknown>, Ast>();
  /** By id; those of inline assembly have none. */
  readonly byId = new Map<number, AstNode>();
  /** By id of the file. */
  readonly files = new Map<number, AstNode>();
  /** Every name that is declared or mentioned. */
  readonly names = new Set<string>();
  readonly #ofType = new Map<string, AstNode[]>();
  #nodes = 0;

  private constructor(trees: ReadonlyMap<number, unknown>) {
    for (const [file, tree] of trees) {
      const node = this.#read(tree, undefined, 0);
      if (node) this.files.set(file, node);
    }
  }

  /**
   * Reads them once for all contracts of the compilation.
   * @param trees by id of the file; what is no syntax tree is left out
   */
  static of(trees: ReadonlyMap<number, unknown>): Ast {
    const ast = this.#known.get(trees) ?? new Ast(trees);
    this.#known.set(trees, ast);
    return ast;
  }

  ofType(nodeType: string): readonly AstNode[] {
    return this.#ofType.get(nodeType) ?? [];
  }

  #read(value: unknown, parent: AstNode | undefined, depth: number): AstNode | undefined {
    if (!isRecord(value) || depth > MAX_DEPTH || this.#nodes >= MAX_NODES) return undefined;
    const { nodeType, src, nativeSrc, id } = value;
    const place = SRC.exec(String(nativeSrc ?? src));
    if (typeof nodeType !== 'string' || !place) return undefined;
    this.#nodes++;
    const [start = 0, length = 0, file = 0] = place.slice(1).map(Number);
    const children: AstNode[] = [];
    const node: AstNode = {
      nodeType,
      start,
      end: start + length,
      file,
      json: value,
      children,
      parent,
      id: typeof id === 'number' ? id : undefined,
    };
    if (node.id !== undefined) this.byId.set(node.id, node);
    if (typeof value['name'] === 'string') this.names.add(value['name']);
    const same = this.#ofType.get(nodeType) ?? [];
    this.#ofType.set(nodeType, same);
    same.push(node);
    for (const [name, field] of Object.entries(value)) {
      if (SKIPPED.has(name)) continue;
      for (const item of Array.isArray(field) ? (field as unknown[]) : [field]) {
        const child = this.#read(item, node, depth + 1);
        if (child) children.push(child);
      }
    }
    return node;
  }

  /** The node that a name refers to. */
  referenced(node: AstNode): AstNode | undefined {
    const id =
      node.json['referencedDeclaration'] ??
      fieldOf(node, 'pathNode')?.json['referencedDeclaration'];
    return typeof id === 'number' ? this.byId.get(id) : undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The child in a field. */
export const fieldOf = (node: AstNode, field: string): AstNode | undefined =>
  node.children.find(({ json }) => json === node.json[field]);

/** The children in a field that is a list, in order. */
export function listOf(node: AstNode, field: string): AstNode[] {
  const list = node.json[field];
  if (!Array.isArray(list)) return [];
  const items = new Set<unknown>(list as unknown[]);
  return node.children.filter(({ json }) => items.has(json));
}

/** The parameters in a field. */
export function parametersOf(node: AstNode, field = 'parameters'): AstNode[] {
  const list = fieldOf(node, field);
  return list ? listOf(list, 'parameters') : [];
}

export const textField = (node: AstNode, field: string): string => {
  const value = node.json[field];
  return typeof value === 'string' ? value : '';
};

export const nameOf = (node: AstNode): string => textField(node, 'name');

export function typeDescription(node: AstNode, field: 'typeString' | 'typeIdentifier'): string {
  const descriptions = node.json['typeDescriptions'];
  const value = isRecord(descriptions) ? descriptions[field] : undefined;
  return typeof value === 'string' ? value : '';
}

/** The nearest node around one, or itself, that passes. */
export function around(node: AstNode, passes: (node: AstNode) => boolean): AstNode | undefined {
  let found: AstNode | undefined = node;
  while (found && !passes(found)) found = found.parent;
  return found;
}

export const contractOf = (node: AstNode): AstNode | undefined =>
  around(node, ({ nodeType }) => nodeType === 'ContractDefinition');
