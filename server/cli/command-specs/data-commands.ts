import { command } from './command';
import { address, chain, chainOrFork, choice, file, filledText } from './kinds';
import { LIST_OPTIONS } from './list-options';
import { many, optional, required } from './parameter';

const abiArguments = {
  chain: required(chainOrFork, 'chain', 'slug of a chain, or id or name of a fork'),
  address: required(address, 'address', 'of the contract'),
} as const;
const labelChain = {
  chain: optional(chainOrFork, 'chain', 'where the name counts (default: on all chains)'),
} as const;

export const DATA_COMMANDS = {
  'chain list': command({
    summary: 'list the chains that can be forked and analyzed',
    options: LIST_OPTIONS,
  }),
  'chain block': command({
    summary: 'find a block of a chain by number, tag, time, hash or transaction',
    arguments: {
      chain: required(chain, 'chain', 'slug of the chain'),
      at: required(
        filledText,
        'at',
        'number, latest, safe, finalized, earliest, a UTC time, or the hash of a block or a transaction',
      ),
    },
    examples: [['forklens chain block eth 2024-01-13T11:20', 'the newest block up to that time']],
  }),
  'chain address': command({
    summary: 'show what an address is on a chain or fork, its name and balance',
    arguments: abiArguments,
  }),
  'abi set': command({
    summary: 'give the ABI of a contract, for your own analyses',
    arguments: {
      ...abiArguments,
      file: required(file, 'file', "a JSON ABI or a compiler's artifact; - for standard input"),
    },
    examples: [['forklens abi set eth 0x… out/Vault.sol/Vault.json', 'from the output of forge']],
  }),
  'abi show': command({ summary: 'print an ABI that you gave', arguments: abiArguments }),
  'abi delete': command({ summary: 'forget an ABI that you gave', arguments: abiArguments }),
  'label list': command({ summary: 'list your names of addresses', options: LIST_OPTIONS }),
  'label set': command({
    summary: 'name an address, for your own analyses',
    arguments: {
      address: required(address, 'address', 'any address'),
      name: required(filledText, 'name', 'its name'),
    },
    options: labelChain,
  }),
  'label delete': command({
    summary: 'forget your name of an address',
    arguments: { address: required(address, 'address', 'that has a name') },
    options: labelChain,
  }),
  'artifacts add': command({
    summary: 'have the service look into folders of build output, until it ends',
    arguments: {
      folders: many(file, 'folders', 'such as out or artifacts', { isRequired: true }),
    },
  }),
  events: command({
    summary: 'print what changes, until Ctrl-C; with --json one JSON document per line',
    options: {
      type: optional(
        choice('project', 'fork', 'transactions', 'snapshots', 'analysis'),
        'type',
        'of this type only: project, fork, transactions, snapshots or analysis',
      ),
    },
    examples: [['forklens events --json | jq .type', 'follows with a filter']],
  }),
} as const;
