import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { RecordedStep, Variable } from '../../../server/api/recording';
import { invalidField } from '../../../server/api/errors';
import { CONTRACT_LIMITS } from '../../../server/api/schema-limits';
import { grouped } from '../../../server/client/format';
import type { AddressNames } from './address-names';
import { dataIdOf, slotOf } from './data-id';
import { bytesReference } from './memory';
import type { BytesOf, RecordedTransaction, VariableScope } from './recorded-transaction';
import { returnedVariables, type Returned } from './returned';
import { stepOfFrame } from './stack-frames';
import { isSettable } from './storage-word';

/** What can be expanded. */
type Container =
  | { kind: 'scope'; scopes: readonly VariableScope[]; call: number }
  | { kind: 'members'; scope: VariableScope; call: number; reference: string }
  | { kind: 'stack'; call: number }
  | { kind: 'bytes'; of: BytesOf; call: number };

interface Page {
  start?: number | undefined;
  count?: number | undefined;
  /** Whether whole numbers are hex. */
  isHex?: boolean | undefined;
}

const WORD = 32;
/** More members than this are shown in pages. */
const FEW = 100;
const MOST_AT_ONCE = 1_000;

/** Scopes and variables at one step. A new stop makes a new one, which ends all references. */
export class VariablesAt {
  readonly #containers: Container[] = [];
  /** Variables that were sent, for data breakpoints, by container and name. */
  readonly #sent = new Map<string, Variable>();

  constructor(
    private readonly recorded: RecordedTransaction,
    private readonly step: RecordedStep,
    private readonly returned?: Returned,
  ) {}

  scopes(call: number): DebugProtocol.Scope[] {
    const scope = (
      name: string,
      container: Container,
      more: Partial<DebugProtocol.Scope> = {},
    ): DebugProtocol.Scope => ({
      name,
      variablesReference: this.#refer(container),
      expensive: true,
      ...more,
    });
    const of = (...scopes: VariableScope[]): Container => ({ kind: 'scope', scopes, call });
    return [
      scope(l10n.t('Locals and Arguments'), of('locals'), {
        expensive: false,
        presentationHint: 'locals',
      }),
      scope(l10n.t('State'), of('state'), { expensive: false }),
      scope(l10n.t('State of All Contracts'), of('contracts')),
      scope(l10n.t('Message and Block'), of('message', 'block')),
      scope(l10n.t('Stack'), { kind: 'stack', call }, { presentationHint: 'registers' }),
      scope(l10n.t('Memory'), { kind: 'bytes', of: 'memory', call }),
      scope(l10n.t('Storage Touched'), of('storage')),
      scope(l10n.t('Transient Storage'), of('transient')),
      scope(l10n.t('Return Data'), { kind: 'bytes', of: 'returndata', call }),
      scope(l10n.t('Gas'), of('gas')),
    ];
  }

  async children(
    reference: number,
    page: Page,
    filter?: 'indexed' | 'named',
  ): Promise<DebugProtocol.Variable[]> {
    const { isHex } = page;
    const container = this.#containers[reference - 1];
    if (container === undefined) {
      throw invalidField('variablesReference', reference, l10n.t('one of this stop'));
    }
    switch (container.kind) {
      case 'scope': {
        const parts = await Promise.all(
          container.scopes.map((scope) =>
            this.#load({ ...container, scope }, { isHex }, reference),
          ),
        );
        return [...this.#returned(container), ...parts.flat()];
      }
      case 'members':
        return filter === 'named' ? [] : this.#load(container, page, reference);
      case 'stack':
        return this.#stack(container.call);
      case 'bytes':
        return this.#bytes(container, page, filter);
    }
  }

  /** What the call before returned is among the local variables of the innermost call. */
  #returned({
    scopes,
    call,
  }: {
    scopes: readonly VariableScope[];
    call: number;
  }): DebugProtocol.Variable[] {
    const isHere = scopes.includes('locals') && call === this.step.call;
    return isHere && this.returned ? returnedVariables(this.returned, this.#textOf) : [];
  }

  readonly #textOf = (variable: Variable): string => valueText(variable, this.recorded.names);

  /** The variable of a container that was shown by this name. */
  named(reference: number, name: string): Variable | undefined {
    return this.#sent.get(`${reference} ${name}`);
  }

  /** A variable as the protocol has it. @param scope in which its members are looked up */
  shown(variable: Variable, scope: VariableScope, call: number): DebugProtocol.Variable {
    const { name, type, unavailable, children = 0, reference, expression } = variable;
    const container =
      children > 0 && reference !== undefined
        ? this.#refer({ kind: 'members', scope, call, reference })
        : 0;
    const isCallData = variable.location === 'calldata' && /^(msg\.)?data$/.test(name);
    return {
      name,
      type,
      value: this.#textOf(variable),
      variablesReference: container,
      ...(container > 0 && children > FEW && { indexedVariables: children }),
      ...(expression !== undefined && { evaluateName: expression }),
      ...(isCallData && { memoryReference: bytesReference('calldata', call) }),
      presentationHint: {
        kind: 'data',
        attributes: [
          ...(isSettable(variable) ? [] : ['readOnly']),
          ...(unavailable === undefined ? [] : ['failedEvaluation']),
        ],
      },
    };
  }

  async #load(
    query: { scope: VariableScope; call: number; reference?: string },
    { start, count, isHex = false }: Page,
    container: number,
  ): Promise<DebugProtocol.Variable[]> {
    const wanted = count === undefined || count === 0 ? MOST_AT_ONCE : count;
    const { variables, total, unavailable } = await this.recorded.variables(this.step.step, {
      ...query,
      ...(start !== undefined && { start }),
      count: Math.min(wanted, MOST_AT_ONCE),
    });
    for (const variable of variables) this.#sent.set(`${container} ${variable.name}`, variable);
    const shown = variables.map((variable) =>
      this.shown(isHex ? inHex(variable) : variable, query.scope, query.call),
    );
    if (unavailable !== undefined && shown.length === 0) {
      shown.push(remark(l10n.t('unavailable'), l10n.t('because {0}', unavailable)));
    } else if (count === undefined && total > (start ?? 0) + variables.length) {
      shown.push(remark('…', l10n.t('{0} in all', grouped(total))));
    }
    return shown;
  }

  async #stack(call: number): Promise<DebugProtocol.Variable[]> {
    const at = stepOfFrame(this.step, call);
    const { stack } = at === this.step.step ? this.step : await this.recorded.step(at);
    return stack
      .map((word, index) => ({ name: String(index), value: word, variablesReference: 0 }))
      .reverse();
  }

  async #bytes(
    { of, call }: { of: BytesOf; call: number },
    page: Page,
    filter: 'indexed' | 'named' | undefined,
  ): Promise<DebugProtocol.Variable[]> {
    const first = filter === 'named' ? 0 : (page.start ?? 0);
    const words = page.count === undefined || page.count === 0 ? MOST_AT_ONCE : page.count;
    const { data, size } = await this.recorded.bytes(this.step.step, {
      of,
      call,
      offset: first * WORD,
      length: Math.min(words, MOST_AT_ONCE) * WORD,
    });
    const all = {
      name: l10n.t('all'),
      value: l10n.t('{0} bytes', grouped(size)),
      variablesReference: 0,
      memoryReference: bytesReference(of, call),
    };
    const hex = data.slice(2);
    const shown = Array.from({ length: Math.ceil(hex.length / (2 * WORD)) }, (_, index) => ({
      name: `0x${((first + index) * WORD).toString(16)}`,
      value: `0x${hex.slice(2 * WORD * index, 2 * WORD * (index + 1))}`,
      variablesReference: 0,
    }));
    if (filter === 'named') return [all];
    return filter === 'indexed' ? shown : [all, ...shown];
  }

  #refer(container: Container): number {
    return this.#containers.push(container);
  }
}

