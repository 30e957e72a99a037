import type { Work } from '../../../../kernel/async/slices';
import type { LocalAccess, LocalAccesses } from '../../port/variables';
import { cleanWord, wordText } from '../values/words';
import { isReference } from '../values/types';
import type { AstNode } from './ast';
import { unknownHeight } from './call-arguments';
import type { ProgramTree } from './program-tree';
import { isReadOf } from './reads-of-locals';
import type { RecordedVariables } from './recorded-variables';
import { SymbolicStack, type LiveVariable, type StackProgram } from './symbolic-stack';

interface Request {
  readonly recorded: RecordedVariables;
  readonly tree: ProgramTree;
  readonly program: StackProgram;
  readonly call: number;
  readonly name: string;
  /** At which the variable is looked up: of the call, or of a call that it makes. */
  readonly step: number;
}

/** Before its value is known. */
interface Found {
  readonly step: number;
  readonly isRead: boolean;
  readonly node: AstNode | undefined;
  /** Whether the variable begins with the value. */
  readonly isFirst?: boolean;
  /** Where no instruction writes it: the first step at which it is there. */
  readonly from?: number;
}

interface Activation {
  readonly found: Found[];
  /** The last step before it is visible. */
  before: number | undefined;
  isVisible: boolean;
}

const PAUSE = 2_048;
const [DUP1, SWAP1] = [0x80, 0x90];
const isDup = (op: number): boolean => op >= DUP1 && op < SWAP1;
const isSwap = (op: number): boolean => op >= SWAP1 && op < SWAP1 + 16;

/**
 * The writes and reads of a variable on the stack, from its declaration to the end of its scope, in code that was compiled without via-IR and
 * without optimizer: a write swaps the new value into the slot, and a read copies it. A function gets copies, so that no other call has any.
 * @returns undefined where no variable of the name is visible at the step
 */
export function* stackAccessesWork(request: Request): Work<LocalAccesses | undefined> {
  const follower = new Follower(request);
  yield* follower.work();
  const { unavailable, variable, found } = follower;
  if (unavailable !== undefined) return { accesses: [], unavailable };
  if (!variable) return undefined;
  const accesses = yield* valuesWork(request, variable, found);
  return { accesses, ...incompleteOf(variable) };
}

/** Follows the variables of a name through a call, until the wanted one ends. */
class Follower {
  /** The one that is visible at the step. */
  variable: LiveVariable | undefined;
  unavailable: string | undefined;
  readonly #stack: SymbolicStack;
  readonly #activations = new Map<LiveVariable, Activation>();
  /** The last step of the call itself. */
  #last: number;

  constructor(private readonly request: Request) {
    const { recorded, call, program } = request;
    this.#stack = new SymbolicStack(program);
    this.#last = recorded.source.calls.calls[call]?.firstStep ?? 0;
  }

