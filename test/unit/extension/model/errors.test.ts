import assert from 'node:assert/strict';
import { ApiError } from '../../../../server/api/errors';
import {
  reportOf,
  ServiceUnavailableError,
  UserCancelledError,
} from '../../../../extension/model/errors';

describe('error reports', () => {
  it('returns nothing for cancellations', () => {
    const abort = new DOMException('aborted', 'AbortError');
    for (const error of [new UserCancelledError(), new ApiError('cancelled', 'cancelled'), abort]) {
      assert.equal(reportOf(error), undefined);
    }
  });

  it('offers suitable actions', () => {
    assert.deepEqual(reportOf(new ApiError('keyMissing', 'you are not signed in')), {
      message: 'You are not signed in.',
      severity: 'warning',
      actions: ['signIn'],
    });
    assert.deepEqual(reportOf(new ApiError('timedOut', 'it took longer than 30 s')), {
      message: 'It took longer than 30 s.',
      severity: 'error',
      actions: ['retry', 'showLog'],
    });
    assert.deepEqual(reportOf(new ApiError('projectLimit', 'there are 20 projects')), {
      message: 'There are 20 projects.',
      severity: 'error',
      actions: [],
    });
  });

  it('offers to start a stopped service', () => {
    assert.deepEqual(reportOf(new ServiceUnavailableError('stopped', 'the service is stopped')), {
      message: 'The service is stopped.',
      severity: 'warning',
      actions: ['startService'],
    });
  });

  it('hides the text of an unexpected error, which is in the log', () => {
    assert.deepEqual(reportOf(new TypeError("reading 'x' of undefined")), {
      message: 'An unexpected error occurred; see the log.',
      severity: 'error',
      actions: ['showLog'],
    });
  });
});
