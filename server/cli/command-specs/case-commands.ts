import { command } from './command';
import { blockHash, chain, chainOrFork, file, filledText, hash, whole } from './kinds';
import { LIST_OPTIONS } from './list-options';
import { flag, many, optional, required } from './parameter';

const caseFile = {
  file: required(file, 'file', 'a case file (.forklens)'),
} as const;

export const CASE_COMMANDS = {
  'case create': command({
    summary: 'write a case file: all that is read about an analysis, for use without a network',
    details:
      'An analysis is a transaction, a simulation with --simulation, or those of a notebook with --notebook. With --compare the file shows a comparison, with --breakpoint or --step a debugger session.',
    arguments: {
      chain: optional(
        chainOrFork,
        'chain',
        'slug of the chain, or id or name of a fork; a notebook names its own',
      ),
      hash: optional(hash, 'hash', 'of the transaction'),
    },
    options: {
      output: optional(
        file,
        'file',
        'where to write it; an existing one is replaced (default: <hash>.forklens)',
        {
          short: 'o',
        },
      ),
      simulation: optional(file, 'file', 'JSON of a simulation, in place of a transaction'),
      title: optional(filledText, 'text', 'name of the simulation'),
      notebook: optional(file, 'file', 'a notebook, whose cells show the analyses'),
      compare: optional(hash, 'hash', 'the transaction on the other side of a comparison'),
      compareChain: optional(chainOrFork, 'chain', 'of --compare (default: the same)'),
      breakpoint: many(
        filledText,
        'place',
        'of a debugger session: <file as compiled>:<line>, or the name of a function; may be repeated',
      ),
      step: optional(whole(0, 100_000_000), 'number', 'step at which the session begins'),
      prove: flag(
        'add the proofs of the state before, so that the file can be checked without trust',
      ),
    },
    examples: [
      ['forklens case create eth 0x… -o exploit.forklens', 'one file, for anyone'],
      ['forklens case create eth 0x… --prove -o exploit.forklens', 'with proofs'],
      ['forklens case create eth --simulation call.json -o call.forklens', 'of a simulation'],
      ['forklens case create --notebook incident.forklens-book', 'a story with its analyses'],
      ['forklens case create eth 0x… --compare 0x… --compare-chain before', 'two sides'],
      ['forklens case create eth 0x… --breakpoint src/Vault.sol:88', 'a debugger session'],
    ],
  }),
  'case list': command({ summary: 'list the open case files', options: LIST_OPTIONS }),
  'case close': command({
    summary: 'close a case file; the file stays',
    arguments: { chain: required(chain, 'chain', 'its name as a chain') },
  }),
  open: command({
    summary: 'open a case file as a chain that answers from the file alone',
    details:
      'It stays open until "forklens case close". Nothing is sent to any network without --online.',
    arguments: caseFile,
    options: {
      online: flag('read what the file lacks from its chain, and keep it while the case is open'),
    },
    examples: [
      ['forklens open exploit.forklens', 'prints the commands that read it'],
      ['forklens open --online exploit.forklens', 'with a node of its chain'],
    ],
  }),
  verify: command({
    summary: 'execute a case file again and check its proofs; prints what is proved',
    arguments: caseFile,
    options: {
      hash: optional(blockHash, 'hash', 'of the block, from someone you trust'),
    },
    examples: [['forklens verify --hash 0x… exploit.forklens', 'fails for another block']],
  }),
} as const;
