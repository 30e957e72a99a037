import assert from 'node:assert/strict';
import { completionOf } from '../../../server/cli/completion/candidates';
import { completionScript, SHELLS } from '../../../server/cli/completion/scripts';
import { configFolder } from '../../../server/cli/connection/config-folder';
import { tableLines, type Table } from '../../../server/cli/output/format-table';
import { createProgress } from '../../../server/cli/output/progress';
import { colorsFor, widthOf } from '../../../server/cli/output/terminal';

/** The lines of a table in one text. */
const formatTable = (table: Table, width?: number): string =>
  Array.from(tableLines(table, width)).join('\n');

describe('tables of the command line', () => {
  const table = {
    columns: ['ID', 'TEXT'],
    rows: [
      [`0x${'ab'.repeat(20)}`, 'a name'],
      ['1', ''],
    ],
  };

  it('align their columns, and shorten nothing outside a terminal', () => {
    const id = `0x${'ab'.repeat(20)}`;
    assert.equal(formatTable(table), [`${'ID'.padEnd(42)}  TEXT`, `${id}  a name`, '1'].join('\n'));
  });

  it('shorten the widest column until they fit, and keep both ends of hex', () => {
    const [, first = ''] = formatTable(table, 24).split('\n');
    assert.equal(first.length, 24);
    assert.match(first, /^0xab.*…abab {2}a name$/);
  });

  it('remove control characters', () => {
    const hostile = { columns: ['A'], rows: [['\u001b[31mred\u0007\u202e']] };
    assert.equal(formatTable(hostile), 'A\n[31mred');
  });
});

describe('the terminal', () => {
  const isColored = (isTTY: boolean, env: Record<string, string>): boolean =>
    colorsFor({ isTTY }, env).isColorSupported;

  it('has colours, unless NO_COLOR or TERM=dumb is set or the output is a pipe', () => {
    assert.equal(isColored(true, {}), true);
    assert.equal(isColored(false, {}), false);
    assert.equal(isColored(true, { NO_COLOR: '1' }), false);
    assert.equal(isColored(true, { NO_COLOR: '' }), true);
    assert.equal(isColored(true, { TERM: 'dumb' }), false);
    assert.equal(isColored(false, { FORCE_COLOR: '1' }), true);
    assert.equal(isColored(false, { FORCE_COLOR: '1', NO_COLOR: '1' }), false);
  });

  it('has a width only if the output is a terminal', () => {
    assert.equal(widthOf({ isTTY: true, columns: 120 }), 120);
    assert.equal(widthOf({ isTTY: false, columns: 120 }), undefined);
  });
});

describe('progress of the command line', () => {
  const shown = (isTTY: boolean): string => {
    let text = '';
    const { show, end } = createProgress({ isTTY, columns: 40, write: (part) => (text += part) });
    show({ stage: 'replaying transactions', done: 1, total: 3 });
    show({ stage: 'replaying transactions', done: 2, total: 3 });
    end();
    return text;
  };

  it('is one overwritten line in a terminal, and one line for each stage elsewhere', () => {
    const line = (done: number): string => `\r\u001b[Kreplaying transactions: ${done} of 3`;
    assert.equal(shown(true), `${line(1)}${line(2)}\r\u001b[K`);
    assert.equal(shown(false), 'replaying transactions\n');
  });
});

describe('completion', () => {
  const words = (...given: string[]): string[] =>
    completionOf(given).candidates.map(([word]) => word);

  it('suggests commands, groups and options', () => {
    assert.ok(words('').includes('fork') && words('').includes('demo'));
    assert.deepEqual(words('fork', 'snapshot', ''), ['list', 'create', 'revert', 'delete']);
    assert.ok(words('tx', 'export', '-').includes('--output'));
    assert.ok(words('tx', 'export', '-').includes('--json'));
  });

  it('suggests values of options, and names the source of live values', () => {
    assert.deepEqual(words('project', 'list', '--format', ''), ['table', 'csv', 'json']);
    assert.equal(completionOf(['fork', 'list', '--project', '']).live, 'projects');
    assert.equal(completionOf(['fork', 'show', '']).live, 'forks');
    assert.equal(completionOf(['fork', 'delete', 'a', '']).live, 'forks');
    assert.equal(completionOf(['tx', 'calls', '']).live, 'chains and forks');
    assert.equal(completionOf(['--data-dir', '/x', 'fork', 'show', '']).dataDir, '/x');
    assert.equal(completionOf(['store', 'backup', '']).live, 'files');
  });

  it('does not count the value of an option as an argument', () => {
    assert.equal(completionOf(['fork', 'create', '--name', 'x', '']).live, 'chains');
    assert.deepEqual(words('fork', 'create', '--name', 'x', 'eth', ''), []);
  });

  it('has a script for each shell, which calls the command', () => {
    for (const shell of SHELLS) assert.match(completionScript(shell), /forklens __complete/);
  });
});

describe('the configuration folder', () => {
  it("is the system's folder", () => {
    assert.equal(configFolder({ XDG_CONFIG_HOME: '/c' }, 'linux'), '/c/forklens');
    assert.match(configFolder({}, 'linux'), /\/\.config\/forklens$/);
    assert.equal(configFolder({ APPDATA: '/a' }, 'win32'), '/a/forklens');
  });
});
