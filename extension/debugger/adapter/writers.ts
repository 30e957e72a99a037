import * as l10n from '@vscode/l10n';
import type { Variable } from '../../../server/api/recording';
import type { Writer } from '../../../server/api/recording-writers';
import { writerText, type WrittenType } from '../../model/writer-text';
import { isOneWord, slotOf } from './data-id';
import type { WritersQuery } from './recorded-transaction';
import type { Handlers } from './requests';
import { callAt, type Ready } from './viewed';

/** A write or read of a variable, as a list shows it. */
interface ShownWriter {
  step: number;
  /** Such as `step 120 · Vault.withdraw, line 88 · 5 → 0`. */
  label: string;
  isRead: boolean;
  isUndone: boolean;
}

export interface ShownWriters {
  /** As the user calls the variable. */
  name: string;
  writers: ShownWriter[];
  /** Of those in all that are not listed. */
  omitted: number;
  /** Why there are none. */
  unavailable?: string;
  /** What is not among them. */
  incomplete?: string;
}

const MOST = 1_000;
const LOCAL: ReadonlySet<string> = new Set(['stack', 'memory', 'calldata']);
const BALANCE = 'address(this).balance';

/** Handles the request for what writes and reads a variable. */
export function writerViews(ready: Ready): Handlers<'forklens/writers'> {
  return {
    'forklens/writers': async ({ variablesReference, name, frameId }) => {
      const { recorded, stop } = await ready();
      const call = await callAt(ready, frameId);
      const known =
        variablesReference === undefined
          ? undefined
          : stop.variables.named(variablesReference, name);
      const variable = known ?? (await recorded.evaluate(stop.step, name, call));
      const shownName = variable.expression ?? name;
      const { callStack } = await recorded.step(stop.step);
      const account = callStack.find((one) => one.call === call)?.address;
      const query = queryOf(variable, account) ?? localQuery(variable, stop.step, call);
      if (query === undefined) {
        const unavailable = variable.type.startsWith('mapping(')
          ? l10n.t('{0} is a mapping: choose an entry, such as {0}[…].', shownName)
          : l10n.t(
              '{0} is neither in the storage of a contract nor a local variable: what writes it is not recorded.',
              shownName,
            );
        return { name: shownName, writers: [], omitted: 0, unavailable };
      }
      const found = await recorded.writers({ ...query, access: 'readWrite', count: String(MOST) });
      const place = slotOf(variable);
      const { offset, length } = variable;
      const type = place && isOneWord(place) ? variable.type : '';
      return {
        name: shownName,
        writers: found.writers.flatMap((one) =>
          one.step === null ? [] : shown(one, one.step, { type, offset, length }),
        ),
        omitted: found.total - found.writers.length,
        ...(found.unavailable !== undefined && {
          unavailable: `${shownName}: ${found.unavailable}`,
        }),
        ...(found.incomplete !== undefined && { incomplete: found.incomplete }),
      };
    },
  };
}

function queryOf(variable: Variable, account: string | undefined): WritersQuery | undefined {
  if (variable.name === BALANCE && account !== undefined)
    return { address: account, of: 'balance' };
  const place = slotOf(variable);
  if (place === undefined || variable.type.startsWith('mapping(')) return undefined;
  const { address, slot, offset, length, slots, isBytes, transient } = place;
  return {
    address,
    slot,
    of: transient === true ? 'transient' : 'storage',
    ...(offset !== undefined && { offset: String(offset) }),
    ...(length !== undefined && { length: String(length) }),
    ...(slots !== undefined && { slots: String(slots) }),
    ...(isBytes === true && { isBytes: 'true' }),
  };
}

/** The query for a local variable. One that is not known has no place: the answer says why. */
function localQuery(
  { name, expression = name, location, unavailable }: Variable,
  step: number,
  call: number,
): WritersQuery | undefined {
  const isPlaced = location !== undefined && LOCAL.has(location);
  const isLocal = isPlaced || (location === undefined && unavailable !== undefined);
  if (!isLocal || !/^[\w$]+$/.test(expression)) return undefined;
  return { variable: expression, step: String(step), call: String(call) };
}

function shown(writer: Writer, step: number, value: WrittenType): ShownWriter {
  const { access, isUndone } = writer;
  return { step, label: writerText(writer, value), isRead: access === 'read', isUndone };
}
