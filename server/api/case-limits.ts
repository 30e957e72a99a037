import type { LimitTable } from './schema-limits';

const MIB = 1024 * 1024;

/** The part of `LIMIT_TABLE` that concerns case files. */
export const CASE_LIMIT_TABLE = {
  caseFile: { value: 64 * MIB, unit: 'bytes', what: 'size of a case file', error: 'caseRefused' },
  caseContent: {
    value: 256 * MIB,
    unit: 'bytes',
    what: 'content of a case file, unpacked',
    error: 'caseRefused',
  },
  caseAnswers: {
    value: 200_000,
    what: 'answers of a node in a case file',
    error: 'caseRefused',
  },
  caseVerification: {
    value: 300_000,
    unit: 'ms',
    what: 'time that a case file is verified for',
    error: 'timedOut',
  },
  caseChains: {
    value: 8,
    what: 'chains and forks of a case file',
    error: 'invalidField',
  },
  casesOpen: {
    value: 16,
    what: 'case files that are open in a service',
    error: 'caseRefused',
  },
} as const satisfies LimitTable;
