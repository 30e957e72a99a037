/** Marks what the suite itself prints among all that an extension host logs. */
export const SUITE_LINE = 'suite| ';
