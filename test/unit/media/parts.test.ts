import assert from 'node:assert/strict';
import { createPersistentSignals } from '../../../media/inspector/model/persistent-signals';
import { createPartStore } from '../../../media/inspector/protocol/parts';
import type { PartRequest } from '../../../media/inspector/protocol/protocol';
import { callRow, flowOf } from '../../ui-components/fixtures';

describe('media: parts', () => {
  const slice = (count: number): string =>
    JSON.stringify(Array.from({ length: count }, () => callRow(0)));
  const { status, transaction, labels, verification } = flowOf([]);
  const head = { status, transaction, labels, verification };

  function store(): { sent: PartRequest[] } & ReturnType<typeof createPartStore> {
    const sent: PartRequest[] = [];
    return { sent, ...createPartStore((request) => sent.push(request)) };
  }

  it('requests a part once, and again after a failure', () => {
    const { sent, parts, load, receive } = store();
    load('gasProfile');
    load('gasProfile');
    receive({ type: 'failed', part: 'gasProfile', failure: { code: 1, message: 'x' } });
    assert.equal(parts.gasProfile.value.state, 'failed');
    load('gasProfile');
    assert.deepEqual(sent, [
      { type: 'load', part: 'gasProfile' },
      { type: 'load', part: 'gasProfile' },
    ]);
  });

  it('shows the first slice at once, later ones as they double, and the last', () => {
    const { sent, parts, receive } = store();
    const shown: number[] = [];
    parts.flow.subscribe((part) => {
      if (part.state === 'ready') shown.push(part.value.rows.length);
    });
    receive({ type: 'head', part: 'flow', head, total: 60 });
    for (let taken = 0; taken < 6; taken++) {
      receive({ type: 'slice', part: 'flow', items: slice(10) });
    }
    assert.deepEqual(shown, [10, 20, 40, 60]);
    assert.equal(sent.filter(({ type }) => type === 'taken').length, 6);
  });

  it('is complete at once if the list is empty', () => {
    const { parts, receive } = store();
    receive({ type: 'head', part: 'flow', head, total: 0 });
    assert.deepEqual(parts.flow.value, {
      state: 'ready',
      value: { ...head, rows: [] },
      missing: 0,
    });
  });

  it('ignores slices of a part that was reset', () => {
    const { parts, receive, reset } = store();
    receive({ type: 'head', part: 'flow', head, total: 20 });
    reset();
    receive({ type: 'slice', part: 'flow', items: slice(10) });
    assert.equal(parts.flow.value.state, 'idle');
  });
});

describe('media: saved signals', () => {
  it('returns one signal per name, with the saved value if there is one', () => {
    const { persistentSignal, values } = createPersistentSignals({ tab: 'gas', other: 1 });
    const tab = persistentSignal('tab', 'overview');
    assert.equal(tab.value, 'gas');
    assert.equal(persistentSignal('tab', 'calls'), tab);
    persistentSignal('scroll', 0).value = 7;
    assert.deepEqual(values.value, { tab: 'gas', other: 1, scroll: 7 });
  });
});
