import type { Recording } from '../../../recording/recording';
import type { SourceCall, SourceCalls } from '../../../recording/source-calls';
import { stackWords } from '../values/types';
import { nameOf, parametersOf, textField, type AstNode } from './ast';
import { locationOf } from './ast-types';
import { enteredFunction, type EnteredFunction } from './call-arguments';
import type { ProgramTree } from './program-tree';
import type { StackVariable } from './symbolic-stack';

const JUMP = 0x56;
const OTHER_FORM = 'the stack after its call has another form than that of its results';
const OPTIMIZED_IR =
  'it was compiled via IR with the optimizer, which removes and merges results; the unoptimized build has them';

/** What a function inside a contract returned, in order. */
export type Returned =
  | { readonly variables: readonly StackVariable[] }
  | { readonly results: readonly DeclaredResult[]; readonly unavailable: string };

interface DeclaredResult {
  readonly name: string;
  /** As the compiler writes it. */
  readonly type: string;
}

type StackAt = (step: number) => readonly bigint[];

/**
 * What a function inside a contract returned: the values on the stack at the step after its call. At the return, results replace the return
 * address and the arguments. The height of the stack therefore proves how many there are.
 * @returns undefined where the call did not return, and where its function is not known
 */
export function returnedVariables(
  recording: Recording,
  calls: SourceCalls,
  index: number,
  tree: ProgramTree,
  stackAt: StackAt,
): Returned | undefined {
  const call = calls.calls[index];
  const frame = call && recording.frames[call.frame];
  if (!frame || call.kind !== 'internal' || call.entryStep === undefined) return undefined;
  const { endStep } = call;
  if (endStep >= frame.endStep || recording.at(endStep).frame !== call.frame) return undefined;
  const entered = enteredFunction(recording, calls, index, tree, stackAt);
  if (entered?.node.nodeType !== 'FunctionDefinition') return undefined;
  const last = endStep - 1;
  const isJump = frame.context.code[recording.at(last).pc] === JUMP;
  // Code of another function may end this one: the optimizer shares equal ends.
  const reason =
    isJump && calls.callOf[last] === index
      ? placed(recording, call, entered, tree, stackAt)
      : OTHER_FORM;
  if (typeof reason !== 'string') return { variables: reason };
  return { results: declaredResults(entered.node), unavailable: reason };
}

/** The results on the stack, or why they are not known. */
function placed(
  recording: Recording,
  { entryStep = 0, endStep }: SourceCall,
  { node, parameters, unavailable }: EnteredFunction,
  tree: ProgramTree,
  stackAt: StackAt,
): StackVariable[] | string {
  const nodes = parametersOf(node, 'returnParameters');
  const declared = nodes.flatMap((one) => {
    const location = locationOf(one);
    const type = tree.types?.of(one);
    return type ? { name: nameOf(one), type, location, words: stackWords(type, location) } : [];
  });
  if (declared.length < nodes.length) return 'the type of a result is not known';
  const { compiler } = tree.facts;
  const words = declared.reduce((sum, one) => sum + one.words, 0);
  const end = recording.heightAt(endStep);
  let base: number;
  if (compiler?.viaIR === true) {
    if (compiler.optimizer) return OPTIMIZED_IR;
    base = end - words;
    // Functions of the IR keep their form only where the place that they return to lies below the arguments.
    const entry = stackAt(entryStep);
    const destination = BigInt(recording.at(endStep).pc);
    const isReturn = entry[base] === destination && entry.indexOf(destination) === base;
    if (!isReturn) return OTHER_FORM;
  } else {
    if (unavailable !== undefined) return unavailable;
    const given = parameters.reduce((sum, one) => sum + one.words, 0);
    base = recording.heightAt(entryStep) - given - 1;
    if (end !== base + words) return OTHER_FORM;
  }
  let slot = base;
  return declared.map((one) => {
    const variable = { ...one, slot };
    slot += one.words;
    return variable;
  });
}

const declaredResults = (node: AstNode): DeclaredResult[] =>
  parametersOf(node, 'returnParameters').map((one) => ({
    name: nameOf(one),
    type: typeText(one),
  }));

/** Without the words that say where a value is. */
function typeText(node: AstNode): string {
  const { typeDescriptions } = node.json as { typeDescriptions?: { typeString?: unknown } };
  const text = typeDescriptions?.typeString;
  return typeof text === 'string'
    ? text
        .replace(/ (memory|storage|calldata|ref|pointer)\b/g, '')
        .replace(/^(struct|enum|contract) /, '')
    : textField(node, 'name');
}
