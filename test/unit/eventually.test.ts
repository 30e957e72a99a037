import assert from 'node:assert/strict';
import { eventually } from '../support/eventually';

describe('eventually', () => {
  let attempts: number;
  beforeEach(() => {
    attempts = 0;
  });

  it('runs a task again until it does not throw, and returns what it returns', async () => {
    const third = (): string => {
      assert.equal(++attempts, 3);
      return 'done';
    };
    assert.equal(await eventually(third), 'done');
    assert.equal(attempts, 3);
  });

  it('waits for the promise of a task', async () => {
    const second = () => (++attempts < 2 ? Promise.reject(new Error('not yet')) : attempts);
    assert.equal(await eventually(second), 2);
  });

  it('throws the last error of the task at the deadline', async () => {
    const failing = (): never => {
      throw new Error(`attempt ${++attempts}`);
    };
    await assert.rejects(eventually(failing, 0), { message: 'attempt 1' });
    await assert.rejects(eventually(failing, 50), (error: Error) => {
      assert.equal(error.message, `attempt ${attempts}`);
      return true;
    });
  });
});
