import * as l10n from '@vscode/l10n';
import { invalidField } from '../../../server/api/errors';
import { MOST_RECORDED_NUMBER } from '../../../server/api/recorded-number';
import { CONTRACT_LIMITS } from '../../../server/api/schema-limits';
import type { Requests } from './requests';
import { isObject } from '../../../server/client/is-object';

/** Refuses a value. @param field its path, such as `breakpoints[0].line` @throws ApiError `invalidField` */
type Check = (value: unknown, field: string) => void;
type Fields = Readonly<Record<string, Check>>;

const MOST_ITEMS = CONTRACT_LIMITS.breakpoints;
const LONGEST_TEXT = 10_000;

const check =
  (passes: (value: unknown) => boolean, accepted: () => string): Check =>
  (value, field) => {
    if (!passes(value)) throw invalidField(field, value, accepted());
  };

const optional =
  (inner: Check): Check =>
  (value, field) => {
    if (value !== undefined) inner(value, field);
  };

const integer = check(Number.isSafeInteger, () => l10n.t('a whole number'));
const count = check(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  () => l10n.t('a whole number from 0 on'),
);
const truth = check(
  (value) => typeof value === 'boolean',
  () => l10n.t('true or false'),
);
const offset = check(
  (value) => Number.isSafeInteger(value) && Number(value) <= MOST_RECORDED_NUMBER,
  () => l10n.t('a whole number up to {0}', MOST_RECORDED_NUMBER),
);
const textUpTo = (most: number): Check =>
  check(
    (value) => typeof value === 'string' && value.length <= most,
    () => l10n.t('text of up to {0} characters', most),
  );
const text = textUpTo(LONGEST_TEXT);
const expression = textUpTo(CONTRACT_LIMITS.expressionLength);

const matching = (pattern: RegExp, accepted: () => string): Check =>
  check((value) => typeof value === 'string' && pattern.test(value), accepted);

const oneOf = (...values: string[]): Check =>
  check(
    (value) => typeof value === 'string' && values.includes(value),
    () => l10n.t('one of {0}', values.join(', ')),
  );

const object =
  (fields: Fields): Check =>
  (value, field) => {
    if (!isObject(value)) throw invalidField(field, value, l10n.t('an object'));
    for (const [name, inner] of Object.entries(fields)) inner(value[name], `${field}.${name}`);
  };

const list =
  (inner: Check): Check =>
  (value, field) => {
    if (!Array.isArray(value) || value.length > MOST_ITEMS) {
      throw invalidField(field, value, l10n.t('a list of up to {0}', MOST_ITEMS));
    }
    for (const [index, item] of value.entries()) inner(item, `${field}[${index}]`);
  };

const source = object({ path: optional(text), sourceReference: optional(count) });
const breakpoint = (fields: Fields): Check =>
  list(object({ ...fields, condition: optional(expression), hitCondition: optional(text) }));
const step = { granularity: optional(oneOf('statement', 'line', 'instruction')) };
const frame = { frameId: optional(count) };
const format = { format: optional(object({ hex: optional(truth) })) };

/** The fields that are read of each request's arguments. Those of `launch`, `goto` and `forklens/goTo` are checked where they are read. */
const FIELDS: Partial<Record<keyof Requests, Fields>> = {
  cancel: { progressId: optional(text) },
  restartFrame: { frameId: count },
  next: step,
  stepIn: { ...step, targetId: optional(count) },
  stepInTargets: { frameId: count },
  stepOut: step,
  stepBack: step,
  gotoTargets: { source, line: integer },
  stackTrace: { startFrame: optional(count), levels: optional(count) },
  scopes: { frameId: count },
  variables: {
    variablesReference: count,
    start: optional(count),
    count: optional(count),
    filter: optional(oneOf('indexed', 'named')),
    ...format,
  },
  setVariable: { variablesReference: count, name: text, value: text },
  setExpression: { expression, value: text, ...frame },
  evaluate: { expression, ...format, ...frame },
  completions: { text, column: integer, line: optional(integer), ...frame },
  source: { sourceReference: optional(count), source: optional(source) },
  disassemble: {
    memoryReference: text,
    instructionCount: count,
    offset: optional(integer),
    instructionOffset: optional(integer),
  },
  readMemory: { memoryReference: text, offset: optional(offset), count },
  breakpointLocations: { source, line: integer, endLine: optional(integer) },
  setBreakpoints: {
    source,
    breakpoints: optional(
      breakpoint({
        line: integer,
        logMessage: optional(textUpTo(CONTRACT_LIMITS.logMessageLength)),
      }),
    ),
  },
  setFunctionBreakpoints: { breakpoints: breakpoint({ name: text }) },
  setInstructionBreakpoints: {
    breakpoints: breakpoint({ instructionReference: text, offset: optional(integer) }),
  },
  setExceptionBreakpoints: {
    filters: list(text),
    filterOptions: optional(list(object({ filterId: text, condition: optional(text) }))),
  },
  setDataBreakpoints: {
    breakpoints: breakpoint({
      dataId: text,
      accessType: optional(oneOf('read', 'write', 'readWrite')),
    }),
  },
  dataBreakpointInfo: { variablesReference: optional(count), name: text, ...frame },
  'forklens/writers': { variablesReference: optional(count), name: text, ...frame },
  'forklens/values': { names: list(text), ...frame },
  'forklens/lines': { source },
};

const stops = {
  condition: optional(expression),
  hitCondition: optional(text),
  isDisabled: optional(truth),
  name: optional(text),
};
const keptSlot = object({
  address: matching(/^0x[0-9a-f]{40}$/i, () => l10n.t('an address')),
  slot: matching(/^0x[0-9a-f]{64}$/i, () => l10n.t('a slot: 0x and 64 hex digits')),
  access: oneOf('read', 'write', 'readWrite'),
  offset: optional(count),
  length: optional(count),
  slots: optional(count),
  isBytes: optional(truth),
  transient: optional(truth),
  type: optional(text),
  ...stops,
});
const keptInstruction = object({ contract: count, pc: count, ...stops });
const kept = object({
  build: oneOf('executed', 'unoptimized'),
  breakpoints: list((value, field) => {
    (isObject(value) && 'pc' in value ? keptInstruction : keptSlot)(value, field);
  }),
});

/** Refuses breakpoints that a configuration cannot have. @throws ApiError `invalidField` */
export function checkKept(value: unknown): void {
  kept(value, 'kept');
}

/**
 * Refuses arguments that a request cannot have.
 * @returns the arguments; an empty object for none
 * @throws ApiError `invalidField` that names the field
 */
export function checkedArguments(command: string, given: unknown): Record<string, unknown> {
  const values = given ?? {};
  if (!isObject(values)) throw invalidField('arguments', given, l10n.t('an object'));
  const fields = Object.hasOwn(FIELDS, command) ? (FIELDS[command as keyof Requests] ?? {}) : {};
  for (const [name, inner] of Object.entries(fields)) inner(values[name], name);
  return values;
}
