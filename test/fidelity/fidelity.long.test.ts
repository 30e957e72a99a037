import assert from 'node:assert/strict';
import { adversarialBlocks } from './adversarial.source';
import { busyBlocks } from './busy-blocks.source';
import { officialCases } from './execution-apis.source';
import { FORM, GETH_CASES, KONA_BLOCKS, OSAKA_BLOCK, UPDATE } from './run-length';
import { gethCases } from './geth.source';
import { opStackBlock } from './op-stack.source';
import { randomPrograms } from './random.source';
import { realBlocks } from './real-blocks.source';
import { missingRows, writeTable } from './table';
import { Tally } from './verdict-counts';

/** Notes below the table. */
const NOTES = [
  ...(FORM === 'short' ? ['This table is of a short run.'] : []),
  ...(GETH_CASES === undefined
    ? ['The tracer cases of go-ethereum were not given to the run that wrote the table.']
    : []),
  ...(KONA_BLOCKS === undefined || OSAKA_BLOCK === undefined
    ? ['Not all real blocks were given to the run that wrote the table.']
    : []),
];

describe('answers compared with an independent execution', () => {
  const tally = new Tally();

  describe('adversarial blocks', () => {
    adversarialBlocks(tally);
  });

  describe('a block of the OP Stack', () => {
    opStackBlock(tally);
  });

  describe('busy blocks of an EDR node', () => {
    busyBlocks(tally);
  });

  describe('random programs', () => {
    randomPrograms(tally);
  });

  describe('go-ethereum’s tracer cases', () => {
    gethCases(tally);
  });

  describe('real blocks', () => {
    realBlocks(tally);
  });

  describe('the standard’s own cases (ethereum/execution-apis)', () => {
    officialCases();
  });

  // In a separate block: mocha runs the tests of a block before its nested blocks.
  describe('the table of test/README.md', () => {
    it('has a row for each source', () => {
      if (UPDATE) writeTable(tally.all(), NOTES);
      assert.deepEqual(missingRows(tally.all()), []);
    });
  });
});
