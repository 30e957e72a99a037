import { stackWords, type DataLocation, type SolidityType, UINT256 } from '../values/types';
import { listOf, nameOf, parametersOf, type AstNode } from './ast';
import { locationOf, type AstTypes } from './ast-types';
import type { TreePlace, TreePlaces } from './places-in-tree';

/** A local variable or an argument, and its words on the stack. */
export interface StackVariable {
  readonly name: string;
  /** undefined: of a form that is not known */
  readonly type: SolidityType | undefined;
  readonly location: DataLocation | undefined;
  /** Index of its first word, from the bottom of the stack. */
  readonly slot: number;
  readonly words: number;
}

/** What a call executes. */
export interface StackProgram {
  readonly places: TreePlaces;
  readonly types: AstTypes;
  readonly code: Uint8Array;
  readonly isExternal: boolean;
}

/** The variables of a call at a step. */
export interface CallVariables {
  /** Function, or modifier, that the step is in. */
  readonly callable: AstNode | undefined;
  readonly variables: readonly LiveVariable[];
  /** Whether the function is clearing its part of the stack. */
  readonly isLeaving: boolean;
  /** A variable whose type, and so whose number of words, is not known. */
  readonly untyped?: string;
}

/** A variable that is on the stack, or about to be. */
export interface LiveVariable extends StackVariable {
  readonly declaration: AstNode;
  /** Function or modifier in which it is visible. */
  readonly owner: AstNode;
  /** Height of the stack as its words were begun. */
  readonly from: number;
  /** Whether its words are on the stack. */
  isReserved: boolean;
  /** Its declaration, until its first value is assigned. */
  pending: AstNode | undefined;
}

const isSwap = (byte: number): boolean => byte >= 0x90 && byte <= 0x9f;

/**
 * Follows the stack of one call in code that was compiled without via-IR and without optimizer. The compiler reserves slots in the order of
 * the source: arguments before the jump into a function, then results, arguments of modifiers, and each local variable where it is
 * declared. A variable lives until its slot is popped, which is at the end of its scope.
 */
export class SymbolicStack {
  #live: LiveVariable[] = [];
  /** What the step before was in. */
  #before: TreePlace | undefined;
  #callable: AstNode | undefined;
  #isLeaving = false;
  #untyped: string | undefined;
  #entered = new Set<AstNode>();

  constructor(private readonly program: StackProgram) {}

  clone(): SymbolicStack {
    const copy = new SymbolicStack(this.program);
    copy.#live = this.#live.map((variable) => ({ ...variable }));
    copy.#before = this.#before;
    copy.#callable = this.#callable;
    copy.#isLeaving = this.#isLeaving;
    copy.#untyped = this.#untyped;
    copy.#entered = new Set(this.#entered);
    return copy;
  }

  /** Arguments are on the stack at the entry of a function, above the place that it returns to. */
  enter(pc: number, height: number): void {
    const place = this.program.places.at(pc);
    if (!place?.isWhole || !place.callable || place.node !== place.callable) return;
    const { callable } = place;
    this.#entered.add(callable);
    if (callable.nodeType === 'FunctionDefinition') {
      this.#addBelow(callable, parametersOf(callable), height);
      return;
    }
    // Inline assembly evaluates arguments from the right.
    for (const [index, node] of listOf(callable, 'parameters').entries()) {
      this.#addAssembly(callable, node, { slot: height - 1 - index, from: 0 });
    }
    for (const [index, node] of listOf(callable, 'returnVariables').entries()) {
      this.#addAssembly(callable, node, { slot: height + index, from: height });
    }
  }

  /** An instruction of this call, before it is executed. */
  step(pc: number, height: number): void {
    const place = this.program.places.at(pc);
    const isBody = place !== undefined && !(place.isWhole && place.node === place.callable);
    this.#pop(height);
    if (!place) return;
    this.#assign(place);
    if (isBody && !place.isBaseArgument) this.#enterInline(place, height);
    this.#declare(place, height);
    if (place.callable) this.#callable = place.isBaseArgument ? undefined : place.callable;
    if (
      !isBody &&
      place.node.nodeType === 'FunctionDefinition' &&
      isSwap(this.program.code[pc] ?? 0)
    ) {
      this.#isLeaving = this.#entered.has(place.node);
    }
    this.#before = place;
  }

