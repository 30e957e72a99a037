import { LRUCache } from 'lru-cache';
import type { Variable } from '../../../../api/recording';
import type { Work } from '../../../../kernel/async/slices';
import type { Machine } from '../../../../evm/interpreter/machine';
import type { AstTypes } from './ast-types';
import { enteredFunction, whyNoStack, whyOptimized } from './call-arguments';
import { returnedVariables } from './call-results';
import type { TreePlaces } from './places-in-tree';
import { literalKeys } from './literal-keys';
import { stackAccessesWork } from './stack-accesses';
import { StackHistory } from './stack-history';
import { typeName, type MappingType } from '../values/types';
import type { StoragePlace } from '../values/value';
import { functionName, ProgramTree } from './program-tree';
import type {
  FailingCondition,
  LocalAccesses,
  RecordingVariables,
  VariableSource,
} from '../../port/variables';
import { failingCondition } from './failed-conditions';
import { StepVariables } from './step-variables';
import type { StackProgram } from './symbolic-stack';

const KEPT_STACKS = 256;
const KEPT_HISTORIES = 64;
const KEPT_KEYS = 1_000;

/** The variables of a recording, at any step. */
export class RecordedVariables implements RecordingVariables {
  readonly #stacks = new Map<number, readonly bigint[]>();
  readonly #histories = new LRUCache<number, StackHistory>({ max: KEPT_HISTORIES });
  readonly #literalKeys = new LRUCache<string, readonly string[]>({ max: KEPT_KEYS });
  readonly #names = new Map<string, string>();
  #machine: { step: number; machine: Machine } | undefined;

  constructor(readonly source: VariableSource) {}

  at(step: number, call?: number): StepVariables {
    const { calls } = this.source;
    const machine = this.#machineAt(step);
    const innermost = calls.callOf[step] ?? 0;
    const wanted = call ?? innermost;
    for (let at: number | undefined = innermost; at !== undefined; at = calls.calls[at]?.parent) {
      if (at === wanted) return new StepVariables(this, machine, step, wanted);
    }
    throw new RangeError(`the call is ${wanted}, which is not on the call stack of step ${step}`);
  }

  stateAt(step: number, call: number): StepVariables {
    return new StepVariables(this, this.#machineAt(step), step, call);
  }

  resultsOf(index: number): Variable[] | undefined {
    const { recording, calls } = this.source;
    const call = calls.calls[index];
    const tree = call && this.treeOf(call.frame);
    const returned = tree && returnedVariables(recording, calls, index, tree, this.stackAt);
    if (!returned) return undefined;
    if ('variables' in returned) return this.at(call.endStep).onStack(returned.variables);
    const { results, unavailable } = returned;
    return results.map((one) => ({ ...one, value: '', unavailable }));
  }

  #machineAt(step: number): Machine {
    if (this.#machine?.step !== step) {
      this.#machine = { step, machine: this.source.recording.stateAt(step) };
    }
    return this.#machine.machine;
  }

  /** The stack of the frame that executes a step. */
  stackAt = (step: number): readonly bigint[] => {
    const known = this.#stacks.get(step);
    if (known) return known;
    const stack = this.source.recording.stateAt(step).frames.at(-1)?.stack ?? [];
    if (this.#stacks.size >= KEPT_STACKS) this.#stacks.clear();
    this.#stacks.set(step, stack);
    return stack;
  };

  historyOf = (call: number, places: TreePlaces, types: AstTypes): StackHistory => {
    const { recording, calls } = this.source;
    const program = this.#stackProgram(call, places, types);
    const history = this.#histories.get(call) ?? new StackHistory(recording, calls, call, program);
    this.#histories.set(call, history);
    return history;
  };

  #stackProgram(call: number, places: TreePlaces, types: AstTypes): StackProgram {
    const { recording, calls } = this.source;
    const { frame = 0, kind } = calls.calls[call] ?? {};
    const code = recording.frames[frame]?.context.code ?? new Uint8Array(0);
    return { places, types, code, isExternal: kind === 'external' };
  }

