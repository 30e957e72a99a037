import { UsageError } from './config-file';
import { DATABASE_VARIABLE } from './secret-arguments';

const SCHEME = /^postgres(ql)?:\/\//;

/**
 * Checks the URL of a database. It contains a password, so no message contains it.
 * @throws UsageError
 */
export function readDatabaseUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  // A URL without a host names a Unix socket: postgres://user@/database?host=/run/postgresql
  const parsable = text.replace('@/', '@localhost/').replace(':///', '://localhost/');
  if (SCHEME.test(text) && URL.canParse(parsable)) return text;
  throw new UsageError(
    `--database or ${DATABASE_VARIABLE} is a hidden value; accepted: postgres://user:password@host:port/database`,
  );
}
