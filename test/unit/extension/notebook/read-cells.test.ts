import assert from 'node:assert/strict';
import { boundTo, frontMatterOf, networkOf } from '../../../../server/client/book/front-matter';
import { readSimulation } from '../../../../server/client/book/analysis-cells';
import { readAnalyze, readRequests } from '../../../../extension/notebook/book/read-cells';

const HASH = `0x${'ab'.repeat(32)}`;
const refuses = (run: () => unknown, message: string): void => {
  assert.throws(run, { name: 'BookError', message });
};

describe('the front matter of a book', () => {
  it('names a chain or a fork', () => {
    assert.equal(networkOf('---\nforklens-book: 1\nchain: sandbox\n---\n'), 'sandbox');
    assert.equal(networkOf('---\r\nfork:  fork_1a \r\ntitle: x\r\n---\r\n'), 'fork_1a');
  });

  it('is refused without a chain or fork, with several, and of a newer version', () => {
    const none = 'The book is bound to no fork or chain: run "Bind to Another Fork…".';
    refuses(() => networkOf(''), none);
    refuses(() => networkOf('---\ntitle: x\n---\n'), none);
    refuses(
      () => networkOf('---\nfork: fork_a\nchain: b\n---\n'),
      'The book names 2 forks or chains, but takes one.',
    );
    refuses(
      () => networkOf('---\nforklens-book: 2\nchain: b\n---\n'),
      'The book has version "2" of the format; this version of Forklens reads version 1.',
    );
    refuses(
      () => networkOf('---\nchain: http://user:key@host\n---\n'),
      'chain: got "http://user:key@host", takes the name of a chain, such as sandbox.',
    );
    refuses(
      () => networkOf('---\nfork: main\n---\n'),
      'fork: got "main", takes the id of a fork, such as fork_….',
    );
  });

  it('is not a rule of Markdown, and ends', () => {
    assert.equal(frontMatterOf('---\n\nA sentence.\n\n---\n'), '');
    assert.equal(frontMatterOf('---\nchain: a\n'), '');
    assert.equal(frontMatterOf('---\nchain: a\n---'), '---\nchain: a\n---');
    assert.equal(frontMatterOf('\uFEFF---\nchain: a\n---\nb'), '\uFEFF---\nchain: a\n---\n');
  });

  it('is bound to another fork or chain, and keeps its other lines', () => {
    assert.equal(
      boundTo('fork_1', { head: '', eol: '\n' }),
      '---\nforklens-book: 1\nfork: fork_1\n---\n',
    );
    assert.equal(
      boundTo('base', {
        head: '---\r\n# mine\r\nfork: a\r\nx: y\r\nchain: b\r\n---\r\n',
        eol: '\r\n',
      }),
      '---\r\n# mine\r\nchain: base\r\nx: y\r\n---\r\n',
    );
    assert.equal(
      boundTo('base', { head: '---\ntitle: x\n---\n', eol: '\n' }),
      '---\ntitle: x\nchain: base\n---\n',
    );
  });
});

describe('a JSON-RPC cell', () => {
  it('is a request or a list of them', () => {
    assert.deepEqual(readRequests('{ "method": "eth_blockNumber" }'), [
      { method: 'eth_blockNumber', params: [] },
    ]);
    assert.deepEqual(
      readRequests(
        '[{"jsonrpc":"2.0","id":1,"method":"a","params":[1]},{"method":"b","params":{}}]',
      ),
      [
        { method: 'a', params: [1] },
        { method: 'b', params: {} },
      ],
    );
  });

  it('is refused with the field, the value and what is accepted', () => {
    assert.throws(() => readRequests('{'), /^BookError: The cell is not JSON: /);
    refuses(() => readRequests('[]'), 'The cell has 0 requests, and takes 1 to 100.');
    refuses(
      () => readRequests(JSON.stringify(Array.from({ length: 101 }, () => ({ method: 'a' })))),
      'The cell has 101 requests, and takes 1 to 100.',
    );
    refuses(
      () => readRequests('[{"method":"a"},null]'),
      'Request[1]: got null, takes an object such as { "method": "eth_blockNumber", "params": [] }.',
    );
    refuses(
      () => readRequests('{"method":"a","param":[]}'),
      'Request has the unknown field "param"; it takes method, params, id, jsonrpc.',
    );
    refuses(() => readRequests('{"method":1}'), 'method is 1, and takes the name of a method.');
    refuses(
      () => readRequests('[{"id":1,"jsonrpc":"2.0"}]'),
      'method[0] is missing, and takes the name of a method.',
    );
    refuses(
      () => readRequests('[{"method":"a","params":"x"}]'),
      'params[0] is "x", and takes a list or an object.',
    );
  });
});

describe('a simulate cell', () => {
  it('is the body of a simulation', () => {
    assert.deepEqual(readSimulation('{"from":"0x1","value":"1"}'), { from: '0x1', value: '1' });
  });

  it('is refused without a sender', () => {
    refuses(
      () => readSimulation('{"to":"0x1"}'),
      'The cell is {"to":"0x1"}, and takes the body of a simulation such as { "from": "0x…", "to": "0x…", "data": "0x" }.',
    );
  });
});

describe('an analyze cell', () => {
  it('is a hash, or named values', () => {
    assert.deepEqual(readAnalyze(HASH.toUpperCase().replace('X', 'x')), { transaction: HASH });
    assert.deepEqual(
      readAnalyze(`# the swap\ntransaction: ${HASH} # of Bob\nchain: fork_1\nview: flow\n`),
      { transaction: HASH, chain: 'fork_1', view: 'fundFlow' },
    );
    assert.deepEqual(readAnalyze('last'), { transaction: 'last' });
  });

  it('is refused with the field, the value and what is accepted', () => {
    const hash = 'takes 0x and 64 hex digits, or "last" for the newest that the book sent.';
    refuses(() => readAnalyze(''), `transaction: got "", ${hash}`);
    refuses(() => readAnalyze('0x12'), `transaction: got "0x12", ${hash}`);
    refuses(
      () => readAnalyze('last\nfoo: bar'),
      'The cell has the unknown field "foo"; it takes transaction, chain, view.',
    );
    refuses(() => readAnalyze('last\nlast'), 'The cell names "transaction" twice.');
    refuses(
      () => readAnalyze('last\nchain: a b'),
      'chain: got "a b", takes the name of a chain or the id of a fork.',
    );
    for (const view of ['tree', 'constructor']) {
      refuses(
        () => readAnalyze(`last\nview: ${view}`),
        `view: got "${view}", takes one of overview, calls, balances, flow, events, state, gas.`,
      );
    }
  });
});
