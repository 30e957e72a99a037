import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Outputs by the hash of what was compiled, of all runs. */
const FOLDER = join(__dirname, '../../node_modules/.cache/forklens-compilations');
/** The version of the development dependency `solc`. */
const NEWEST = '0.8.30';

export interface Compiler {
  /** Standard JSON to standard JSON. */
  compile: (input: string) => string;
}

const loadNewest = (): Compiler => createRequire(__filename)('solc') as Compiler;

/**
 * Compiles as the compiler does, or takes the output that an earlier call, of any process, has kept.
 * @param input standard JSON
 * @param load loads the compiler, which takes a second
 * @returns standard JSON
 */
export function compileOnce(input: object | string, version = NEWEST, load = loadNewest): string {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const file = join(
    FOLDER,
    `${createHash('sha256').update(`${version}\n${text}`).digest('hex')}.json`,
  );
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const output = load().compile(text);
    const partial = `${file}.${randomUUID()}`;
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(partial, output);
    renameSync(partial, file);
    return output;
  }
}
