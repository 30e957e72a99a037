import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import type { Part } from '../../../media/inspector/protocol/parts';
import { createNames } from '../../../media/inspector/ui-state/known-names';

type Labelled = Part<{ labels: Record<string, string> }>;
const ready = (labels: Record<string, string>): Labelled => ({
  state: 'ready',
  value: { labels },
  missing: 0,
});

describe('media: names of addresses', () => {
  it('stay the same function until a name is added or changed, and prefer the first part', () => {
    const [flow, other] = [
      signal<Labelled>({ state: 'idle' }),
      signal<Labelled>({ state: 'idle' }),
    ];
    const names = createNames([flow, other]);
    flow.value = ready({ '0x01': 'Vault' });
    const first = names.value;
    assert.equal(first('0x01'), 'Vault');
    other.value = ready({ '0x01': 'Another' });
    assert.equal(names.value, first);
    flow.value = ready({ '0x01': 'Vault' });
    assert.equal(names.value, first);
    other.value = ready({ '0x01': 'Another', '0x02': 'Pool' });
    assert.notEqual(names.value, first);
    assert.deepEqual([names.value('0x01'), names.value('0x02')], ['Vault', 'Pool']);
  });
});
