import { UsageError } from './config-file';

export const DATABASE_VARIABLE = 'FORKLENS_DATABASE_URL';
const SCHEME = /^postgres(ql)?:\/\//;

/**
 * Checks the URL of a database. It contains a password, so no message contains it.
 * @throws UsageError
 */
export function readDatabaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  // A URL without a host names a Unix socket: postgres://user@/database?host=/run/postgresql
  const parsable = text.replace('@/', '@localhost/').replace(':///', '://localhost/');
  if (SCHEME.test(text) && URL.canParse(parsable)) return text;
  throw new UsageError(
    `--database or ${DATABASE_VARIABLE} is a hidden value; accepted: postgres://user:password@host:port/database`,
  );
}

export const isDatabaseUrl = (text: string): boolean => SCHEME.test(text);

/** Keeps the URL out of process lists and out of the environment of child processes. */
export function hideDatabaseUrl(): void {
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a variable of the environment
  delete process.env[DATABASE_VARIABLE];
  // A title replaces the arguments that other processes see.
  if (process.argv.some((argument) => /postgres(ql)?:\/\//.test(argument))) {
    process.title = 'forklens-server';
  }
}
