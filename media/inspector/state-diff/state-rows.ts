import * as l10n from '@vscode/l10n';
import type { AccountChange } from '../../../server/api/views';
import { signed } from '../grammar/decimal';
import type { Names, Segment } from '../grammar/segment';
import { addressSegment, valueSegments } from '../grammar/values';
import { fold, grouped, shortHex, shownText } from '../grammar/text';
import { inUnits } from '../grammar/tokens';

const NAME_LIMIT = 120;
const SYMBOL_LIMIT = 16;
const ETHER_DECIMALS = 18;

/** One line of the state difference: an account, or one of its changes. */
export type StateRow =
  | { kind: 'account'; account: AccountChange; changes: number }
  | {
      kind: 'change';
      address: string;
      /** Name of the changed value. */
      name: Segment[];
      before: Segment[];
      after: Segment[];
      /** Signed difference, for numbers. */
      difference?: string;
    };

type Change = Omit<Extract<StateRow, { kind: 'change' }>, 'kind' | 'address'>;

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

function balanceChanges({ balance }: AccountChange, nativeSymbol: string): Change[] {
  if (!balance) return [];
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
  return [
    {
      name: [...label(l10n.t('balance'), 'balance'), ...label(unit, unit)],
      before: ether(before),
      after: ether(after),
      difference: parts.filter((part) => part !== '').join(', '),
    },
  ];
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

function storageChanges({ storage }: AccountChange, names: Names): Change[] {
  return storage.flatMap(({ slot, before, after, variables }) => {
    if (!variables || variables.length === 0) {
      return [
        {
          name: [...label(`${l10n.t('slot')} `, 'slot '), ...value(shortHex(slot), slot)],
          before: value(shortHex(before), before),
          after: value(shortHex(after), after),
        },
      ];
    }
    return variables.map((variable) => ({
      name: variableSegments(variable.name, names),
      before: valueSegments(variable.type, variable.before, names),
      after: valueSegments(variable.type, variable.after, names),
      difference: difference(variable.type, variable.before, variable.after),
    }));
  });
}

function changesOf(account: AccountChange, { names, nativeSymbol }: SlotWording): Change[] {
  const { nonce, code } = account;
  return [
    ...balanceChanges(account, nativeSymbol),
    ...(nonce
      ? [
          {
            name: label(l10n.t('nonce'), 'nonce'),
            before: value(grouped(String(nonce.before))),
            after: value(grouped(String(nonce.after))),
            difference: signedText(BigInt(nonce.after - nonce.before), 0),
          },
        ]
      : []),
    ...(code
      ? [
          {
            name: label(l10n.t('code'), 'code'),
            before: codeSegments(code.before),
            after: codeSegments(code.after),
          },
        ]
      : []),
    ...storageChanges(account, names),
  ];
}

/** All lines, account by account. @param matches selects the lines to keep; an account is kept if it or one of its lines matches */
export function stateRows(
  accounts: readonly AccountChange[],
  wording: SlotWording,
  matches: (account: AccountChange, name: readonly Segment[]) => boolean,
): StateRow[] {
  return accounts.flatMap((account) => {
    const { address } = account;
    const all = changesOf(account, wording);
    const kept = matches(account, []) ? all : all.filter(({ name }) => matches(account, name));
    if (kept.length === 0 && !matches(account, [])) return [];
    return [
      { kind: 'account' as const, account, changes: all.length },
      ...kept.map((change) => ({ kind: 'change' as const, address, ...change })),
    ];
  });
}
