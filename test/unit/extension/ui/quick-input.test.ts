import assert from 'node:assert/strict';
import { BACK, runSteps, type Step, type StepFrame } from '../../../../extension/ui/steps';

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

  it('are those that what was entered so far asks for', async () => {
    const seen: string[] = [];
    const outcomes: (typeof BACK | undefined)[] = [undefined, BACK, undefined, undefined];
    const named =
      (name: string): Step =>
      ({ step, totalSteps }) => {
        seen.push(`${name} ${step}/${totalSteps}`);
        return Promise.resolve(outcomes[seen.length - 1]);
      };
    let isLong = false;
    const choose: Step = (frame) => {
      isLong = !isLong;
      return named('choose')(frame);
    };
    await runSteps(() =>
      isLong ? [choose, named('more'), named('last')] : [choose, named('last')],
    );
    assert.deepEqual(seen, ['choose 1/2', 'more 2/3', 'choose 1/3', 'last 2/2']);
  });
});
