import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Context, Suite } from 'mocha';

/** Programs that some tests run, by the Debian packages that have them. */
const PACKAGES = {
  curl: 'curl',
  fish: 'fish',
  haproxy: 'haproxy',
  initdb: 'postgresql',
  nginx: 'nginx-light',
  pgbouncer: 'pgbouncer',
  python3: 'python3',
  zsh: 'zsh',
} as const;
export type Program = keyof typeof PACKAGES;

/** Folders that Debian leaves out of the path of users, or of everybody. */
function debianFolders(): string[] {
  const postgres = '/usr/lib/postgresql';
  if (!existsSync(postgres)) return ['/usr/sbin'];
  const versions = readdirSync(postgres).sort((a, b) => Number(b) - Number(a));
  return ['/usr/sbin', ...versions.map((version) => path.join(postgres, version, 'bin'))];
}

/** Path of an installed program, also outside the PATH where Debian has it there. */
function findProgram(program: Program): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return [...debianFolders(), ...folders]
    .map((folder) => path.join(folder, program))
    .find((file) => existsSync(file));
}

/** Path of a program. @throws Error that names the Debian package if it is not installed */
export function requireProgram(program: Program): string {
  const file = findProgram(program);
  if (file) return file;
  throw new Error(
    `this test needs ${program}: install it (Debian: apt-get install --no-install-recommends ${PACKAGES[program]})`,
  );
}

/** Like `describe`. Where a program is missing, the tests are left out, and the end of the run names them. */
export function describeWith(
  programs: readonly Program[],
  title: string,
  suite: (this: Suite) => void,
): void {
  if (areInstalled(programs, title)) describe(title, suite);
  else describe.skip(title, suite);
}

/** Like `it`. Where a program is missing, the test is left out, and the end of the run names it. */
export function itWith(
  programs: readonly Program[],
  title: string,
  test: (this: Context) => Promise<void> | void,
): void {
  if (areInstalled(programs, title)) it(title, test);
  else it.skip(title, test);
}

function areInstalled(programs: readonly Program[], title: string): boolean {
  const missing = programs.filter((program) => findProgram(program) === undefined);
  const file = process.env['TEST_LEFT_OUT'];
  if (file) for (const program of missing) appendFileSync(file, leftOut(program, title));
  return missing.length === 0;
}

/** A line of the file that `test/support/run/left-out.mjs` reads. */
const leftOut = (program: Program, title: string): string =>
  `${JSON.stringify({ title, program, package: PACKAGES[program] })}\n`;
