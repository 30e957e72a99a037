import assert from 'node:assert/strict';
import { BACK, runSteps, type StepFrame } from '../../../../extension/ui/steps';

describe('steps', () => {
  it('run forwards and back, and show their position', async () => {
    const seen: StepFrame[] = [];
    const outcomes: (typeof BACK | undefined)[] = [undefined, BACK, undefined, undefined];
    const step = (frame: StepFrame): Promise<typeof BACK | undefined> => {
      seen.push(frame);
      return Promise.resolve(outcomes[seen.length - 1]);
    };
    await runSteps([step, step, step]);
    assert.deepEqual(
      seen.map((frame) => frame.step),
      [1, 2, 1, 2, 3],
    );
    assert.deepEqual(
      seen.map(({ canGoBack }) => canGoBack),
      [false, true, false, true, true],
    );
    assert.deepEqual(new Set(seen.map(({ totalSteps }) => totalSteps)), new Set([3]));
  });

  it('start at the step whose value the service refused', async () => {
    const seen: number[] = [];
    const step = ({ step: number }: StepFrame): Promise<undefined> => {
      seen.push(number);
      return Promise.resolve(undefined);
    };
    await runSteps([step, step, step], 1);
    assert.deepEqual(seen, [2, 3]);
  });
});
