import { executionSteps, type CallFrame, type Step } from '../call-frame';
import { STEPS_PER_YIELD, type Work } from '../../async/slices';

/** A call or log with its position in the tree. Ids are those of the invocation flow. */
export interface Place extends Step {
  readonly id: number;
  /** Id of the call above it; of a log, the call that emitted it; -1 for the top call. */
  readonly parent: number;
  /** Id after the last node inside it. */
  readonly end: number;
}

/** The steps of a trace as a list in which each knows its caller and its end. The index of a place is its id. */
export function* placesWork(root: CallFrame): Work<readonly Place[]> {
  const steps = executionSteps(root);
  const places: (Place & { end: number })[] = [];
  const open: number[] = []; // ids of calls by depth
  const closeTo = (depth: number, id: number): void => {
    while (open.length > depth) {
      const closed = places[open.pop() ?? -1];
      if (closed) closed.end = id;
    }
  };
  for (const [id, step] of steps.entries()) {
    const depth = step.log ? step.depth + 1 : step.depth;
    closeTo(depth, id);
    places.push({ ...step, id, parent: open[depth - 1] ?? -1, end: id + 1 });
    if (!step.log) open.push(id);
    if (id % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
  }
  closeTo(0, steps.length);
  return places;
}

/** The calls above a place, nearest first. */
export function* callsAbove(places: readonly Place[], place: Place): Generator<Place> {
  for (let above = places[place.parent]; above; above = places[above.parent]) yield above;
}

/** Whether a node is a place itself or inside it. */
export const isInside = ({ id, end }: Place, node: number): boolean => node >= id && node < end;