  /** Follows the stack of a long call, so that its variables at a step are at hand. */
  *prepareWork(step: number, call: number): Work<void> {
    const { frame } = this.source.calls.calls[call] ?? {};
    const tree = frame === undefined ? undefined : this.treeOf(frame);
    const { places, types } = tree ?? {};
    if (!tree || !places || !types || whyNoStack(tree) !== '' || tree.facts.compiler?.optimizer)
      return;
    yield* this.historyOf(call, places, types).at(step);
  }

  *accessesWork(name: string, step: number, call: number): Work<LocalAccesses | undefined> {
    const { frame = 0 } = this.source.calls.calls[call] ?? {};
    const tree = this.treeOf(frame);
    const { places, types } = tree ?? {};
    const unavailable = tree ? whyNoStack(tree) : this.source.whyUnknown?.(frame);
    if (!tree || !places || !types || unavailable !== '') {
      return { accesses: [], unavailable: unavailable ?? 'its source is not known' };
    }
    if (tree.facts.compiler?.optimizer !== false) {
      return { accesses: [], unavailable: whyOptimized };
    }
    const program = this.#stackProgram(call, places, types);
    return yield* stackAccessesWork({ recorded: this, tree, program, call, name, step });
  }

  /** Keys of a mapping that the transaction used: those that it hashed, and those that the source names. */
  keysOf(place: StoragePlace, type: MappingType, tree: ProgramTree | undefined): readonly string[] {
    const { recording } = this.source;
    const hashed = recording.hashes.of(place.address, place.slot);
    if (!tree?.ast) return hashed;
    const key = `${place.address} ${place.slot.toString(16)} ${typeName(type)}`;
    const written = this.#literalKeys.get(key) ?? literalKeys(recording, tree.ast, place, type);
    this.#literalKeys.set(key, written);
    return [...new Set([...hashed, ...written])];
  }

  mentioned(frame: number): ReadonlySet<string> | undefined {
    return this.treeOf(frame)?.ast?.names;
  }

  failingCondition(frame: number, offset: number): FailingCondition | undefined {
    const tree = this.treeOf(frame);
    const node = tree?.places?.at(offset)?.node;
    return tree && node && failingCondition(node, tree);
  }

  treeOf(frame: number): ProgramTree | undefined {
    const program = this.source.programOf(frame);
    return program && ProgramTree.of(program);
  }

  /**
   * The function of a call: `Contract.function`, or a public variable's name for its getter. External calls have the name of the function that
   * their selector stands for.
   * @returns empty where it is not known
   */
  nameOf(index: number): string {
    const { recording, calls } = this.source;
    const call = calls.calls[index];
    const tree = call && this.treeOf(call.frame);
    if (!call || !tree) return '';
    const { contract } = tree.facts;
    if (call.kind === 'internal') {
      const { pc } = recording.at(call.firstStep);
      const key = `${call.frame} ${pc}`;
      const name = this.#names.get(key) ?? tree.functionAt(pc) ?? '';
      this.#names.set(key, name);
      return name;
    }
    if (tree.facts.isCreation) return `${contract}.constructor`;
    const input = recording.frames[call.frame]?.context.input ?? new Uint8Array(0);
    const selector = Buffer.from(input.subarray(0, 4)).toString('hex');
    const node = tree.functionBySelector(selector);
    return node ? functionName(node) : '';
  }

  /** The function of an internal call, with its arguments at its entry as far as they are proved. */
  enteredBy(index: number): ReturnType<typeof enteredFunction> {
    const { recording, calls } = this.source;
    const call = calls.calls[index];
    const tree = call && this.treeOf(call.frame);
    return tree && enteredFunction(recording, calls, index, tree, this.stackAt);
  }
}