  get found(): readonly Found[] {
    return (this.variable && this.#activations.get(this.variable)?.found) ?? [];
  }

  *work(): Work<void> {
    const { recorded, call, step } = this.request;
    const { calls } = recorded.source;
    const { firstStep = 0, endStep = 0 } = calls.calls[call] ?? {};
    let isLookedUp = false;
    for (let at = firstStep; at < endStep; at++) {
      if (at % PAUSE === 0) yield PAUSE;
      if (calls.callOf[at] !== call || calls.isHelper[at] === 1) continue;
      if (at > step && !isLookedUp) {
        this.#lookUp();
        isLookedUp = true;
      }
      if (!this.#follow(at) && isLookedUp) return;
    }
    if (!isLookedUp) this.#lookUp();
  }

  #lookUp(): void {
    const height = this.request.recorded.source.recording.heightAt(this.#last);
    const { variables, isLeaving, untyped } = this.#stack.result(height);
    if (isLeaving) this.unavailable = 'the function is returning and clears its variables';
    else if (untyped !== undefined) this.unavailable = unknownHeight(untyped);
    else this.variable = variables.findLast((one) => one.name === this.request.name);
  }

  /** @returns whether the wanted variable goes on */
  #follow(step: number): boolean {
    const { recorded, program, call, name } = this.request;
    const { recording, calls } = recorded.source;
    const isEntry = step === calls.calls[call]?.entryStep;
    const [{ pc }, height] = [recording.at(step), recording.heightAt(step)];
    if (isEntry) this.#stack.enter(pc, height);
    this.#stack.step(pc, height);
    const before = isEntry ? undefined : this.#last;
    this.#last = step;
    if (this.#stack.isLeaving) return false;
    const own = this.#stack.named(name);
    if (this.variable && !own.includes(this.variable)) return false;
    for (const one of this.#activations.keys()) {
      if (!own.includes(one)) this.#activations.delete(one);
    }
    const node = program.places.at(pc)?.node;
    for (const one of own) {
      const activation = this.#activations.get(one) ?? { found: [], before, isVisible: false };
      this.#activations.set(one, activation);
      note(activation, one, { step, height, op: program.code[pc] ?? 0, node });
    }
    return this.variable !== undefined;
  }
}

interface Instruction {
  readonly step: number;
  readonly height: number;
  readonly op: number;
  readonly node: AstNode | undefined;
}

/** Notes what an instruction does with a variable. */
function note(activation: Activation, variable: LiveVariable, instruction: Instruction): void {
  const { step, height, op, node } = instruction;
  const { slot, words } = variable;
  const { found } = activation;
  const isOn = (index: number): boolean => index >= slot && index < slot + words;
  if (!activation.isVisible && !variable.pending && height >= slot + words) {
    activation.isVisible = true;
    // Without a write, the value is what its declaration or its caller left there.
    if (found.length === 0) {
      const at = { step: activation.before ?? step, from: step };
      found.push({ ...at, isRead: false, isFirst: true, node: undefined });
    }
  }
  if (!activation.isVisible) activation.before = step;
  const last = found.at(-1);
  // Arguments of modifiers and variables of inline assembly are evaluated in their slot.
  const isStored =
    activation.isVisible || variable.pending?.nodeType === 'VariableDeclarationStatement';
  if (isStored && isSwap(op) && isOn(height - 2 - (op - SWAP1)) && height > slot + words) {
    // A value of two words is written word by word.
    if (words > 1 && last?.isRead === false && last.node === node) found.pop();
    found.push({ step, isRead: false, isFirst: !activation.isVisible, node });
  }
  if (!activation.isVisible || !isDup(op) || !isOn(height - 1 - (op - DUP1))) return;
  if (words > 1 && last?.isRead === true && last.node === node) return;
  if (node && isReadOf(node, variable)) found.push({ step, isRead: true, node });
}

function* valuesWork(
  { recorded, tree }: Request,
  { type, slot, words }: LiveVariable,
  found: readonly Found[],
): Work<LocalAccess[]> {
  const writes = found.filter(({ isRead }) => !isRead);
  const values = new Map<number, { before?: bigint; after: bigint }>();
  const steps = writes.map(({ step, from }) => from ?? step);
  yield* recorded.source.recording.visitWork(steps, (machine) => {
    const stack = machine.frames.at(-1)?.stack ?? [];
    const [now = 0n, top = 0n] = [stack[slot], stack.at(-1)];
    const { isFirst, from } = writes[values.size] ?? {};
    const after = from === undefined ? top : now;
    values.set(values.size, isFirst ? { after } : { before: now, after });
  });
  const isWord = type !== undefined && !isReference(type) && words === 1;
  const functions = {
    internal: (word: bigint) => tree.internalFunction(word),
    external: (selector: string) => tree.externalFunction(selector),
  };
  const text = (word: bigint): string =>
    isWord ? wordText(type, cleanWord(type, word), functions) : '';
  let next = 0;
  return found.map(({ step, isRead }) => {
    if (isRead) return { step, isRead, isChange: false };
    const { before, after = 0n } = values.get(next++) ?? {};
    const isChange = words > 1 || before !== after;
    return {
      step,
      isRead,
      isChange,
      ...(isWord && before !== undefined && { before: text(before) }),
      ...(isWord && { after: text(after) }),
    };
  });
}

/** What is not among the writes of a variable that refers to something. */
function incompleteOf({ name, type, location }: LiveVariable): { incomplete?: string } {
  if (!type || !isReference(type) || location === 'calldata') return {};
  const where = location === 'memory' ? 'memory' : 'storage';
  return {
    incomplete: `${name} refers to ${where}: these are the writes and reads of the reference, and not of what it refers to`,
  };
}
