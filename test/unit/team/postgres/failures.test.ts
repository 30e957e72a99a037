import assert from 'node:assert/strict';
import type { ApiError } from '../../../../server/api/errors';
import {
  asApiError,
  failureOf,
  NotConnectedError,
} from '../../../../server/team/postgres/database/failures';

const failure = (code: string | undefined, message = 'x') =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

describe('a failure of the database', () => {
  for (const code of ['EPIPE', 'ECONNRESET', 'ETIMEDOUT', 'ENETUNREACH', 'EBADF']) {
    it(`${code} is a lost connection, of which clients get databaseUnavailable`, () => {
      assert.equal(failureOf(failure(code)), 'lost');
      const error = asApiError(failure(code)) as ApiError;
      assert.deepEqual([error.kind, error.retryAfter], ['databaseUnavailable', 2]);
      assert.match(error.message, new RegExp(`does not answer \\(${code}\\); try again in 2 s`));
    });
  }

  for (const code of ['08006', '08P01', '57P01', '57P03', '25006']) {
    it(`${code} is a lost connection`, () => {
      assert.equal(failureOf(failure(code)), 'lost');
    });
  }

  it('of a transaction that was undone can be repeated', () => {
    for (const code of ['40001', '40P01', '55P03', '57014']) {
      assert.equal(failureOf(failure(code)), 'rolled back', code);
    }
  });

  it('before a connection leaves nothing behind', () => {
    assert.equal(failureOf(new NotConnectedError('x', { cause: failure('53300') })), 'not sent');
  });

  it('that an answer names is given on as it is', () => {
    for (const code of ['23505', '42P01', 'XX000', 'P0001']) {
      const error = failure(code);
      assert.equal(failureOf(error), 'refused', code);
      assert.equal(asApiError(error), error);
    }
    assert.equal(failureOf(new TypeError('a fault of the service')), 'refused');
  });

  it('without room on the disk is storageFull', () => {
    assert.equal((asApiError(failure('53100')) as ApiError).kind, 'storageFull');
  });
});
