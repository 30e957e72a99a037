import * as l10n from '@vscode/l10n';
import type { AccountChange } from '../../../server/api/views';
import { signed } from '../../../server/presentation/decimal';
import type { Names, Segment } from '../../../server/presentation/segment';
import { addressSegment, valueSegments } from '../../../server/presentation/values';
import { fold, grouped, shortHex, shownText } from '../../../server/presentation/text';
import { inUnits } from '../../../server/api/whole-units';
import type { WrittenPart } from '../protocol/protocol';

const NAME_LIMIT = 120;
const SYMBOL_LIMIT = 16;
const ETHER_DECIMALS = 18;
/** Larger numbers of slots are hashes. */
const LARGEST_SHOWN_SLOT = 1n << 32n;

interface Change {
  /** Name of the changed value. */
  name: Segment[];
  before: Segment[];
  after: Segment[];
  /** Signed difference, for numbers. */
  difference?: string | undefined;
  /** The value in Solidity, over the state. */
  expression?: string | undefined;
}

/** Where a change is in its account. */
type WrittenPlace = Pick<WrittenPart, 'query' | 'type'>;

/** A change whose texts are built when they are first read: of 100,000 changes, only some are shown. */
class ChangeRow implements Change {
  readonly kind = 'change';
  #built: Change | undefined;

  constructor(
    readonly address: string,
    private readonly build: () => Change,
    private readonly place: WrittenPlace,
  ) {}

  /** What it is a change of, for its writers. */
  get part(): WrittenPart {
    const { query, type } = this.place;
    const label = this.#change.name.map(({ text, plain }) => plain ?? text).join('');
    return {
      label: label.trim(),
      query: { address: this.address, ...query },
      ...(type !== undefined && { type }),
    };
  }

  get name(): Segment[] {
    return this.#change.name;
  }
  get before(): Segment[] {
    return this.#change.before;
  }
  get after(): Segment[] {
    return this.#change.after;
  }
  get difference(): string | undefined {
    return this.#change.difference;
  }
  get expression(): string | undefined {
    return this.#change.expression;
  }
  get #change(): Change {
    return (this.#built ??= this.build());
  }
}

/** One line of the state difference: an account, or one of its changes. */
export type StateRow = { kind: 'account'; account: AccountChange; changes: number } | ChangeRow;

const value = (text: string, plain = text): Segment[] => [
  { kind: 'value', text, ...(plain !== text && { plain, title: fold(plain, NAME_LIMIT) }) },
];
/** @param plain text to copy, which is the same in every language */
const label = (text: string, plain: string): Segment[] => [{ kind: 'quiet', text, plain }];

/** Signed plain decimal of a difference, such as `+12`; empty for zero. */
function signedText(difference: bigint, decimals: number): string {
  if (difference === 0n) return '';
  const magnitude = inUnits(String(difference < 0n ? -difference : difference), decimals);
  return signed(difference < 0n ? `-${magnitude}` : magnitude);
}

/** Names of accounts, and the unit of balances. */
interface SlotWording {
  names: Names;
  /** Symbol of the native asset, untrusted text; empty: unknown. */
  nativeSymbol: string;
}

function balanceChange(
  address: string,
  balance: NonNullable<AccountChange['balance']>,
  nativeSymbol: string,
): Change {
  const { before, after, change, fee } = balance;
  const ether = (wei: string): Segment[] => {
    const plain = inUnits(wei, ETHER_DECIMALS);
    return value(grouped(plain), plain);
  };
  const paid = BigInt(fee);
  const parts = [
    signedText(BigInt(change), ETHER_DECIMALS),
    ...(paid === 0n ? [] : [l10n.t('fee {0}', signedText(paid, ETHER_DECIMALS))]),
  ];
  // The unit is part of the name column, where long amounts cannot cut it off.
  const unit = nativeSymbol === '' ? '' : ` (${shownText(nativeSymbol, SYMBOL_LIMIT)})`;
  return {
    name: [...label(l10n.t('balance'), 'balance'), ...label(unit, unit)],
    before: ether(before),
    after: ether(after),
    difference: parts.filter((part) => part !== '').join(', '),
    expression: `${address}.balance`,
  };
}

/** Length and beginning of the code. */
function codeSegments(code: string): Segment[] {
  const bytes = Math.max(0, code.length / 2 - 1);
  if (bytes === 0) return label(l10n.t('none'), 'none');
  return value(l10n.t('{0} bytes {1}', grouped(String(bytes)), shortHex(code)), code);
}

/** A variable's name, with names in place of the addresses in its keys. */
function variableSegments(name: string, names: Names): Segment[] {
  return fold(name, NAME_LIMIT * 4)
    .split(/(0x[0-9a-f]{40})(?![0-9a-f])/)
    .filter((piece) => piece !== '')
    .map((piece) =>
      /^0x[0-9a-f]{40}$/.test(piece)
        ? addressSegment(piece, names)
        : { kind: 'value' as const, text: shownText(piece, NAME_LIMIT) },
    );
}

function difference(type: string, before: string, after: string): string {
  if (!/^u?int\d*$/.test(type) || !/^-?\d+$/.test(before) || !/^-?\d+$/.test(after)) return '';
  return signedText(BigInt(after) - BigInt(before), 0);
}

type SlotChange = AccountChange['storage'][number];
type TokenChange = NonNullable<SlotChange['found']>['amount'];

/** A number of a token in its unit; the plain number as text to copy. */
function tokenValue(amount: string, plain: string, unit: string): Segment[] {
  const text = `${grouped(amount)} ${unit}`;
  return [{ kind: 'value', text, plain, inUnits: text, title: plain }];
}

