import assert from 'node:assert/strict';
import { withDeadline } from '../../../../server/kernel/async/with-deadline';

describe('work with a deadline', () => {
  const endless = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });

  it('says what took too long, and what else can be done', async () => {
    const limits = { timeoutMs: 20, what: 'the recording' };
    await assert.rejects(withDeadline(limits, endless), {
      kind: 'timedOut',
      message: 'the recording took longer than 0.02 s',
    });
    await assert.rejects(withDeadline({ ...limits, advice: 'debug less' }, endless), {
      kind: 'timedOut',
      message: 'the recording took longer than 0.02 s: debug less',
    });
  });

  it('passes on the answer, and an error before the deadline', async () => {
    const limits = { timeoutMs: 60_000, what: 'the recording' };
    assert.equal(await withDeadline(limits, () => Promise.resolve(7)), 7);
    const failure = new Error('no node');
    await assert.rejects(
      withDeadline(limits, () => Promise.reject(failure)),
      failure,
    );
  });

  it("ends with the caller's reason where the caller cancels", async () => {
    const caller = new AbortController();
    const working = withDeadline({ signal: caller.signal, timeoutMs: 60_000, what: 'it' }, endless);
    const reason = new Error('cancelled');
    caller.abort(reason);
    await assert.rejects(working, reason);
  });
});
