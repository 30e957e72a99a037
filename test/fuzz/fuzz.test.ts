import assert from 'node:assert/strict';
import { TARGETS, type TargetName } from './targets';

/** Cases of a short run. `npm run fuzz` runs more cases and seeds. */
const CASES: Readonly<Record<TargetName, number>> = {
  ...{ webview: 800, rest: 200, rpc: 300, mcp: 40, files: 10 },
};
const SEED = 13;
/** Ends the shrinking of a script that takes long, so that the finding is shown. */
const LIMIT_MS = 480_000;

describe('fuzzing (short run)', function () {
  this.timeout(600_000);

  for (const name of Object.keys(TARGETS) as TargetName[]) {
    it(`finds nothing in ${name} with the seed ${SEED}`, async () => {
      const deadline = performance.now() + LIMIT_MS;
      const campaigns = [{ cases: CASES[name], seed: SEED, deadline }];
      for (const { cases, findings } of await TARGETS[name].run(name, campaigns)) {
        assert.deepEqual(findings, []);
        assert.ok(cases >= CASES[name]);
      }
    });
  }
});
