import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Book, BookCell } from '../../../../server/client/book/book';
import { parseBook } from '../../../../server/client/book/parse-book';
import { writeBook } from '../../../../server/client/book/write-book';

const BOOK = `---
forklens-book: 1
chain: sandbox
---

# What happened

The price was moved.

\`\`\`yaml forklens-analyze
transaction: 0xab
view: balances
\`\`\`

\`\`\`json forklens-rpc
{ "method": "eth_blockNumber" }
\`\`\`

<!-- cell -->

Next.
`;

/** Pieces of hostile files. */
const PIECES = [
  '---\n',
  'fork: fork_a\n',
  'chain: x\r\n',
  '```json forklens-rpc\n',
  '```forklens-simulate\n',
  '````yaml forklens-analyze\r\n',
  '```\n',
  '````\n',
  '~~~\n',
  '```js\n',
  '```forklens-other\n',
  'text\n',
  '\n',
  '\r\n',
  '\r',
  '  \n',
  '<!-- cell -->\n',
  ' <!-- cell --> \r\n',
  '{"a":1}\r\n',
  '\u0000',
  '\uFEFF',
  '`',
  'x',
  '    ```json forklens-rpc\n',
  '```json forklens-rpc',
];

const cellsOf = (text: string): BookCell[] => parseBook(text).cells;
const bookWith = (cells: BookCell[]): Book => ({ head: '', cells, tail: '', eol: '\n' });

describe('the text of a book', () => {
  it('has front matter, Markdown, and cells in fences', () => {
    assert.deepEqual(parseBook(BOOK), {
      head: '---\nforklens-book: 1\nchain: sandbox\n---\n',
      cells: [
        { kind: 'markdown', text: '# What happened\n\nThe price was moved.' },
        { kind: 'analyze', text: 'transaction: 0xab\nview: balances' },
        { kind: 'rpc', text: '{ "method": "eth_blockNumber" }' },
        { kind: 'markdown', text: 'Next.', source: { before: '\n<!-- cell -->\n\n' } },
      ],
      tail: '',
      eol: '\n',
    });
  });

  it('is written as it was read, whatever it is', () => {
    const text = fc.oneof(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join('')),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    );
    fc.assert(
      fc.property(text, (given) => {
        assert.equal(writeBook(parseBook(given)), given);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives the same cells again after it was written', () => {
    const plain = { noNullPrototype: true };
    const line = fc.constantFrom('a', '# b', '```', '````', '{}', '~~~', '> c', '');
    const text = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => lines.join('\n'));
    const code = fc.record(
      { kind: fc.constantFrom('rpc', 'simulate', 'analyze', 'bisect', 'regress'), text },
      plain,
    );
    const markdown = fc.record(
      {
        kind: fc.constant('markdown'),
        text: fc.constantFrom('a', '# b\n\nc', '```js\n```json forklens-rpc\n```', '- d'),
      },
      plain,
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(code, markdown), { maxLength: 8 }), (cells) => {
        const given = cells as BookCell[];
        const read = cellsOf(writeBook(bookWith(given)));
        assert.deepEqual(
          read.map(({ kind, text: content }) => ({ kind, text: content })),
          given,
        );
      }),
    );
  });

  it('keeps a fence that nothing closes as a cell, and closes it if a cell follows', () => {
    const cells = cellsOf('```json forklens-rpc\n{}\n\nmore');
    assert.deepEqual(cells, [
      {
        kind: 'rpc',
        text: '{}\n\nmore',
        source: { text: '```json forklens-rpc\n{}\n\nmore' },
      },
    ]);
    assert.equal(
      writeBook(bookWith([...cells, { kind: 'markdown', text: 'end' }])),
      '```json forklens-rpc\n{}\n\nmore\n```\n\nend\n',
    );
  });

  it('shows fences of other languages, and those inside them, as Markdown', () => {
    for (const text of [
      '```forklens-other\n{}\n```\n',
      '````md\n```json forklens-rpc\n```\n````\n',
      '```json\n{}\n```\n',
    ]) {
      assert.deepEqual(cellsOf(text), [{ kind: 'markdown', text: text.trimEnd() }]);
    }
  });

  it('closes a fence that a cell of Markdown leaves open, so that the next cell stays one', () => {
    const written = writeBook(
      bookWith([
        { kind: 'markdown', text: '```js\nlet a' },
        { kind: 'rpc', text: '{}' },
      ]),
    );
    assert.equal(written, '```js\nlet a\n```\n\n```json forklens-rpc\n{}\n```\n');
  });

  it('encloses code that has fences in longer ones', () => {
    assert.equal(
      writeBook(bookWith([{ kind: 'rpc', text: '```\n{}' }])),
      '````json forklens-rpc\n```\n{}\n````\n',
    );
  });

  it('changes only the lines of the cell that was changed', () => {
    const text =
      '# a\r\n\r\n\r\n``` forklens-rpc  \r\n{}\r\n```\r\n\r\n~~~yaml forklens-analyze\r\nx\r\n~~~\r\n';
    const book = parseBook(text);
    book.cells[1]!.text = '{ "a": 1 }';
    assert.equal(
      writeBook(book),
      '# a\r\n\r\n\r\n```json forklens-rpc\r\n{ "a": 1 }\r\n```\r\n\r\n~~~yaml forklens-analyze\r\nx\r\n~~~\r\n',
    );
    // Editors end lines by \n inside a cell.
    assert.equal(book.cells[2]!.text, 'x');
  });

  it('separates cells of Markdown by a mark, also where the file had another', () => {
    const [first, second] = cellsOf('a\n\n<!-- cell -->\nb\n');
    assert.deepEqual(second, {
      kind: 'markdown',
      text: 'b',
      source: { before: '\n<!-- cell -->\n' },
    });
    assert.equal(
      writeBook(bookWith([second, first!])),
      '\n<!-- cell -->\nb\n\n<!-- cell -->\n\na\n',
    );
  });

  it('leaves out cells of Markdown without text', () => {
    const empty: BookCell = { kind: 'markdown', text: ' \n' };
    assert.equal(writeBook(bookWith([empty, { kind: 'markdown', text: 'a' }, empty])), 'a\n');
  });

  it('reads 2 MB of fences in linear time', () => {
    // A quadratic reading would exceed the time-out of the test.
    const text = '```json forklens-rpc\n{}\n```\n'.repeat(80_000);
    assert.equal(cellsOf(text).length, 80_000);
  });
});
