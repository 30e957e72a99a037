export const DATABASE_VARIABLE = 'FORKLENS_DATABASE_URL';
export const METRICS_VARIABLE = 'FORKLENS_METRICS_TOKEN';

/** Replaces the arguments that other processes see, if they contain the URL of a database. */
export function hideDatabaseUrl(title: string): void {
  if (process.argv.some((argument) => /postgres(ql)?:\/\//.test(argument))) process.title = title;
}
