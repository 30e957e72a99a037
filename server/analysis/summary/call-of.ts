import type { Step } from '../call-frame';

/** The step of the call that emitted an event, or of the call itself. */
export const callOf = ({ steps }: { readonly steps: readonly Step[] }, step: Step): Step =>
  step.log ? (steps[step.parent] ?? step) : step;
