/** What a step answers instead of a value when the user goes back. */
export const BACK = Symbol('back');

/** Where a step stands, as the input shows it. */
export interface StepFrame {
  step: number;
  totalSteps: number;
  canGoBack: boolean;
}

/** Asks for one thing and keeps the answer by itself; throws `UserCancelledError` when the user gives up. */
export type Step = (frame: StepFrame) => Promise<typeof BACK | undefined>;

/** Runs steps in order, back and forth. @param first index of the step to begin with */
export async function runSteps(steps: readonly Step[], first = 0): Promise<void> {
  let index = first;
  for (let step = steps[index]; step !== undefined; step = steps[index]) {
    const outcome = await step({
      step: index + 1,
      totalSteps: steps.length,
      canGoBack: index > 0,
    });
    index += outcome === BACK ? -1 : 1;
  }
}
