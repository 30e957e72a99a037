import * as l10n from '@vscode/l10n';
import { shown } from '../../../server/api/errors';
import { BookError } from '../../../server/client/book/book';
import { Fields } from '../../../server/client/book/cell-fields';

/** When a value changed: the words of `forklens bisect`. */
export interface BisectCell {
  expression: string;
  /** Slug or id; undefined: the one that the book is bound to. */
  chain: string | undefined;
  from: string;
  to: string;
  contract: string | undefined;
  /** Addresses by their names in the expression. */
  names: Record<string, string>;
  functions: string[];
  plan: 'one' | 'all' | 'every';
}

/** What real transactions do with new code: the words of `forklens regress`. */
export interface RegressCell {
  address: string;
  /** Slug or id; undefined: the one that the book is bound to. */
  chain: string | undefined;
  /** Path of an artifact. */
  code: string;
  /** Transactions, the newest. */
  last: number;
  /** Blocks. */
  from: number | undefined;
  to: number | undefined;
  /** Hashes, lower case. */
  attacks: string[];
}

/** An output shows a line for each. */
const MAX_TRANSACTIONS = 1_000;
const MAX_BLOCK = 1e15;
const MAX_ATTACKS = 100;

const refused = (field: string, value: string | undefined, accepted: string): BookError =>
  new BookError(l10n.t('{0}: got {1}, takes {2}.', field, shown(value ?? ''), accepted));

/**
 * A bisection: lines such as `expression: …`, `name: vault=0x…` and `from: …`. The service checks the expression and the blocks.
 * @throws BookError with the field, the value and what is accepted
 */
export function readBisect(text: string): BisectCell {
  const fields = new Fields(text, {
    main: 'expression',
    names: ['expression', 'from', 'to', 'contract', 'name', 'function', 'all', 'every', 'chain'],
    repeatable: ['name', 'function'],
  });
  const filled = (field: 'expression' | 'from', accepted: string): string => {
    const value = fields.one(field) ?? '';
    if (value === '') throw refused(field, value, accepted);
    return value;
  };
  const isSet = (field: 'all' | 'every'): boolean => {
    const value = fields.one(field);
    if (value !== undefined && value !== 'yes') throw refused(field, value, '"yes"');
    return value !== undefined;
  };
  const [isAll, isEvery] = [isSet('all'), isSet('every')];
  if (isAll && isEvery) {
    throw new BookError(l10n.t('The cell has both "all" and "every"; it takes one of them.'));
  }
  return {
    expression: filled('expression', l10n.t('an expression in Solidity')),
    chain: fields.chain('chain'),
    from: filled('from', l10n.t('the block after which the value is read first')),
    to: fields.one('to') ?? 'latest',
    contract: fields.one('contract'),
    names: Object.fromEntries(fields.all('name').map(namedAddress)),
    functions: [...fields.all('function')],
    plan: isEvery ? 'every' : isAll ? 'all' : 'one',
  };
}

function namedAddress(text: string): [name: string, address: string] {
  const [, name, address] = /^([A-Za-z_]\w{0,63})=(0x[0-9a-fA-F]{40})$/.exec(text) ?? [];
  if (name !== undefined && address !== undefined) return [name, address];
  throw refused('name', text, l10n.t('a name and an address, such as vault=0x…'));
}

/**
 * Transactions to execute with new code: lines such as `address: …`, `code: …` and `attack: …`.
 * @throws BookError with the field, the value and what is accepted
 */
export function readRegress(text: string): RegressCell {
  const fields = new Fields(text, {
    main: 'address',
    names: ['address', 'code', 'last', 'from', 'to', 'attack', 'chain'],
    repeatable: ['attack'],
  });
  const number = (field: 'last' | 'from' | 'to', least: number, most: number) => {
    const value = fields.one(field);
    if (value === undefined) return undefined;
    const found = /^\d{1,16}$/.test(value) ? Number(value) : NaN;
    if (found >= least && found <= most) return found;
    throw refused(field, value, l10n.t('a whole number from {0} to {1}', least, most));
  };
  const address = fields.one('address');
  if (address === undefined || !/^0x[0-9a-fA-F]{40}$/.test(address)) {
    throw refused('address', address, l10n.t('an address: 0x and 40 hex digits'));
  }
  const code = fields.one('code') ?? '';
  if (code === '') {
    throw refused('code', code, l10n.t('the path of an artifact of Foundry or Hardhat'));
  }
  const attacks = fields.all('attack');
  if (attacks.length > MAX_ATTACKS) {
    throw new BookError(
      l10n.t('The cell names {0} attacks, and takes up to {1}.', attacks.length, MAX_ATTACKS),
    );
  }
  return {
    address,
    chain: fields.chain('chain'),
    code,
    last: number('last', 1, MAX_TRANSACTIONS) ?? 200,
    from: number('from', 0, MAX_BLOCK),
    to: number('to', 0, MAX_BLOCK),
    attacks: attacks.map((hash) => {
      if (/^0x[0-9a-fA-F]{64}$/.test(hash)) return hash.toLowerCase();
      throw refused('attack', hash, l10n.t('a transaction hash: 0x and 64 hex digits'));
    }),
  };
}
