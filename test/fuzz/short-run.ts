import assert from 'node:assert/strict';
import { TARGETS, type TargetName } from './targets';

const SEED = 13;
/** Seconds, on a machine of any speed. `npm run fuzz` finds shorter pauses. */
const PAUSE = 0.5;
/** Ends the shrinking of a script that takes long, so that the finding is shown. */
const LIMIT_MS = 480_000;

/** Registers a test for each target. @param cases number of generated cases of each */
export function fuzzEachTarget(cases: Readonly<Record<TargetName, number>>): void {
  for (const name of Object.keys(TARGETS) as TargetName[]) {
    it(`finds nothing in ${name} with the seed ${SEED}`, async function () {
      this.timeout(600_000);
      const deadline = performance.now() + LIMIT_MS;
      const campaigns = [{ cases: cases[name], seed: SEED, deadline }];
      for (const { cases: ran, findings } of await TARGETS[name].run(name, campaigns, PAUSE)) {
        assert.deepEqual(findings, []);
        assert.ok(ran >= cases[name]);
      }
    });
  }
}
