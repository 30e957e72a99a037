import type { Recording } from '../../../recording/recording';
import type { SourceCalls } from '../../../recording/source-calls';
import { stackWords, UINT256 } from '../values/types';
import { listOf, nameOf, parametersOf, type AstNode } from './ast';
import { locationOf } from './ast-types';
import { jumpDestinations } from '../../../../evm/interpreter/frame';
import type { ProgramTree } from './program-tree';
import type { StackVariable } from './symbolic-stack';

/** A function that a call executes, and its arguments as they are on the stack at its entry. */
export interface EnteredFunction {
  /** Function, or public variable for its getter. */
  readonly node: AstNode;
  readonly parameters: readonly StackVariable[];
  /** Why the arguments are unknown. */
  readonly unavailable?: string;
}

/**
 * The function of a call. Its arguments are proved by the place that it returns to, which lies below them: it must be a jump
 * destination, and where the call returned, the one that was jumped to.
 * @returns undefined for helpers that the compiler adds, and without a syntax tree
 */
export function enteredFunction(
  recording: Recording,
  { calls }: SourceCalls,
  index: number,
  tree: ProgramTree,
  stackAt: (step: number) => readonly bigint[],
): EnteredFunction | undefined {
  const call = calls[index];
  const frame = call && recording.frames[call.frame];
  if (call?.entryStep === undefined || !frame) return undefined;
  const { entryStep } = call;
  const node = tree.entryAt(recording.at(entryStep).pc);
  if (!node) return undefined;
  if (tree.facts.compiler?.viaIR !== false) {
    return { node, parameters: [], unavailable: whyNoStack(tree) };
  }
  const isAssembly = node.nodeType === 'YulFunctionDefinition';
  if (!isAssembly && node.nodeType !== 'FunctionDefinition') return { node, parameters: [] };
  const untyped = isAssembly ? undefined : parametersOf(node).find((one) => !tree.types?.of(one));
  if (untyped) return { node, parameters: [], unavailable: unknownHeight(nameOf(untyped)) };
  const height = recording.heightAt(entryStep);
  const parameters = isAssembly ? assemblyParameters(node, height) : layOut(node, tree, height);
  const returnSlot = height - parameters.reduce((sum, { words }) => sum + words, 0) - 1;
  const destination = stackAt(entryStep)[returnSlot];
  const code = frame.context.code;
  const isDestination =
    destination !== undefined && jumpDestinations(code)[Number(destination)] === 1;
  const isProved = isDestination && returnsTo(recording, call, Number(destination));
  return isProved
    ? { node, parameters }
    : {
        node,
        parameters: [],
        unavailable: 'the stack at its entry has another form than that of a call',
      };
}

/** Whether a call went on at an offset; true where it did not return. */
function returnsTo(
  recording: Recording,
  { frame, endStep }: { frame: number; endStep: number },
  offset: number,
): boolean {
  if (endStep >= (recording.frames[frame]?.endStep ?? 0)) return true;
  const next = recording.at(endStep);
  return next.frame !== frame || next.pc === offset;
}

function layOut(node: AstNode, { types }: ProgramTree, height: number): StackVariable[] {
  const declared = parametersOf(node).flatMap((one) => {
    const type = types?.of(one);
    const location = locationOf(one);
    return type ? [{ name: nameOf(one), type, location, words: stackWords(type, location) }] : [];
  });
  let slot = height - declared.reduce((sum, { words }) => sum + words, 0);
  return declared.map((one) => {
    const placed = { ...one, slot };
    slot += one.words;
    return placed;
  });
}

/** Inline assembly evaluates arguments from the right. */
const assemblyParameters = (node: AstNode, height: number): StackVariable[] =>
  listOf(node, 'parameters').map((one, index) => ({
    name: nameOf(one),
    type: UINT256,
    location: undefined,
    words: 1,
    slot: height - 1 - index,
  }));

/**
 * How the syntax tree of verified code becomes known: builds of the workspace are preferred to verified sources, and have one.
 * @param compilerVersion such as `0.8.30+commit.73712a01`; empty if unknown
 * @param whyNoTree why an installed compiler gave none
 */
export function howToGetTree(compilerVersion: string, whyNoTree?: string): string {
  const [version = ''] = compilerVersion.split('+');
  const compiler = version === '' ? '' : ` with solc ${version}`;
  const build = `build the same code${compiler} in a project of the workspace, by Hardhat, or by Foundry with ast = true`;
  return whyNoTree === undefined ? build : `${whyNoTree}; or ${build}`;
}

/** Why local variables are unknown; empty where the settings allow them. */
export function whyNoStack({ ast, facts: { compiler, whyNoTree } }: ProgramTree): string {
  if (!ast) {
    const how = howToGetTree(compiler?.version ?? '', whyNoTree);
    return `the syntax tree of its source is not known: ${how}`;
  }
  if (!compiler) return 'the settings of its compiler are not known';
  if (compiler.viaIR) return 'it was compiled via IR, which keeps no record of where variables are';
  return '';
}

/** Why no variable of a function is known where one has a type of unknown size. */
export const unknownHeight = (name: string): string =>
  `the type of ${name || 'an argument'} is not known, so that the places on the stack are not known either`;

export const whyOptimized =
  'it was compiled with the optimizer, which moves and merges variables on the stack';
