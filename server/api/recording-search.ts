import * as z from 'zod';
import { addressSchema } from './primitives';
import { callIndex, step } from './recording';
import { CONTRACT_LIMITS } from './schema-limits';

const SLOT = 'a slot: 0x and 64 hex digits';
const MAX_LIST = CONTRACT_LIMITS.breakpoints;
const text = (most: number) => {
  const error = `text of up to ${most} characters`;
  return z.string({ error }).max(most, { error });
};
const whole = (least: number, most?: number) => {
  const error = `a whole number from ${least}${most === undefined ? '' : ` to ${most}`}`;
  const from = z.int({ error }).min(least, { error });
  return most === undefined ? from : from.max(most, { error });
};
const id = z.int({ error: 'a whole number' }).meta({ description: 'Chosen by the client' });
const expression = text(CONTRACT_LIMITS.expressionLength);
const condition = expression
  .optional()
  .meta({ description: 'Expression; stops only where it is true' });
const hits = z
  .union(
    [
      whole(1),
      z.strictObject({ exactly: whole(1).meta({ description: 'This hit alone' }) }),
      z.strictObject({ every: whole(1).meta({ description: 'Each such number of hits' }) }),
    ],
    {
      error: 'a whole number from 1, or {"exactly": it} or {"every": it}',
    },
  )
  .optional()
  .meta({
    description: 'Hits that stop, counted from the start; a number: this one and later ones',
  });
const message = text(CONTRACT_LIMITS.logMessageLength)
  .optional()
  .meta({ description: 'Logpoint: does not stop; expressions in braces are evaluated' });
const name = text(CONTRACT_LIMITS.recordedNameLength);
const list = <Item extends z.ZodType>(item: Item) => {
  const error = `a list of up to ${MAX_LIST}`;
  return z.array(item, { error }).max(MAX_LIST, { error }).default([]);
};

/** Where a data breakpoint is, and what stops at it. */
export const watchedSlot = {
  address: addressSchema,
  slot: z
    .string({ error: SLOT })
    .regex(/^0x[0-9a-f]{64}$/i, { error: SLOT })
    .meta({ description: SLOT }),
  access: z.enum(['write', 'read', 'readWrite']).default('write').meta({
    description:
      'Accesses that stop; write: those that change the value; readWrite: also writes that change nothing',
  }),
  offset: whole(0, 31)
    .optional()
    .meta({ description: 'Bytes from the right end of the slot; default: 0' }),
  length: whole(1, 32).optional().meta({
    description: 'Of a value that shares its slot: writes stop that change one of its bytes',
  }),
  slots: whole(1, CONTRACT_LIMITS.watchedSlots)
    .optional()
    .meta({ description: 'Slots from `slot` on, for structs and arrays; default: 1' }),
  isBytes: z
    .boolean({ error: 'true or false' })
    .optional()
    .meta({ description: 'Whether it is a `bytes` or `string`: its content is watched too' }),
  transient: z
    .boolean({ error: 'true or false' })
    .optional()
    .meta({ description: 'Whether the slot is in transient storage' }),
};

/** Where a breakpoint on an instruction is. */
export const instructionPlace = {
  contract: whole(0).meta({ description: 'Index of a code in `contracts`' }),
  pc: whole(0).meta({ description: 'Byte offset in its code' }),
};

export const findBody = z.strictObject({
  from: whole(0).meta({ description: 'Step from which the search starts; it is not found itself' }),
  direction: z
    .enum(['forwards', 'backwards'])
    .meta({ description: 'To later or to earlier steps' }),
  mode: z.enum(['step', 'continue']).meta({
    description:
      'step: to the next line, statement or instruction, or a breakpoint before it; continue: to a breakpoint',
  }),
  granularity: z.enum(['line', 'statement', 'instruction']).default('line').meta({
    description:
      'Of `step`. A line may have several statements, and a statement several lines; a line of assembly is a statement',
  }),
  depth: z
    .enum(['into', 'over', 'out'])
    .default('into')
    .meta({ description: 'Of `step`: calls that it passes over' }),
  lines: list(
    z.strictObject({
      id,
      file: name.meta({ description: 'As compiled' }),
      contract: whole(0).optional().meta({
        description: 'Index of a code that has the file; default: all files of this name',
      }),
      line: whole(1).meta({ description: 'From 1' }),
      condition,
      hits,
      message,
    }),
  ).meta({ description: 'Breakpoints on lines' }),
  functions: list(
    z.strictObject({
      id,
      name: name.meta({ description: 'Of the function, or Contract.function' }),
      condition,
      hits,
    }),
  ).meta({ description: 'Breakpoints on functions' }),
  instructions: list(
    z.strictObject({
      id,
      ...instructionPlace,
      condition,
      hits,
    }),
  ).meta({ description: 'Breakpoints on instructions' }),
  slots: list(
    z.strictObject({
      id,
      ...watchedSlot,
      condition,
      hits,
    }),
  ).meta({ description: 'Data breakpoints' }),
  events: list(
    z.strictObject({
      id,
      name: name.meta({ description: 'Of the event; * for all' }),
      condition,
      hits,
    }),
  ).meta({ description: 'Breakpoints on events' }),
  failures: z.enum(['none', 'uncaught', 'all', 'panic']).default('none').meta({
    description: 'Calls whose failure stops; uncaught: those that make the transaction fail',
  }),
  evaluations: whole(1).optional().meta({
    description:
      'Expressions of conditions and messages after which the answer is the place that the search has got to, with the reason unfinished; another search goes on from there. Default: no such answer',
  }),
});

export const foundSchema = z.object({
  step,
  reason: z
    .enum([
      ...(['step', 'line', 'function', 'instruction', 'data', 'event', 'failure'] as const),
      ...(['entry', 'end', 'unfinished'] as const),
    ])
    .meta({
      description:
        'Why it stops there; entry and end: nothing was found; unfinished: nothing up to there, after `evaluations` or as many messages as an answer has; another search goes on from there',
    }),
  ids: z.array(z.int()).meta({ description: 'Of the breakpoints that are hit' }),
  text: z.string().meta({ description: 'What happened, in words; may be empty' }),
  written: z
    .object({
      before: z.string().meta({ description: 'Word of the slot, 0x and 64 hex digits' }),
      after: z.string().meta({ description: 'The same after the step' }),
    })
    .optional()
    .meta({ description: 'Where a slot is written: its values' }),
  logged: z
    .array(
      z.object({
        id,
        step,
        text: z.string().meta({ description: 'The message with its values' }),
        isRemark: z.literal(true).optional().meta({
          description:
            'Of the condition of the breakpoint, in place of a message; said once in a search',
        }),
      }),
    )
    .meta({ description: 'Messages of the logpoints on the way' }),
  omitted: z.int().optional().meta({
    description: 'Number of messages that are left out, since the answer would be too long',
  }),
});

export const evaluateBody = z.strictObject({
  expression: expression.meta({
    description: 'In Solidity: variables, members, operators, view functions',
  }),
  call: callIndex
    .optional()
    .meta({ description: 'Call of the call stack; default: the innermost' }),
});

export type FindRequest = z.output<typeof findBody>;
export type Found = z.infer<typeof foundSchema>;
