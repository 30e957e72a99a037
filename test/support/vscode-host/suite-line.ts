/** Prefix of the suite's own output, to separate it from the other logs of an extension host. */
export const SUITE_LINE = 'suite| ';
