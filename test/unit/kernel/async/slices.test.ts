import assert from 'node:assert/strict';
import { inSlices, pause, type Work } from '../../../../server/kernel/async/slices';
import { isTurnOver } from '../../../../server/kernel/async/turns';

/** Turns of the event loop since the start of a test. */
let turn = 0;
let counter: NodeJS.Immediate;
const count = (): void => {
  turn++;
  counter = setImmediate(count);
};

/** Work of which each step takes the time of a slice. Notes its name and the turn of each step. */
function* longSteps(name: string, steps: number, noted: [string, number][]): Work<string> {
  for (let step = 0; step < steps; step++) {
    noted.push([name, turn]);
    while (!isTurnOver());
    yield 1;
  }
  return name;
}

/** The least number of turns between two slices that follow each other. */
const leastDistance = (noted: readonly [string, number][]): number =>
  Math.min(...noted.slice(1).map(([, at], index) => at - noted[index]![1]));

describe('work in slices', () => {
  beforeEach(async () => {
    turn = 0;
    counter = setImmediate(count);
    // A turn that no work of another test has begun in.
    await pause();
  });
  afterEach(() => {
    clearImmediate(counter);
  });

  it('has a turn of the event loop for each slice, also where several works run', async () => {
    const noted: [string, number][] = [];
    const names = ['a', 'b', 'c'];
    const done = await Promise.all(names.map((name) => inSlices(longSteps(name, 4, noted))));
    assert.deepEqual(done, names);
    assert.equal(noted.length, 12);
    assert.ok(leastDistance(noted) >= 1, JSON.stringify(noted));
  });

  it('gives turns in the order of asking', async () => {
    const noted: [string, number][] = [];
    await Promise.all(['a', 'b', 'c'].map((name) => inSlices(longSteps(name, 3, noted))));
    // The first one begins at once, and asks for its next turn before the others ask for their first one.
    assert.equal(noted.map(([name]) => name).join(''), `a${'abc'.repeat(2)}bc`);
  });

  it('gives every turn to a work that is alone', async () => {
    const noted: [string, number][] = [];
    await inSlices(longSteps('a', 10, noted));
    assert.equal(noted.at(-1)![1] - noted[0]![1], 9);
  });

  it('lets a timer in between two slices of many works', async () => {
    const noted: [string, number][] = [];
    const works = Array.from({ length: 20 }, (_, index) =>
      inSlices(longSteps(String(index), 2, noted)),
    );
    const timer = new Promise<number>((resolve) => {
      setTimeout(() => {
        resolve(noted.length);
      }, 1);
    });
    assert.ok((await timer) <= 2);
    await Promise.all(works);
  });

  it('runs short works at once as long as a turn has time', async () => {
    const noted: string[] = [];
    function* short(name: string): Work<void> {
      noted.push(name);
      yield 1;
    }
    void inSlices(short('a'));
    void inSlices(short('b'));
    assert.deepEqual(noted, ['a', 'b']);
    await pause();
    await inSlices(longSteps('c', 1, []));
  });

  it('ends with the reason of the signal at the next turn, and others go on', async () => {
    const noted: [string, number][] = [];
    const control = new AbortController();
    const ended = inSlices(longSteps('a', 100, noted), control.signal);
    const other = inSlices(longSteps('b', 3, noted));
    control.abort(new Error('not needed any more'));
    await assert.rejects(ended, /not needed any more/);
    assert.equal(await other, 'b');
    assert.equal(noted.filter(([name]) => name === 'a').length, 1);
  });

  it('waits for its first turn where other work has taken the time of this one', async () => {
    const noted: [string, number][] = [];
    const first = inSlices(longSteps('a', 1, noted));
    const second = inSlices(longSteps('b', 1, noted));
    assert.deepEqual(noted.length, 1);
    await Promise.all([first, second]);
    assert.ok(leastDistance(noted) >= 1);
  });
});
