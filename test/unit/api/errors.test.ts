import assert from 'node:assert/strict';
import { ApiError } from '../../../server/api/errors';

describe('ApiError', () => {
  class Special extends ApiError {}

  it('is recognized if another bundle made it, and does not stand for its subclasses', () => {
    const ofAnotherBundle = { [Symbol.for('forklens.ApiError')]: true };
    assert.ok(ofAnotherBundle instanceof ApiError);
    const [error, special] = [new ApiError('internal', ''), new Special('internal', '')];
    assert.ok(error instanceof ApiError);
    assert.ok(special instanceof ApiError);
    assert.ok(special instanceof Special);
    for (const other of [error, ofAnotherBundle, new Error(), null, 'text']) {
      assert.ok(!(other instanceof Special));
    }
    for (const other of [new Error(), {}, null, undefined, 'text']) {
      assert.equal(other instanceof ApiError, false);
    }
  });
});
