import assert from 'node:assert/strict';
import { decodeBook } from '../../../../extension/notebook/book/decode-book';
import { loadAnalysis, type Analyses } from '../../../../extension/notebook/load-analysis';
import type { PartMessage, PartRequest } from '../../../../media/inspector/protocol/protocol';
import { fixture, partMessages, sourceOf } from '../../../ui-components/fixtures';

const MAX_CHARACTERS = 16_000_000;

describe('an analysis in a notebook', () => {
  const { flow } = fixture('swap');
  const { signal } = new AbortController();

  /** Loads an analysis whose list of calls arrives in slices of a million characters, and these in all. */
  async function loadOf(characters: number): Promise<{ requests: PartRequest[]; rows: number }> {
    const requests: PartRequest[] = [];
    let closed = 0;
    const analyses: Analyses = {
      open(_, receive) {
        const [head] = partMessages('flow', { ...flow, rows: [] });
        const sizes = Array.from({ length: Math.ceil(characters / 1e6) }, (_, at) =>
          Math.min(1e6, characters - at * 1e6),
        );
        const next = (): void => {
          const size = sizes.shift();
          if (size === undefined) return;
          const items = `["${'a'.repeat(size - 4)}"]`;
          receive({ type: 'slice', part: 'flow', items });
        };
        return {
          send(request) {
            requests.push(request);
            const { type, part } = request;
            if (type === 'taken') next();
            if (type !== 'load') return;
            if (part === 'flow') {
              receive({ ...head, total: sizes.length } as PartMessage);
              next();
            } else receive({ type: 'failed', part, failure: { code: 50201, message: '' } });
          },
          close: () => (closed += 1),
        };
      },
    };
    try {
      const { flow: loaded } = await loadAnalysis(analyses, sourceOf(flow), signal);
      return { requests, rows: loaded.rows.length };
    } finally {
      assert.equal(closed, 1);
    }
  }

  it('has up to 16 million characters', async () => {
    assert.equal((await loadOf(MAX_CHARACTERS)).rows, 16);
  });

  it('is refused beyond that, with what to do', async () => {
    await assert.rejects(loadOf(MAX_CHARACTERS + 10), {
      name: 'BookError',
      message:
        'The analysis has more than 16 million characters, the most that a book takes: open the transaction in the inspector.',
    });
  });
});

describe('the file of a notebook', () => {
  const ofSize = (bytes: number): Uint8Array => new TextEncoder().encode('a'.repeat(bytes));

  it('has up to 4 MiB', () => {
    assert.equal(decodeBook(ofSize(4_194_304)).cells[0]?.text.length, 4_194_304);
  });

  it('is refused beyond that, and if it is no UTF-8', () => {
    assert.throws(() => decodeBook(ofSize(4_194_305)), {
      name: 'BookError',
      message: 'The book has 4194305 bytes; books of up to 4194304 bytes open.',
    });
    assert.throws(() => decodeBook(Uint8Array.of(0xff, 0xfe)), {
      name: 'BookError',
      message: 'The book is not UTF-8 text.',
    });
  });
});
