import { command } from './command';
import { file, filledText, text } from './kinds';
import { flag, many, optional, required, withDefault } from './parameter';

export const CI_COMMANDS = {
  'ci run': command({
    summary: 'run a job with forks or a lockfile, and report the transactions that failed',
    details:
      'For each failed transaction on the forks of the job, a summary and the inspector as an HTML page are written to a folder; the summary is added to the page of a job of GitHub Actions. The forks are deleted at the end. Ends with the exit code of the program, or with 1 where it succeeds although a read failed. Write -- before it.',
    arguments: {
      program: many(text, 'program', 'the program and its arguments', { isRequired: true }),
    },
    options: {
      fork: many(
        filledText,
        'name=chain[@block]',
        'environment variable that gets the address of a new fork; may be repeated',
      ),
      lock: optional(file, 'file', 'a lockfile that answers what the program reads of chains', {
        short: 'l',
      }),
      frozen: flag('use the lockfile alone, without a network'),
      rpc: many(filledText, 'name[=chain]', 'as of lock run'),
      artifacts: withDefault(file, 'folder', 'for the reports', 'forklens-report', { short: 'a' }),
    },
    examples: [
      ['forklens ci run --lock forklens.lock --frozen -- forge test', 'fork tests, no endpoint'],
      ['forklens ci run --fork ETH_RPC_URL=eth@19000000 -- npm test', 'a fork for the job'],
    ],
  }),
  'ci compare': command({
    summary: 'compare transactions and simulations with what a baseline file expects of them',
    details:
      'Compared are outcome, calls, events, balance changes, state writes and gas. Exit code 1 where one differs.',
    arguments: { baseline: required(file, 'baseline', 'JSON file') },
    options: { update: flag('write what they do now into the file') },
    examples: [
      ['forklens ci compare baseline.json', 'in a job'],
      ['forklens ci compare baseline.json --update', 'after a deliberate change'],
    ],
  }),
} as const;
