import assert from 'node:assert/strict';
import { atOnce } from '../../../server/async/slices';
import { stringifyJsonWork } from '../../../server/async/stringify-json';

describe('JSON that is written in slices', () => {
  const value = {
    ...{ expires: null, none: undefined, empty: {}, list: [], text: 'é"\n' },
    value: [1, undefined, { a: { b: [{ c: [[], { d: false }] }] } }, 'x'],
  };

  for (const levels of [0, 1, 3, 20]) {
    it(`is that of JSON.stringify (${levels} levels)`, () => {
      const pieces = atOnce(stringifyJsonWork(value, levels));
      assert.equal(Buffer.concat(pieces).toString(), JSON.stringify(value));
    });
  }
});
