import type { Machine } from '../../../../evm/interpreter/machine';
import { isReference, slotsOfType, type SolidityType } from '../values/types';
import { Unavailable } from '../../port/unavailable';
import { nameOf, type AstNode } from './ast';
import { placeIn } from './locals';
import type { ProgramTree } from './program-tree';
import { instructionAt, offsetsIn } from '../../../recording/instruction-offsets';
import type { RecordedFrame } from '../../../recording/recording';
import type { RecordedVariables } from './recorded-variables';

const [JUMP, JUMPI, JUMPDEST] = [0x56, 0x57, 0x5b];
const PENDING =
  'it was compiled with the optimizer, which may write a variable after its line, or not at all';

/**
 * Why a slot may not have the value that its variable has at a line of the source: the optimizer delays writes, and leaves out those that
 * others follow. They are done when the code calls another contract, and at its end.
 * @returns undefined where no write can be pending
 */
export function pendingWrites(
  recorded: RecordedVariables,
  machine: Machine,
  step: number,
  call: number,
): ((slot?: bigint) => string | undefined) | undefined {
  const { calls, recording } = recorded.source;
  const index = calls.calls[call]?.frame ?? 0;
  const frame = recording.frames[index];
  const tree = recorded.treeOf(index);
  if (!frame || tree?.facts.compiler?.optimizer !== true) return undefined;
  const isWaiting = machine.frames.at(-1)?.index !== index;
  const isDone = step === frame.endStep - 1 && frame.end?.kind === 'returned';
  if (isWaiting || isDone || step === frame.firstStep) return undefined;
  const { assignments } = tree;
  if (!assignments) return () => PENDING;
  // Without the IR, the optimizer mixes the statements of a block of code alone.
  const isOrdered = !tree.facts.compiler.viaIR && calls.calls[call]?.kind === 'external';
  const place = isOrdered ? placeIn({ recording, calls, call, step, tree }) : undefined;
  const names = tree.facts.isCreation ? undefined : executed(recorded, call, index);
  const assigned =
    place?.callable && names
      ? assignments.before(
          place.callable,
          place.node,
          endOfBlock(frame, recording.at(step).pc, tree, place.node, place.callable),
        )
      : assignments.of(names);
  const assignedNames = new Set<string>();
  for (const node of assigned.variables) {
    assignedNames.add(`.${nameOf(node)}`).add(`${tree.contractNameOf(node)}.${nameOf(node)}`);
  }
  const places = tree.state.variables.flatMap(({ name, contract, type, at }) => {
    if (at.in !== 'storage') return [];
    const isAssigned = assignedNames.has(`${contract}.${name}`);
    const isPending = isAssigned || (assigned.isAny && isReference(type));
    return [{ first: at.slot, end: at.slot + slotsOf(type), isPending, isList: isReference(type) }];
  });
  const isAnyPending = assigned.isAny || assigned.variables.size > 0;
  const isListPending = assigned.isAny || places.some((one) => one.isPending && one.isList);
  return (slot) => {
    if (slot === undefined) return isAnyPending ? PENDING : undefined;
    const here = places.filter(({ first, end }) => first <= slot && slot < end);
    // Elements of lists and entries of mappings have slots elsewhere.
    const isPending = here.length === 0 ? isListPending : here.some((one) => one.isPending);
    return isPending ? PENDING : undefined;
  };
}

/** Where the statements end in the source that have code in the same block, without a jump between. */
function endOfBlock(
  { context: { code } }: RecordedFrame,
  pc: number,
  { facts }: ProgramTree,
  node: AstNode,
  callable: AstNode,
): number {
  const offsets = offsetsIn(code);
  const own = instructionAt(code, pc);
  let [first, last] = [own, own];
  while (first > 0 && code[offsets[first] ?? 0] !== JUMPDEST && !isEnd(code, offsets[first - 1])) {
    first--;
  }
  while (
    last + 1 < offsets.length &&
    !isEnd(code, offsets[last]) &&
    code[offsets[last + 1] ?? 0] !== JUMPDEST
  ) {
    last++;
  }
  let end = node.end;
  for (const offset of offsets.subarray(first, last + 1)) {
    const range = facts.map.at(offset);
    const isInside = range?.file === callable.file && range.start > callable.start;
    if (!isInside || range.start >= callable.end) continue;
    const rangeEnd = range.start + range.length;
    // Code of the body around the statement is code of no later statement.
    const isAround = range.start < node.start && rangeEnd > node.end;
    if (!isAround) end = Math.max(end, rangeEnd);
  }
  return end;
}

const isEnd = (code: Uint8Array, offset = 0): boolean => {
  const op = code[offset] ?? 0;
  return op === JUMP || op === JUMPI || op === 0x00 || op === 0xf3 || op >= 0xfd;
};

function slotsOf(type: SolidityType): bigint {
  try {
    return isReference(type) ? slotsOfType(type) : 1n;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return 1n;
  }
}

/** Names of the functions of a frame that a call is in; undefined where one is not known. */
function executed(recorded: RecordedVariables, call: number, frame: number): string[] | undefined {
  const { calls } = recorded.source;
  const names: string[] = [];
  for (let at: number | undefined = call; at !== undefined; at = calls.calls[at]?.parent) {
    const one = calls.calls[at];
    if (one?.frame !== frame) break;
    const name = one.function?.name ?? recorded.nameOf(at).split('.').at(-1) ?? '';
    if (name === '') return undefined;
    // A fallback function has no name before Solidity 0.6.
    names.push(name, ...(name === 'fallback' ? [''] : []));
  }
  return names;
}
