import { resolve } from 'node:path';
import { checkNames, readArguments, UsageError } from './arguments.mjs';
import { SUITES } from './suites.mjs';

const flag = { type: 'boolean', default: false };
const text = { type: 'string' };

/** Options of `npm test`; test/README.md describes them. */
const OPTIONS = {
  all: flag,
  changed: flag,
  coverage: flag,
  desktop: flag,
  'no-host': flag,
  // With --changed.
  base: text,
  list: flag,
  files: flag,
  unit: flag,
  // Of the suites `fidelity`, `faults`, `cluster` and `clients`.
  long: flag,
  seed: text,
  // Of the suites `fidelity` and `clients`.
  update: flag,
  // Of the suite `clients` alone.
  suites: text,
  only: text,
  // Of the suite `fidelity` alone.
  verbose: flag,
  'geth-cases': text,
  'execution-apis': text,
  'kona-blocks': text,
  'osaka-block': text,
};
const OF_CHANGED = ['base', 'list', 'files', 'unit'];

/**
 * @param args after the name of the program
 * @param nearest finds the known name most similar to a misspelt one
 * @returns the named suites in their order, or all of them, and the values of the options
 * @throws UsageError that names the word and the nearest known one
 */
export function readOptions(args, nearest) {
  const { values, positionals } = readArguments(args, OPTIONS, nearest);
  const known = Object.keys(SUITES);
  checkNames('suite', positionals, known, nearest);
  const alone = OF_CHANGED.find((name) => values[name] && !values.changed);
  if (alone) throw new UsageError(`option --${alone} needs --changed`);
  if (values.changed && positionals.length > 0) {
    throw new UsageError(`option --changed chooses the tests itself; leave out ${positionals[0]}`);
  }
  return {
    values,
    names: known.filter((name) => positionals.length === 0 || positionals.includes(name)),
    /** Whether files named `*.long.test.ts` run: with `--all`, and in suites that are named. */
    isWhole: values.all || positionals.length > 0,
  };
}

/** Environment variables that the suites read, by the values of the options. */
export function suiteEnvironment(values) {
  const given = {
    FIDELITY_FORM: values.long || values.update ? 'long' : undefined,
    FIDELITY_UPDATE: values.update ? '1' : undefined,
    FIDELITY_VERBOSE: values.verbose ? '1' : undefined,
    FIDELITY_SEED: values.seed,
    FIDELITY_GETH_CASES: values['geth-cases'],
    FIDELITY_EXECUTION_APIS: values['execution-apis'],
    FIDELITY_KONA_BLOCKS: values['kona-blocks'],
    FIDELITY_OSAKA_BLOCK: values['osaka-block'],
    CLUSTER_FORM: values.long ? 'long' : undefined,
    CLUSTER_SEED: values.seed,
    FAULTS_FORM: values.long ? 'long' : undefined,
    FAULTS_SEED: values.seed,
    CLIENTS_FORM: values.long || values.update ? 'long' : undefined,
    CLIENTS_UPDATE: values.update ? '1' : undefined,
    CLIENTS_SUITES: values.suites && resolve(values.suites),
    CLIENTS_ONLY: values.only,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value));
}
