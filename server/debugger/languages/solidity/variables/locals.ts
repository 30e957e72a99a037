import { atOnce } from '../../../../kernel/async/slices';
import type { Recording } from '../../../recording/recording';
import type { SourceCalls } from '../../../recording/source-calls';
import { functionsOf } from '../../../recording/source-functions';
import type { State } from '../values/state';
import { unknownType } from '../values/types';
import type { Value } from '../values/value';
import { nameOf, parametersOf, typeDescription, type AstNode } from './ast';
import { enteredFunction, unknownHeight, whyNoStack, whyOptimized } from './call-arguments';
import { declaredAt, isAssigned } from './declared';
import type { ProgramTree } from './program-tree';
import { stackValue } from './stack-values';
import type { AstTypes } from './ast-types';
import type { TreePlace, TreePlaces } from './places-in-tree';
import type { StackHistory } from './stack-history';

export interface NamedValue {
  readonly name: string;
  readonly value: Value;
}

export interface Locals {
  /** Outer declarations first: a later one of the same name hides an earlier one. */
  readonly variables: readonly NamedValue[];
  /** Why there are none, or not all. */
  readonly unavailable?: string;
}

/** A call of a recording, and a step in it or in a call that it makes. */
export interface LocalsRequest {
  readonly recording: Recording;
  readonly calls: SourceCalls;
  readonly call: number;
  readonly step: number;
  readonly tree: ProgramTree;
  readonly state: State;
  /** The stack of a step's frame. */
  readonly stackAt: (step: number) => readonly bigint[];
  readonly historyOf: (call: number, places: TreePlaces, types: AstTypes) => StackHistory;
}

/** Arguments, results and local variables of a call. */
export function localsOf(request: LocalsRequest): Locals {
  const { historyOf, call, step, tree, state } = request;
  const reason = whyNoStack(tree);
  const { places, types } = tree;
  if (reason !== '' || !places || !types) return declaredOnly(request, reason);
  if (tree.facts.compiler?.optimizer !== false) return constantArguments(request);
  const { variables, isLeaving, untyped } = atOnce(historyOf(call, places, types).at(step));
  if (isLeaving) {
    return { variables: [], unavailable: 'the function is returning and clears its variables' };
  }
  if (untyped !== undefined) return declaredOnly(request, unknownHeight(untyped));
  return {
    variables: variables.map((one) => ({ name: one.name, value: stackValue(state, one) })),
  };
}

/** Names without values. */
function declaredOnly(request: LocalsRequest, reason: string): Locals {
  const variables = declaredHere(request).map((node) => missing(request, node, reason));
  return { variables, unavailable: reason };
}

function missing({ tree }: LocalsRequest, node: AstNode, reason: string): NamedValue {
  const type = tree.types?.of(node) ?? unknownType(typeDescription(node, 'typeString'));
  return { name: nameOf(node), value: { kind: 'missing', type, reason } };
}

const declaredHere = (request: LocalsRequest): AstNode[] => {
  const place = placeIn(request);
  return place?.callable ? declaredAt(place.callable, place.node) : [];
};

/** The place of a call in the syntax tree: of the last instruction up to a step that has one. */
export function placeIn({
  recording,
  calls,
  call,
  step,
  tree,
}: Pick<LocalsRequest, 'recording' | 'calls' | 'call' | 'step' | 'tree'>): TreePlace | undefined {
  for (let at = Math.min(step, (calls.calls[call]?.endStep ?? 1) - 1); at >= 0; at--) {
    if (at < (calls.calls[call]?.firstStep ?? 0)) break;
    if (calls.callOf[at] !== call) continue;
    const { pc } = recording.at(at);
    const place = tree.places?.at(pc);
    if (!place || functionsOf(tree.facts).isForeign(calls.calls[call]?.function, pc)) continue;
    return place;
  }
  return undefined;
}

/**
 * In optimised code the place of a variable on the stack is known at the entry of its function alone. An argument that the function never
 * assigns keeps the value that it had there.
 */
function constantArguments(request: LocalsRequest): Locals {
  const { recording, calls, call, tree, state, stackAt } = request;
  const entered = enteredFunction(recording, calls, call, tree, stackAt);
  const { ast } = tree;
  if (!ast || entered?.node.nodeType !== 'FunctionDefinition') {
    return declaredOnly(request, whyOptimized);
  }
  const { node } = entered;
  const nodes = parametersOf(node);
  const stack = stackAt(calls.calls[call]?.entryStep ?? 0);
  const known = entered.parameters.flatMap((parameter, index) => {
    const declaration = nodes[index];
    const isConstant = declaration !== undefined && !isAssigned(ast, node, declaration);
    if (!isConstant || parameter.name === '') return [];
    return [{ declaration, name: parameter.name, value: stackValue(state, parameter, stack) }];
  });
  const others = [...new Set([...nodes, ...declaredHere(request)])].filter(
    (one) => nameOf(one) !== '' && !known.some(({ declaration }) => declaration === one),
  );
  return {
    variables: [
      ...known.map(({ name, value }) => ({ name, value })),
      ...others.map((one) => missing(request, one, entered.unavailable ?? whyOptimized)),
    ],
    ...(others.length > 0 && { unavailable: entered.unavailable ?? whyOptimized }),
  };
}
