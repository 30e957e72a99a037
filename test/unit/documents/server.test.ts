import assert from 'node:assert/strict';
import { configSchema } from '../../../server/api/config';
import { API_ERRORS } from '../../../server/api/errors';
import { CHANGES_PATH } from '../../../server/api/changes';
import { recordingSchema } from '../../../server/api/recording';
import { ROUTES, type Route } from '../../../server/api/routes';
import { basename } from 'node:path';
import {
  checkGenerated,
  DOCUMENTS,
  documentText,
  quoted,
  tableBelow,
} from '../../support/documents';
import * as z from 'zod';

const REST = 'server/REST.md';
const rest = documentText(REST);
const configuration = documentText('server/CONFIGURATION.md');

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
}

/** Paths of the fields of a schema, down to those that have none themselves. */
function leaves(schema: JsonSchema, path: string): string[] {
  if (schema.items?.properties) return leaves(schema.items, `${path}[]`);
  if (!schema.properties) return [path];
  return Object.entries(schema.properties).flatMap(([name, field]) =>
    leaves(field, path === '' ? name : `${path}.${name}`),
  );
}

const placeholders = (path: string): string => path.replace(/:(\w+)/g, '<$1>');

function routeRows(): string[] {
  const routes: Route[] = Object.values(ROUTES);
  const rows = routes.map(({ method, paths: [path], summary, scope }) => {
    const own = summary.replace(' (ours)', '');
    return `| \`${method.toUpperCase()} ${placeholders(path)}\` | ${own} | ${scope} |`;
  });
  return [
    ...rows,
    `| \`GET ${CHANGES_PATH}\` | What changes in your projects, as it happens | manage |`,
  ];
}

describe('the pages of the service', () => {
  it('begin with an index of at most 400 words, which leads to every page', () => {
    const index = documentText('server/README.md');
    assert.ok(index.split(/\s+/).filter(Boolean).length <= 400);
    const pages = DOCUMENTS.filter((file) => /^server\/(?!README)[\w-]+\.md$/.test(file));
    assert.ok(pages.length >= 11);
    for (const page of pages) assert.ok(index.includes(`](${basename(page)})`), page);
  });

  it('lists every route, which UPDATE_GOLDENS=1 writes', () => {
    const head = ['| route | what it does | scope of the key |', '| --- | --- | --- |'];
    checkGenerated(REST, 'routes', [...head, ...routeRows()].join('\n'));
  });

  it('lists every error by its code, status and meaning, and no other', () => {
    const rows = Object.values(API_ERRORS)
      .sort((a, b) => a.code - b.code)
      .map(({ code, status, meaning }) => [String(code), String(status), meaning]);
    assert.deepEqual(tableBelow(rest, '| code | HTTP | meaning |'), rows);
  });

  it('lists every level of recordings, and has an example of each of their routes', () => {
    const levels = recordingSchema.shape.verification.shape.level.options;
    const documented = tableBelow(rest, '| `verification.level` | what holds |');
    assert.deepEqual(
      documented.map(([level]) => level),
      levels.map((level) => `\`${level}\``),
    );
    const section = rest.split(/^(?=## )/m).find((one) => one.startsWith('## Recordings\n'))!;
    const routes: Route[] = Object.values(ROUTES);
    const paths = routes
      .map(({ paths: [path] }) => path)
      // That of a test needs a file that forge wrote.
      .filter((path) => path.includes('recording') && !path.startsWith('/v1/tests/'));
    assert.equal(paths.length, 16);
    for (const path of paths) {
      const parts = path.replace(/^.*(?=\/recording)/, '').split('/:');
      const own = path.includes('/simulate/') ? '$URL/simulate/recording' : '$TX';
      const [first = '', ...others] = parts.map((part) =>
        part.replace(/^(step|contract)/, '0').replace(/^block$/, '$BLOCK'),
      );
      const example = `${own}${first.replace('/recording', '')}${others.map((part) => `/${part}`).join('')}`;
      assert.ok(section.split(/\s/).includes(example), example);
    }
  });

  it('lists every option of the service with its variable, and no other', () => {
    const source = documentText('server/composition/startup/options.ts');
    const options = [...source.matchAll(/'(--[a-z-]+)(?: <\w+>)?'/g)].map(([, name]) => name!);
    assert.ok(options.length >= 10);
    const documented = tableBelow(configuration, '| option | variable | default | meaning |').map(
      (row) => row.slice(0, 2),
    );
    const variable = (name: string): string =>
      name === '--database'
        ? 'FORKLENS_DATABASE_URL'
        : `FORKLENS_${name.slice(2).toUpperCase().replaceAll('-', '_')}`;
    assert.deepEqual(
      documented.sort(),
      options.map((name) => [`\`${name}\``, `\`${variable(name)}\``]).sort(),
    );
  });

  it('lists every field of the config file, and no other', () => {
    const schema = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' });
    const documented = tableBelow(configuration, '| field | meaning |').flatMap(([cell]) =>
      quoted(cell!),
    );
    assert.deepEqual(documented.sort(), leaves(schema as JsonSchema, '').sort());
  });

  it('has a config file that the service takes', () => {
    const example = /^```json\n([^]*?)^```/m.exec(configuration)?.[1];
    assert.ok(configSchema.safeParse(JSON.parse(example ?? '')).success);
  });
});
