import assert from 'node:assert/strict';
import { debug, type Run } from './debugged';
import { localsCases } from './locals-cases';
import { VERSIONS, type Settings, type Version } from './solidity';
import { witnesses, type Witness } from './witness';

const witnessesOf = (run: Run): Witness[] => {
  // Nothing was written before.
  const debugged = debug({ ...run, otherStorage: () => 0n });
  assert.equal(debugged.recording.end?.kind, 'returned');
  return witnesses(run.text, debugged);
};

/** Reasons that are none of the stack: calls within an event's arguments, and slots that the transaction did not read. */
const isCall = ({ unavailable = '' }: Witness): boolean =>
  /is (a function|internal)/.test(unavailable);

for (const version of VERSIONS) {
  describe(`local variables of Solidity ${version}, without the optimizer`, function () {
    this.timeout(60_000);
    for (const [name, run] of localsCases(version)) {
      it(`are what the contract emits: ${name}`, () => {
        const all = witnessesOf(run);
        assert.ok(all.length > 0);
        for (const witness of all.filter((one) => !isCall(one))) {
          const { line, expression, emitted, shown, unavailable } = witness;
          assert.equal(shown, emitted, `${expression} in ${line} ${unavailable ?? ''}`);
        }
      });
    }
  });
}

for (const [how, version, settings] of [
  ['with the optimizer', '0.8.30', { optimizer: { enabled: true } }],
  ['with the optimizer', '0.6.12', { optimizer: { enabled: true } }],
  ['with the optimizer', '0.5.17', { optimizer: { enabled: true } }],
  ['with the optimizer', '0.4.26', { optimizer: { enabled: true } }],
  ['via IR', '0.8.30', { viaIR: true }],
  ['via IR, with the optimizer', '0.8.30', { viaIR: true, optimizer: { enabled: true } }],
] as [string, Version, Settings][]) {
  describe(`local variables of Solidity ${version}, compiled ${how}`, function () {
    this.timeout(60_000);
    for (const [name, run] of localsCases(version)) {
      it(`are what the contract emits, or unavailable: ${name}`, () => {
        const known = witnessesOf({ ...run, settings }).filter(({ shown }) => shown !== undefined);
        for (const { line, expression, emitted, shown } of known) {
          assert.equal(shown, emitted, `${expression} in ${line}`);
        }
      });
    }
  });
}
