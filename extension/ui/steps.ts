/** A step's result if the user goes back. */
export const BACK = Symbol('back');

/** Position of a step in its sequence, as the input shows it. */
export interface StepFrame {
  step: number;
  totalSteps: number;
  canGoBack: boolean;
}

/** Asks for one value and stores it. Throws `UserCancelledError` if the user cancels. */
export type Step = (frame: StepFrame) => Promise<typeof BACK | undefined>;

/**
 * Runs steps in order, forwards and back.
 * @param given the steps, or what lists them, asked before each step: what was entered decides about later ones
 * @param first index of the first step
 */
export async function runSteps(
  given: readonly Step[] | (() => readonly Step[]),
  first = 0,
): Promise<void> {
  for (let index = first; ;) {
    const steps = typeof given === 'function' ? given() : given;
    const step = steps[index];
    if (step === undefined) return;
    const outcome = await step({
      step: index + 1,
      totalSteps: steps.length,
      canGoBack: index > 0,
    });
    index += outcome === BACK ? -1 : 1;
  }
}
