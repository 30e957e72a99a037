import assert from 'node:assert/strict';
import { atOnce } from '../../../server/kernel/async/slices';
import { debug, type Debugged } from './debugged';
import { localsCases } from './locals-cases';
import { VERSIONS } from './solidity';

/** The local variables at each stop of a recording whose value the debugger reads from the stack. */
function* localsOf({ stops, calls, variables, recording }: Debugged) {
  for (let step = stops.find(-1, 1); step !== undefined; step = stops.find(step, 1)) {
    recording.stateAt(step);
    const call = calls.callOf[step]!;
    for (const { name, value, unavailable, location } of variables.at(step).list('locals')
      .variables) {
      if (location === 'stack' && unavailable === undefined) yield { step, call, name, value };
    }
  }
}

for (const version of VERSIONS) {
  describe(`the value of each local variable of Solidity ${version}`, function () {
    this.timeout(60_000);
    for (const [name, run] of localsCases(version)) {
      it(`is that of the last write before it: ${name}`, () => {
        const debugged = debug({ ...run, otherStorage: () => 0n });
        let compared = 0;
        for (const { step, call, name: variable, value } of localsOf(debugged)) {
          const found = atOnce(debugged.variables.accessesWork(variable, step, call));
          const where = `${variable} at step ${step}`;
          assert.ok(found && found.unavailable === undefined, where);
          const writes = found.accesses.filter(({ isRead }) => !isRead);
          // The first value of an argument is there at the step.
          const last = writes.findLast(
            (one) => one.step < step || (one.before === undefined && one.step === step),
          );
          assert.ok(last, where);
          if (last.after === undefined) continue;
          assert.equal(last.after, value, where);
          compared++;
        }
        assert.ok(compared > 0);
      });
    }
  });
}
