import type { Recording } from '../../../recording/recording';
import type { SourceCalls } from '../../../recording/source-calls';
import { stackWords } from '../values/types';
import { nameOf, parametersOf } from './ast';
import { locationOf } from './ast-types';
import { enteredFunction } from './call-arguments';
import type { ProgramTree } from './program-tree';
import type { StackVariable } from './symbolic-stack';

const JUMP = 0x56;

/**
 * What a function inside a contract returned: the values on the stack at the step after its call. At the return, results replace the return
 * address and the arguments. The height of the stack therefore proves how many there are.
 * @returns undefined where the call did not return by its own jump, and where its arguments or their types are not known
 */
export function returnedVariables(
  recording: Recording,
  calls: SourceCalls,
  index: number,
  tree: ProgramTree,
  stackAt: (step: number) => readonly bigint[],
): StackVariable[] | undefined {
  const call = calls.calls[index];
  const frame = call && recording.frames[call.frame];
  if (!frame || call.kind !== 'internal' || call.entryStep === undefined) return undefined;
  const { endStep, entryStep } = call;
  const last = endStep - 1;
  const isOwn = endStep < frame.endStep && calls.callOf[last] === index;
  if (!isOwn || recording.at(endStep).frame !== call.frame) return undefined;
  if (frame.context.code[recording.at(last).pc] !== JUMP) return undefined;
  const entered = enteredFunction(recording, calls, index, tree, stackAt);
  if (entered?.node.nodeType !== 'FunctionDefinition' || entered.unavailable !== undefined) {
    return undefined;
  }
  const declared = parametersOf(entered.node, 'returnParameters').map((one) => {
    const location = locationOf(one);
    const type = tree.types?.of(one);
    return type && { name: nameOf(one), type, location, words: stackWords(type, location) };
  });
  const given = entered.parameters.reduce((sum, { words }) => sum + words, 0);
  const base = recording.heightAt(entryStep) - given - 1;
  let slot = base;
  const results = declared.flatMap((one) => {
    if (!one) return [];
    const placed = { ...one, slot };
    slot += one.words;
    return placed;
  });
  const isProved = results.length === declared.length && recording.heightAt(endStep) === slot;
  return isProved ? results : undefined;
}
