import assert from 'node:assert/strict';
import { LayoutTypes } from '../../../server/debugger/languages/solidity/variables/layout-types';
import { nameSlotsWork } from '../../../server/analysis/state/name-slots';
import { atOnce } from '../../../server/kernel/async/slices';
import type { StorageLayout } from '../../../server/analysis/storage-layout';
import { toWord } from '../../../server/evm/forms/quantity';

const type = (facts: object) => ({
  encoding: 'inplace',
  label: 't',
  numberOfBytes: '32',
  ...facts,
});

describe('types of a storage layout that contain themselves', () => {
  const layout: StorageLayout = {
    storage: ['array', 'list', 'mapping', 'empty', 'odd'].map((name, slot) => ({
      label: name,
      offset: 0,
      slot: String(slot),
      type: name,
    })),
    types: {
      array: type({ base: 'array', label: 'array[2]', numberOfBytes: '64' }),
      list: type({ base: 'list', label: 'list[]', encoding: 'dynamic_array' }),
      mapping: type({ key: 'mapping', value: 'mapping', encoding: 'mapping' }),
      empty: type({ base: 'none', label: 'none[]', encoding: 'dynamic_array' }),
      odd: type({ base: 'text', label: 'text[]', encoding: 'dynamic_array' }),
      none: type({ numberOfBytes: '0' }),
      text: type({ numberOfBytes: 'many' }),
    },
  };

  it('are not known to the debugger', () => {
    const types = new LayoutTypes(layout);
    for (const id of ['array', 'list', 'mapping']) assert.equal(types.of(id), undefined);
  });

  it('leave changed slots without names, as do sizes that are no number', () => {
    const changes = [1n, 2n ** 255n].map((slot) => ({
      slot: toWord(slot),
      before: toWord(1n),
      after: toWord(2n),
    }));
    const starts = [3n, 4n].map((slot) => ({
      slot: toWord(slot),
      before: toWord(0),
      after: toWord(1),
    }));
    const slots = [...changes, ...starts];
    assert.doesNotThrow(() => atOnce(nameSlotsWork(slots, layout, [toWord(1n)])));
  });
});
