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

/** The failures of all suites, once more: where much is printed, only the end of it may be kept. */
export const failuresText = (rows) =>
  rows
    .flatMap(({ suite, failures = [] }) =>
      failures.map(({ title, message }) => `${suite}: ${title}\n    ${message}`),
    )
    .join('\n\n');

/** `N passed, N failed`, and `N skipped` where some were. */
export function totalText(rows) {
  const total = (column) => rows.reduce((sum, row) => sum + row[column], 0);
  const skipped = total('skipped') > 0 ? `, ${total('skipped')} skipped` : '';
  return `${total('passed')} passed, ${total('failed')} failed${skipped}`;
}
