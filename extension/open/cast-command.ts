import type { Hex } from '../../server/api/primitives';
import { chainNamed } from './chain-names';
import { readWords, wordsOf, type CommandWords } from './command-words';
import { onChain, type CallMeaning, type KnownChain, type Meaning } from './meaning';

/** Options of cast (Foundry 1.5) that take a value: the word after them is not an argument. */
const VALUED = new Set(
  [
    ...['rpc-url', 'from', 'value', 'block', 'gas-limit', 'gas-price', 'priority-gas-price'],
    ...['nonce', 'chain', 'private-key', 'private-keys', 'account', 'keystore', 'password'],
    ...['password-file', 'etherscan-api-key', 'rpc-timeout', 'rpc-headers', 'confirmations'],
    ...['timeout', 'data', 'evm-version', 'label', 'jwt-secret', 'mnemonic', 'mnemonic-index'],
    ...['blob-gas-price', 'auth', 'access-list', 'path', 'hd-paths', 'block-time', 'rate'],
    ...['override-balance', 'override-nonce', 'override-code', 'override-state', 'threads'],
  ].map((name) => `--${name}`),
);
/** Characters before the command: environment variables and a path. */
const MAX_START = 1_000;
const SHORT = {
  ...{ '-r': '--rpc-url', '-f': '--from', '-b': '--block', '-c': '--chain', '-B': '--block' },
  ...{ '-e': '--etherscan-api-key', '-l': '--label', '-d': '--debug' },
};
const CALLS = new Set(['call', 'c', 'send', 's', 'estimate', 'e', 'access-list', 'mktx', 'm']);
const OF_TRANSACTION = new Set(['run', 'r', 'tx', 't', 'receipt', 're']);
const OF_ADDRESS = new Set([
  ...['balance', 'b', 'code', 'co', 'codesize', 'cs', 'codehash', 'nonce', 'n', 'storage', 'st'],
  ...['admin', 'adm', 'implementation', 'impl', 'source', 'etherscan-source', 'src', 'interface'],
]);

/** The command's subject; undefined if the text is no command of cast, or one without a subject that can be shown. */
export function readCastCommand(text: string, chains: readonly KnownChain[]): Meaning | undefined {
  if (!/\bcast(\.exe)?\s/.test(text.slice(0, MAX_START))) return undefined;
  const words = wordsOf(text.trim().replace(/^[$>#%]\s+/, ''));
  const start = words.findIndex((word) => !/^\w+=/.test(word));
  if (!/(^|[/\\])cast(\.exe)?$/.test(words[start] ?? '')) return undefined;
  const command = (words[start + 1] ?? '').toLowerCase();
  const read = readWords(words.slice(start + 2), VALUED, SHORT);
  const meaning = subjectOf(command, read);
  const named = read.options.get('--chain');
  const chain = named === undefined ? undefined : chainNamed(named, chains);
  return meaning === undefined ? undefined : onChain(meaning, chain);
}

function subjectOf(command: string, read: CommandWords): Meaning | undefined {
  const [first = '', second = ''] = read.arguments;
  if (CALLS.has(command)) return callOf(read);
  if (OF_TRANSACTION.has(command)) {
    const hash = hexOf(first, 32);
    const debug = read.flags.has('--debug') ? { debug: true as const } : {};
    return hash && { kind: 'transaction', hash, ...debug };
  }
  if (OF_ADDRESS.has(command)) {
    const address = hexOf(first, 20);
    return address && { kind: 'address', address };
  }
  switch (command) {
    case 'block':
    case 'bl':
    case 'age':
      return /^(0x[0-9a-f]{1,64}|\d{1,15}|latest|safe|finalized|earliest)$/i.test(first)
        ? { kind: 'block', block: first.toLowerCase() }
        : undefined;
    case '4byte':
    case '4': {
      const selector = hexOf(first, 4);
      return selector && { kind: 'selector', selector };
    }
    case '4byte-event':
    case '4e': {
      const topic = hexOf(first, 32);
      return topic && { kind: 'topic', topic };
    }
    case 'sig':
    case 'si':
    case 'sig-event':
    case 'se':
      return first.includes('(') ? { kind: 'signature', signature: first } : undefined;
    case '4byte-calldata':
    case '4byte-decode':
    case '4d':
    case '4bd':
    case 'decode-error':
      return dataOf(first);
    case 'calldata-decode':
    case 'decode-calldata':
    case 'cdd':
      return dataOf(second);
    default:
      return undefined;
  }
}

function callOf({ arguments: [to = '', ...rest], options }: CommandWords): CallMeaning | undefined {
  const address = hexOf(to, 20);
  if (address === undefined) return undefined;
  const [signature, ...args] = rest;
  const data = bytesOf(options.get('--data') ?? (/^0x/i.test(signature ?? '') ? signature : ''));
  return {
    kind: 'call',
    to: address,
    signature: data === undefined ? signature : undefined,
    arguments: args,
    data,
    value: options.get('--value') ?? '0',
    from: hexOf(options.get('--from') ?? '', 20),
    block: options.get('--block'),
  };
}

function dataOf(text: string): Meaning | undefined {
  const data = bytesOf(text);
  return data !== undefined && data.length >= 10 ? { kind: 'data', data } : undefined;
}

const bytesOf = (text = ''): Hex | undefined =>
  /^0x([0-9a-f]{2})+$/i.test(text) ? (text.toLowerCase() as Hex) : undefined;

function hexOf(text: string, bytes: number): Hex | undefined {
  const data = bytesOf(text);
  return data?.length === 2 + bytes * 2 ? data : undefined;
}