/** The same with its whole number in hex; other values stay. */
export const inHex = (variable: Variable): Variable =>
  withNumber(variable, (text) =>
    text.startsWith('-') ? `-0x${(-BigInt(text)).toString(16)}` : `0x${BigInt(text).toString(16)}`,
  );

/** The same with its whole number as people read it, such as `1,000`; other values stay. */
export const withSeparators = (variable: Variable): Variable => withNumber(variable, grouped);

function withNumber(variable: Variable, shown: (decimal: string) => string): Variable {
  const { type, value, before } = variable;
  if (!/^u?int\d*$/.test(type) || !/^-?\d+$/.test(value)) return variable;
  return {
    ...variable,
    value: shown(value),
    ...(before !== undefined && { before: shown(before) }),
  };
}

/**
 * The value, what it was before the transaction where that differs, and what it rests on where it is not proved.
 * @param names of addresses; default: those are shown by their digits
 * @param isWhole whether named addresses keep all digits
 */
export function valueText(variable: Variable, names?: AddressNames, isWhole = false): string {
  const { assumption, type, before } = variable;
  const named = (value: string): string => names?.valueOf({ type, value }, isWhole) ?? value;
  const text = plainText({
    ...variable,
    value: named(variable.value),
    ...(before !== undefined && { before: named(before) }),
  });
  return assumption === undefined ? text : l10n.t('{0} (assumed: {1})', text, assumption);
}

function plainText({ value, unavailable, changed, before, children }: Variable): string {
  if (unavailable !== undefined) return l10n.t('unavailable, because {0}', unavailable);
  if (changed === true && before !== undefined) return l10n.t('{0} (was {1})', value, before);
  return value === '' && children !== undefined ? l10n.t('{0} members', grouped(children)) : value;
}

/** What a data breakpoint on a variable needs. */
export function dataBreakpointInfo(
  variable: Variable,
  name: string,
): DebugProtocol.DataBreakpointInfoResponse['body'] {
  const refused = (description: string) => ({ dataId: null, description });
  const slot = slotOf(variable);
  const { type, unavailable } = variable;
  if (slot === undefined) {
    return refused(
      unavailable === undefined
        ? l10n.t('{0} is not in the storage of a contract.', name)
        : l10n.t('{0} cannot be watched: {1}.', name, unavailable),
    );
  }
  if (type.startsWith('mapping(')) {
    return refused(l10n.t('{0} is a mapping: choose an entry, such as {0}[…].', name));
  }
  const { slots = 1 } = slot;
  const most = CONTRACT_LIMITS.watchedSlots;
  if (slots > most) {
    return refused(
      l10n.t('{0} has {1} slots; accepted are up to {2}: choose an element.', name, slots, most),
    );
  }
  return {
    dataId: dataIdOf(slot),
    // The slot of a dynamic array has its length; each element has slots of its own.
    description: type.endsWith('[]') ? `${name}.length` : name,
    accessTypes: ['write', 'read', 'readWrite'],
    canPersist: true,
  };
}

const remark = (name: string, value: string): DebugProtocol.Variable => ({
  name,
  value,
  variablesReference: 0,
  presentationHint: { kind: 'virtual', attributes: ['readOnly'] },
});
