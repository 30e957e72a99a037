import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse } from 'yaml';

const SCHEMAS = ['src/schemas', 'src/engine/openrpc/schemas'];
const METHODS = ['src/eth', 'src/debug', 'src/txpool', 'src/testing'];

/** The schemas contain keywords of OpenAPI. */
const OPTIONS = { strict: false, logger: false } as const;

interface Method {
  name: string;
  result?: { schema: object };
}

/** @returns why a result violates the standard's schema; undefined if it does not */
export type CheckResult = (method: string, result: unknown) => string | undefined;

/** Loads the schemas of results. @param root of a checkout */
export async function loadResultSchemas(root: string): Promise<CheckResult> {
  const schemas = await readAll<Record<string, object>>(root, SCHEMAS);
  const methods = (await readAll<Method[]>(root, METHODS)).flat();
  const ajv = new Ajv(OPTIONS);
  ajv.addSchema({
    $id: 'standard',
    components: { schemas: Object.assign({}, ...schemas) as object },
    results: Object.fromEntries(methods.map(({ name, result }) => [name, result?.schema ?? {}])),
  });
  return (method, result) => {
    const check = ajv.getSchema(`standard#/results/${method}`);
    if (!check) return `no schema of ${method}`;
    return check(result) === true ? undefined : ajv.errorsText(check.errors);
  };
}

async function readAll<T>(root: string, folders: readonly string[]): Promise<T[]> {
  const files = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder));
      return names.filter((name) => name.endsWith('.yaml')).map((name) => join(root, folder, name));
    }),
  );
  return Promise.all(files.flat().map(async (file) => parse(await readFile(file, 'utf8')) as T));
}
