import assert from 'node:assert/strict';
import { adversarialBlocks } from './adversarial.source';
import { busyBlocks } from './busy.source';
import { UPDATE } from './form';
import { randomPrograms } from './random.source';
import { missingRows, writeTable } from './table';
import { Tally } from './tally';

describe('answers compared with an independent execution', () => {
  const tally = new Tally();

  describe('adversarial blocks', () => {
    adversarialBlocks(tally);
  });

  describe('busy blocks of an EDR node', () => {
    busyBlocks(tally);
  });

  describe('random programs', () => {
    randomPrograms(tally);
  });

  // In a block of its own: mocha runs the tests of a block in front of the blocks inside.
  describe('the table of test/README.md', () => {
    it('has a row for each of them', () => {
      if (UPDATE) writeTable(tally.all(), []);
      assert.deepEqual(missingRows(tally.all()), []);
    });
  });
});
