import assert from 'node:assert/strict';
import { debugTwin } from './debugged';
import { localsCases } from './locals-cases';
import { VERSIONS, type Settings, type Version } from './solidity';
import { witnesses } from './witness';

const optimizer = { enabled: true, runs: 200 };
const SETTINGS: Readonly<Record<string, Settings>> = {
  optimizer: { optimizer },
  'via IR': { viaIR: true },
  'via IR with the optimizer': { viaIR: true, optimizer },
};

describe('local variables in unoptimized builds', function () {
  this.timeout(120_000);
  for (const version of VERSIONS) {
    for (const [how, settings] of Object.entries(SETTINGS)) {
      if (settings.viaIR === true && version !== '0.8.30') continue;
      for (const [name, run] of localsCases(version)) {
        it(`are what the code that Solidity ${version} compiled (${how}) emits: ${name}`, async () => {
          const debugged = await debugTwin({ ...run, settings, otherStorage: () => 0n });
          const { same, of, differences } = debugged.twin;
          assert.deepEqual(differences, []);
          assert.equal(same, of);
          const all = witnesses(run.text, debugged);
          const known = all.filter(({ shown }) => shown !== undefined);
          tell(version, how, all.length, known.length);
          for (const { shown, emitted, expression, line } of known) {
            assert.equal(shown, emitted, `${expression} in ${line}`);
          }
        });
      }
    }
  }
});

const tell = (version: Version, how: string, all: number, known: number) => {
  console.log(version, how, known, all);
};
