const SHOWN = 10;

/** What took longest in all suites. @param key of the durations in a row */
export function slowestText(rows, key) {
  return rows
    .flatMap(({ suite, [key]: durations = [] }) =>
      durations.map((duration) => ({ suite, ...duration })),
    )
    .sort((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, SHOWN)
    .map(({ suite, name, milliseconds }) => {
      const seconds = (milliseconds / 1000).toFixed(1);
      return `${seconds.padStart(7)} s  ${suite}: ${name}`;
    })
    .join('\n');
}

/**
 * The failures of all suites, once more: where much is printed, only the end of it may be kept. Each with the command that runs the
 * test alone.
 */
export const failuresText = (rows) =>
  rows
    .flatMap(({ suite, failures = [] }) =>
      failures.map(({ title, message, file }) => {
        const command = aloneCommand(suite, title, file);
        return `${suite}: ${title}\n    ${message}${command ? `\n    Alone: ${command}` : ''}`;
      }),
    )
    .join('\n\n');

/** Tests in the extension host have no file that mocha could run. Others need the bundles, which the run has built. */
function aloneCommand(suite, title, file) {
  if (suite === 'vscode') return 'npm test -- vscode';
  if (!file) return undefined;
  // The title of a hook begins with the hook: it runs with any test of its suite.
  const name = title.replace(/"(before|after) (all|each)" hook.*$/, '').trim();
  return `npx mocha ${file} --fgrep '${name.replaceAll("'", `'\\''`)}'`;
}

/** `N passed, N failed`, and `N skipped` where some were. */
export function totalText(rows) {
  const total = (column) => rows.reduce((sum, row) => sum + row[column], 0);
  const skipped = total('skipped') > 0 ? `, ${total('skipped')} skipped` : '';
  return `${total('passed')} passed, ${total('failed')} failed${skipped}`;
}