  /** Ends variables whose words are no longer on the stack. */
  #pop(height: number): void {
    this.#live = this.#live.filter((variable) => {
      if (height >= variable.slot + variable.words) variable.isReserved = true;
      else if (variable.isReserved) return false;
      return height >= variable.from;
    });
  }

  #assign({ node }: TreePlace): void {
    for (const variable of this.#live) {
      const { pending } = variable;
      if (!pending) continue;
      const isInside =
        node.file === pending.file && node.start >= pending.start && node.end <= pending.end;
      if (!isInside) variable.pending = undefined;
    }
  }

  /**
   * Constructors and functions that receive other calls are part of the code that runs first: nothing jumps into them. Before Solidity 0.5
   * the jump from the selector into a function has no mark.
   */
  #enterInline({ callable, clauses }: TreePlace, height: number): void {
    const isFunction = callable?.nodeType === 'FunctionDefinition';
    if (this.program.isExternal && isFunction && !this.#entered.has(callable)) {
      this.#entered.add(callable);
      this.#isLeaving = false;
      this.#addBelow(callable, parametersOf(callable), height);
    }
    for (const clause of clauses) {
      if (!callable || this.#before?.clauses.includes(clause)) continue;
      this.#addBelow(callable, parametersOf(clause), height);
    }
  }

  #declare({ declares, invocation, assembly, callable }: TreePlace, height: number): void {
    const before = this.#before;
    if (declares && callable && before?.declares !== declares) {
      const { parent } = declares;
      const isStatement = parent?.nodeType === 'VariableDeclarationStatement';
      this.#add(
        callable,
        declares,
        { slot: height, from: height },
        isStatement ? parent : undefined,
      );
    }
    if (invocation && before?.invocation !== invocation) {
      let slot = height;
      for (const node of this.program.places.modifierParameters(invocation)) {
        const owner = node.parent?.parent ?? node;
        slot += this.#add(owner, node, { slot, from: height }, invocation);
      }
    }
    if (assembly && callable && before?.assembly !== assembly) {
      for (const [index, node] of listOf(assembly, 'variables').entries()) {
        this.#addAssembly(callable, node, { slot: height + index, from: height }, assembly);
      }
    }
  }

  #addBelow(owner: AstNode, nodes: readonly AstNode[], height: number): void {
    const sizes = nodes.map((node) => this.#wordsOf(node));
    let slot = height - sizes.reduce((sum, words) => sum + words, 0);
    for (const node of nodes) slot += this.#add(owner, node, { slot, from: 0 });
  }

  #wordsOf(node: AstNode): number {
    const type = this.program.types.of(node);
    if (!type) this.#untyped ??= nameOf(node);
    return stackWords(type ?? UINT256, locationOf(node));
  }

  /** @returns its words */
  #add(
    owner: AstNode,
    node: AstNode,
    place: { slot: number; from: number },
    pending?: AstNode,
  ): number {
    const words = this.#wordsOf(node);
    const [type, location] = [this.program.types.of(node), locationOf(node)];
    const base = { declaration: node, name: nameOf(node), type, location, words, ...place };
    this.#live.push({ ...base, owner, pending, isReserved: false });
    return words;
  }

  #addAssembly(
    owner: AstNode,
    node: AstNode,
    place: { slot: number; from: number },
    pending?: AstNode,
  ): void {
    const base = { declaration: node, name: nameOf(node), words: 1, ...place };
    const word = { type: UINT256, location: undefined };
    this.#live.push({ ...base, ...word, owner, pending, isReserved: false });
  }

  /** Whether the function is clearing its part of the stack. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** The variables of a name, also those that are not visible, each the same object at every step. */
  named(name: string): LiveVariable[] {
    return this.#live.filter((one) => one.name === name);
  }

  /** @param height of the stack at the last step */
  result(height: number): CallVariables {
    const callable = this.#callable;
    const visible = this.#live.filter(
      ({ owner, pending, slot, words, name }) =>
        owner === callable && !pending && slot >= 0 && slot + words <= height && name !== '',
    );
    return {
      callable,
      variables: visible,
      isLeaving: this.#isLeaving,
      ...(this.#untyped !== undefined && { untyped: this.#untyped }),
    };
  }
}