/** Both sides of a change and their difference in units of the token; undefined if it counts none. */
function inTokenUnits(
  amount: TokenChange,
  raw: Pick<SlotChange, 'before' | 'after'>,
  names: Names,
): Pick<Change, 'before' | 'after' | 'difference'> | undefined {
  if (!amount) return undefined;
  const { asset, symbol, before, after, change } = amount;
  const unit = shownText(symbol ?? names(asset) ?? shortHex(asset), SYMBOL_LIMIT);
  return {
    before: tokenValue(before, raw.before, unit),
    after: tokenValue(after, raw.after, unit),
    difference: `${signed(change)} ${unit}`,
  };
}

function variableChange(
  variable: NonNullable<SlotChange['variables']>[number],
  names: Names,
): Change {
  const { name, type, before, after, amount } = variable;
  return {
    name: variableSegments(name, names),
    before: valueSegments(type, before, names),
    after: valueSegments(type, after, names),
    difference: difference(type, before, after),
    ...inTokenUnits(amount, variable, names),
  };
}

/** A slot without a known layout: what is plausible of it, and its whole words as text to copy. */
function slotChange({ slot, before, after, found = {} }: SlotChange, names: Names): Change {
  const { name, type, amount } = found;
  const words = (word: string, text: string | undefined): Segment[] =>
    type === undefined || text === undefined
      ? value(shortHex(word), word)
      : valueSegments(type, text, names).map((one) => ({ ...one, plain: word, title: word }));
  return {
    name:
      name === undefined
        ? [...label(`${l10n.t('slot')} `, 'slot '), ...value(slotText(slot), slot)]
        : [...variableSegments(name, names), foundMark()],
    before: words(before, found.before),
    after: words(after, found.after),
    ...(type === 'uint256' && {
      difference: difference(type, found.before ?? '', found.after ?? ''),
    }),
    ...inTokenUnits(amount, { before, after }, names),
  };
}

const foundMark = (): Segment => ({
  kind: 'quiet',
  text: ` ${l10n.t('inferred')}`,
  plain: ' (inferred)',
  title: l10n.t(
    'Found: the slot is the hash of this key and this number. The storage layout is not known.',
  ),
});

/** The number of a variable's slot, or the short hash of an entry's. */
const slotText = (slot: string): string =>
  BigInt(slot) < LARGEST_SHOWN_SLOT ? String(BigInt(slot)) : shortHex(slot);

type Built = readonly [build: () => Change, place: WrittenPlace];

function storageChanges({ address, storage }: AccountChange, names: Names): Built[] {
  return storage.flatMap((change): Built[] => {
    const { slot, variables = [], found } = change;
    const word = `slot(${address}, ${slot})`;
    if (variables.length === 0) {
      const type = found?.type;
      const build = (): Change => asked(slotChange(change, names), word);
      return [[build, { query: { slot }, ...(type && { type }) }]];
    }
    return variables.map((variable) => {
      const { name, type, offset, length } = variable;
      const expression = PATH.test(name) ? name : word;
      const query = {
        slot,
        ...(offset !== undefined && { offset: String(offset) }),
        ...(length !== undefined && { length: String(length) }),
      };
      return [() => asked(variableChange(variable, names), expression), { query, type }];
    });
  });
}

/** A variable, a member of it, or an entry, as an expression has it. */
const PATH = /^[A-Za-z_$][\w$]*(\[(0x[0-9a-f]+|\d+)\]|\.[A-Za-z_$][\w$]*)*$/;

const asked = (change: Change, expression: string): Change => Object.assign(change, { expression });

const nonceChange = (nonce: NonNullable<AccountChange['nonce']>): Change => ({
  name: label(l10n.t('nonce'), 'nonce'),
  before: value(grouped(String(nonce.before))),
  after: value(grouped(String(nonce.after))),
  difference: signedText(BigInt(nonce.after - nonce.before), 0),
});

const codeChange = (code: NonNullable<AccountChange['code']>): Change => ({
  name: label(l10n.t('code'), 'code'),
  before: codeSegments(code.before),
  after: codeSegments(code.after),
});

function changesOf(account: AccountChange, { names, nativeSymbol }: SlotWording): ChangeRow[] {
  const { address, balance, nonce, code } = account;
  const changes: Built[] = [
    ...(balance ? [ofAccount('balance', () => balanceChange(address, balance, nativeSymbol))] : []),
    ...(nonce ? [ofAccount('nonce', () => asked(nonceChange(nonce), `nonce(${address})`))] : []),
    ...(code ? [ofAccount('code', () => asked(codeChange(code), `${address}.codehash`))] : []),
    ...storageChanges(account, names),
  ];
  return changes.map(([build, place]) => new ChangeRow(account.address, build, place));
}

const ofAccount = (of: 'balance' | 'nonce' | 'code', build: () => Change): Built => [
  build,
  { query: { of } },
];

/** All lines, account by account. @param matches selects the lines to keep; an account is kept if it or one of its lines matches */
export function stateRows(
  accounts: readonly AccountChange[],
  wording: SlotWording,
  matches: (account: AccountChange, name: readonly Segment[]) => boolean,
): StateRow[] {
  return accounts.flatMap((account) => {
    const all = changesOf(account, wording);
    const isWhole = matches(account, []);
    const kept = isWhole ? all : all.filter(({ name }) => matches(account, name));
    if (kept.length === 0 && !isWhole) return [];
    return [{ kind: 'account' as const, account, changes: all.length }, ...kept];
  });
}
