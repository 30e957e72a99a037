import { executionSteps, type Step } from '../call-frame';
import type { TransactionTrace } from '../ports';

/** Describes the first difference between two traces of a transaction; undefined if they are equal. */
export function differenceOfTraces(
  one: TransactionTrace,
  other: TransactionTrace,
): string | undefined {
  const [steps, others] = [executionSteps(one.root), executionSteps(other.root)];
  for (const [index, step] of steps.entries()) {
    const counterpart = others[index];
    if (counterpart === undefined || textOf(step) !== textOf(counterpart)) {
      return inWords(step, counterpart, index);
    }
  }
  return steps.length === others.length
    ? undefined
    : `it has ${steps.length} calls and events instead of ${others.length}`;
}

const textOf = ({ frame, log, depth }: Step): string =>
  JSON.stringify([depth, log ?? { ...frame, value: frame.value.toString(), items: undefined }]);

function inWords(one: Step, other: Step | undefined, index: number): string {
  const place = `${one.log ? 'event' : 'call'} ${index} of ${one.frame.to ?? one.frame.from}`;
  if (other === undefined || Boolean(one.log) !== Boolean(other.log)) {
    return `${place} was not executed`;
  }
  if (one.log) return `${place} had different data`;
  const [value, right] = [one.frame.value, other.frame.value];
  return value === right
    ? `${place} had a different input, output or outcome`
    : `${place} had the value ${value} wei instead of ${right} wei`;
}
