import { command } from './command';
import { file, filledText, text } from './kinds';
import { flag, many, optional, withDefault } from './parameter';

export const LOCKFILE = 'forklens.lock';

const program = many(text, 'program', 'the program and its arguments', { isRequired: true });
const theLock = withDefault(file, 'file', 'the lockfile', LOCKFILE, { short: 'l' });
const rpc = many(
  filledText,
  'name[=chain]',
  'environment variable that holds an endpoint, or that gets the chain of the config file; may be repeated',
);

export const LOCK_COMMANDS = {
  'lock record': command({
    summary: 'run a program, and record what it reads of chains in a lockfile',
    details:
      'The program finds the endpoints of foundry.toml and of its environment at addresses of Forklens. Ends with the exit code of the program. Write -- before it.',
    arguments: { program },
    options: {
      output: withDefault(
        file,
        'file',
        'the lockfile, also as -l or --lock; an existing one is replaced',
        LOCKFILE,
        { short: 'o', alias: { name: 'lock', short: 'l' } },
      ),
      rpc,
    },
    examples: [
      ['forklens lock record -o forklens.lock -- forge test', 'the fork tests of a project'],
      ['forklens lock record --rpc ALCHEMY_URL -- npx hardhat test', 'names a variable'],
      ['forklens lock record --rpc NODE_URL=eth -- npm test', 'a chain of the config file'],
    ],
  }),
  'lock run': command({
    summary: 'run a program whose reads of chains are answered from a lockfile',
    details:
      'What is missing in the lockfile is read from the endpoints, or fails with --frozen. Ends with the exit code of the program, or with 1 where it succeeds although a read failed. Write -- before it.',
    arguments: { program },
    options: {
      lock: theLock,
      frozen: flag('use the lockfile alone, without a network'),
      rpc,
    },
    examples: [['forklens lock run --frozen -- forge test', 'without an endpoint']],
  }),
  'lock update': command({
    summary: 'run a program, add what it newly reads to a lockfile, and drop what it does not read',
    details:
      'Nothing is dropped where the program fails. Ends with the exit code of the program. Write -- before it.',
    arguments: { program },
    options: {
      lock: theLock,
      keep: flag('drop nothing, for a run of some of the tests'),
      latest: flag('read at the newest blocks of now, not at those of the lockfile'),
      rpc,
    },
    examples: [
      ['forklens lock update -- forge test', 'after a change of the tests'],
      ['forklens lock update --keep -- forge test --match-test test_new', 'adds one test'],
    ],
  }),
  'lock show': command({
    summary: 'list what a lockfile contains, by chain and block',
    arguments: { lockfile: optional(file, 'lockfile', 'the same as --lock') },
    options: {
      lock: optional(file, 'file', `the lockfile (default: ${LOCKFILE})`, { short: 'l' }),
    },
  }),
} as const;
