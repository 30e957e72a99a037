import type Mocha from 'mocha';
import type { HookOrder } from '../hook-order';
import { lineIn, stackHere } from './call-sites';
import { now, textOf, type Reporter } from './reporter';

type Done = (failures: number) => void;
/** What is replaced of a runner and of its suites. */
interface Runs<Run> {
  run: (this: Mocha, done?: Done) => Run;
}
interface Suites {
  addTest: (this: Mocha.Suite, test: Mocha.Test) => Mocha.Suite;
}

/** Has mocha report its tests beside the reporter of the project; in the mode `list`, it executes none. */
export function watchMocha(
  { prototype, Suite }: typeof Mocha,
  { mode }: Pick<HookOrder, 'mode'>,
  reporter: Reporter,
): void {
  const stacks = new WeakMap<Mocha.Test, string>();
  const suites: Suites = Suite.prototype;
  const { addTest } = suites;
  suites.addTest = function (test) {
    stacks.set(test, stackHere());
    return addTest.call(this, test);
  };
  const own: Runs<Mocha.Runner> = prototype;
  const { run } = own;
  const replaced: Runs<Pick<Mocha.Runner, 'total'>> = prototype;
  replaced.run = function (done) {
    if (mode === 'run') {
      const runner = run.call(this, done);
      report(runner, reporter, this.options.parallel === true);
      return runner;
    }
    // Files are loaded before the run if they may be modules of ECMAScript, and in other processes if it is parallel.
    const { _lazyLoadFiles: isLoaded } = this as { _lazyLoadFiles?: boolean };
    if (isLoaded !== true || this.options.parallel === true) this.loadFiles();
    this.suite.eachTest((test: Mocha.Test) => {
      const { file = '' } = test;
      const line = lineIn(stacks.get(test), file);
      reporter.write({ type: 'test', runner: 'mocha', file, path: test.titlePath(), line });
    });
    done?.(0);
    return { total: 0 };
  };
}

/** @param isParallel events come when their file has ended: they say nothing of the time */
function report(runner: Mocha.Runner, reporter: Reporter, isParallel: boolean): void {
  const placeOf = (test: Mocha.Runnable) => ({ file: test.file ?? '', path: test.titlePath() });
  const end = (test: Mocha.Test, status: 'passed' | 'skipped'): void => {
    const milliseconds = test.duration;
    reporter.write({ ...placeOf(test), type: 'end', at: now(), status, milliseconds });
  };
  runner.on('test', (test) => {
    if (isParallel) return;
    reporter.write({ ...placeOf(test), type: 'start', at: now() });
  });
  runner.on('pass', (test) => {
    end(test, 'passed');
  });
  runner.on('pending', (test) => {
    end(test, 'skipped');
  });
  runner.on('fail', (test: Mocha.Runnable, error: Error) => {
    const place = placeOf(test);
    // Of the types, `type` is the one that says it, also in parallel runs.
    if ((test as { type?: string }).type === 'hook') {
      const path = place.path.slice(0, -1);
      const message = `${test.title}: ${textOf(error)}`;
      reporter.write({ ...place, path, type: 'broken', message });
      return;
    }
    reporter.write({
      ...place,
      type: 'end',
      at: now(),
      status: 'failed',
      milliseconds: test.duration,
      message: textOf(error),
      line: lineIn(error.stack, place.file),
    });
  });
}
