import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { configSchema } from '../../../server/api/config';
import { API_ERRORS } from '../../../server/api/errors';
import type { Limit } from '../../../server/api/schema-limits';
import { LIMIT_TABLE } from '../../../server/api/limits';

const REFERENCE = new URL('../../../server/LIMITS.md', import.meta.url);
const BEGIN = '<!-- table: made by test/unit/api/limits.test.ts -->';
const END = '<!-- end of table -->';

const rows: readonly [string, Limit][] = Object.entries(LIMIT_TABLE);

const shownValue = ({ value, unit }: Limit): string => {
  if (value === Infinity) return 'none';
  if (unit === 'bytes' && value % 1024 ** 2 === 0) return `${value / 1024 ** 2} MiB`;
  if (unit === 'bytes' && value % 1024 === 0) return `${value / 1024} KiB`;
  if (unit === 'ms' && value % 1000 === 0) return `${value / 1000} s`;
  const number = value.toLocaleString('en');
  return unit === undefined ? number : `${number} ${unit}`;
};

const shownEffect = ({ error, rpcError, beyond }: Limit): string =>
  [error && API_ERRORS[error].code, rpcError, beyond].filter(Boolean).join('; ');

const table = [
  '| limit | of | value | setting | beyond it |',
  '| --- | --- | --: | --- | --- |',
  ...rows.map(([name, limit]) => {
    const setting = limit.setting === undefined ? '' : `\`${limit.setting}\``;
    return `| ${name} | ${limit.what} | ${shownValue(limit)} | ${setting} | ${shownEffect(limit)} |`;
  }),
].join('\n');

describe('the limits', () => {
  it('are listed in the reference, which UPDATE_GOLDENS=1 regenerates', async () => {
    const text = await readFile(REFERENCE, 'utf8');
    const [before, rest] = text.split(BEGIN) as [string, string];
    const [written, after] = rest.split(END) as [string, string];
    if (process.env['UPDATE_GOLDENS'] !== undefined) {
      await writeFile(REFERENCE, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
      return;
    }
    assert.equal(written.trim(), table);
  });

  it('state the effect beyond each of them', () => {
    for (const [name, limit] of rows) assert.notEqual(shownEffect(limit), '', name);
  });

  it('have settings that the config file accepts', () => {
    const set = rows.filter(([, { setting }]) => setting !== undefined);
    assert.ok(set.length >= 7);
    for (const [name, { setting = '', value }] of set) {
      const [section, field] = setting.split('.') as [string, string];
      const config = configSchema.parse({ [section]: { [field]: value } });
      const read = config[section as 'limits'][field as 'connections'];
      assert.equal(read, value, name);
    }
  });
});
