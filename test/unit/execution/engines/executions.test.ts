import assert from 'node:assert/strict';
import { withDeadline } from '../../../../server/kernel/async/with-deadline';
import { Executions } from '../../../../server/execution/engines/executions';

const NEVER = new AbortController().signal;

/** An execution that ends when it is told to. */
function execution(): { run: () => Promise<void>; isRunning: () => boolean; end: () => void } {
  let isRunning = false;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = async (): Promise<void> => {
    isRunning = true;
    await ended;
    isRunning = false;
  };
  return {
    run,
    isRunning: () => isRunning,
    end: () => {
      end();
    },
  };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('executions', () => {
  it('run in turns, and take the place of an engine as long as they run', async () => {
    let lent = 0;
    const lend = () => {
      lent++;
      return () => {
        lent--;
      };
    };
    const executions = new Executions({ lend, concurrency: 2 });
    const all = [execution(), execution(), execution()];
    const done = all.map(({ run }) => executions.add(run, NEVER));
    await settle();
    assert.deepEqual(
      all.map(({ isRunning }) => isRunning()),
      [true, true, false],
    );
    assert.equal(lent, 2);
    all[0]!.end();
    await done[0];
    await settle();
    assert.equal(all[2]!.isRunning(), true);
    all[1]!.end();
    all[2]!.end();
    await Promise.all(done);
    assert.equal(lent, 0);
  });

  it('give the place back where they fail', async () => {
    let lent = 0;
    const lend = () => {
      lent++;
      return () => {
        lent--;
      };
    };
    const failing = () => Promise.reject(new Error('no engine'));
    await assert.rejects(new Executions({ lend }).add(failing, NEVER), /no engine/);
    assert.equal(lent, 0);
  });

  it('do not start when they were cancelled in the queue', async () => {
    const executions = new Executions({ concurrency: 1 });
    const first = execution();
    const running = executions.add(first.run, NEVER);
    const controller = new AbortController();
    let ran = false;
    const second = executions.add(() => Promise.resolve((ran = true)), controller.signal);
    controller.abort(new Error('gone'));
    first.end();
    await running;
    await assert.rejects(second, /gone/);
    assert.equal(ran, false);
  });

  it('let proofs wait for all others, and others not for proofs', async () => {
    const executions = new Executions({ concurrency: 1 });
    const [first, proof, later] = [execution(), execution(), execution()];
    const running = executions.add(first.run, NEVER);
    const proving = executions.addProof(proof.run);
    await settle();
    assert.equal(proof.isRunning(), false);
    first.end();
    await running;
    await settle();
    assert.equal(proof.isRunning(), true);
    const next = executions.add(later.run, NEVER);
    await settle();
    assert.equal(later.isRunning(), true);
    proof.end();
    later.end();
    await Promise.all([proving, next]);
  });
});

describe('a deadline', () => {
  const hanging = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });

  it('names the work and the time', async () => {
    await assert.rejects(withDeadline({ timeoutMs: 20, what: 'the replay' }, hanging), {
      kind: 'timedOut',
      message: 'the replay took longer than 0.02 s',
    });
  });

  it('is not the reason where the caller cancelled, or the work failed', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    const limits = { timeoutMs: 10_000, what: 'the replay' };
    await assert.rejects(
      withDeadline({ ...limits, signal }, (limited) => {
        limited.throwIfAborted();
        return hanging(limited);
      }),
      /gone/,
    );
    const failing = () => Promise.reject(new Error('no engine'));
    await assert.rejects(withDeadline(limits, failing), /no engine/);
  });
});
