import * as z from 'zod';
import { hashSchema, networkSchema } from './primitives';
import { instructionPlace, watchedSlot } from './recording-search';
import { CONTRACT_LIMITS } from './schema-limits';
import { simulateBody } from './simulate';
import { visibleText } from './visible-text';

const text = (longest: number) => z.string().max(longest).overwrite(visibleText);
const TITLE = 200;
/** In characters. */
const MAX_NOTEBOOK = 1_048_576;

/** What a case is written of. */
export const writtenAnalysisSchema = z
  .union([
    z.strictObject({ chain: networkSchema, transaction: hashSchema }),
    z.strictObject({
      chain: networkSchema,
      simulation: simulateBody.meta({ description: 'Body of `simulate`' }),
      title: text(TITLE).optional().meta({ description: 'Name of the simulation' }),
    }),
  ])
  .meta({ description: 'A transaction, or the body of a simulation, of a chain or a fork' });
export type WrittenAnalysis = z.infer<typeof writtenAnalysisSchema>;

const stops = {
  condition: text(1_000).optional().meta({ description: 'Expression that must be true' }),
  hitCondition: text(100).optional().meta({ description: 'How often it is passed' }),
  isDisabled: z.literal(true).optional().meta({ description: 'Set if it stops nothing' }),
};
const conditions = {
  ...stops,
  logMessage: text(1_000).optional().meta({ description: 'Written in place of a stop' }),
};
const NAME = 500;
/** Breakpoints that an editor cannot set by itself: on data and on instructions. */
const placedSchema = z.union([
  z.strictObject({
    ...watchedSlot,
    address: z
      .string()
      .regex(/^0x[0-9a-f]{40}$/)
      .meta({ description: 'Account with the storage, in lower case' }),
    name: text(NAME).optional().meta({ description: 'Of the variable, as the user calls it' }),
    type: text(NAME).optional().meta({ description: 'Solidity type of the variable' }),
    ...stops,
  }),
  z.strictObject({
    ...instructionPlace,
    name: text(NAME).optional().meta({ description: 'Of the contract' }),
    ...stops,
  }),
]);
export type PlacedBreakpoint = z.infer<typeof placedSchema>;
const editorSchema = z.union([
  z.strictObject({
    source: text(1_024).min(1).meta({ description: 'Name of the file as compiled' }),
    line: z.int().min(1).max(1_000_000).meta({ description: 'From 1' }),
    ...conditions,
  }),
  z.strictObject({
    function: text(NAME).min(1).meta({ description: 'Name, with that of its contract or without' }),
    ...conditions,
  }),
]);
/** Breakpoints of the editor: on lines and functions. */
export type EditorBreakpoint = z.infer<typeof editorSchema>;
const breakpointSchema = z.union([editorSchema, placedSchema]);
export type CaseBreakpoint = z.infer<typeof breakpointSchema>;

/** What opening a case shows, if it is not the inspector of one analysis. */
export const shownSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('comparison').meta({ description: 'Of the two analyses of the case' }),
    }),
    z.strictObject({
      kind: z.literal('debugger').meta({ description: 'A session on the first analysis' }),
      step: z.int().min(0).optional().meta({ description: 'Where it stopped' }),
      build: z
        .enum(['executed', 'unoptimized'])
        .optional()
        .meta({ description: 'Whose steps are meant' }),
      breakpoints: z
        .array(breakpointSchema)
        .max(CONTRACT_LIMITS.breakpoints)
        .meta({ description: 'At lines, functions, places in storage and instructions' }),
    }),
    z.strictObject({
      kind: z.literal('notebook').meta({ description: 'Its cells show analyses of the case' }),
      name: text(TITLE).min(1).meta({ description: 'Name of its file' }),
      text: z.string().max(MAX_NOTEBOOK).meta({ description: 'Markdown of its file' }),
    }),
  ])
  .meta({ description: 'comparison, debugger or notebook; left out: an inspector' });
export type CaseShown = z.infer<typeof shownSchema>;

export const caseBlockSchema = z.object({
  number: z.string().meta({ description: 'Hex' }),
  hash: z.string().meta({ description: 'It is all that the reader of a proved case has to trust' }),
  position: z.int().meta({ description: 'Of the transaction in it' }),
});

const place = {
  chain: z.string().meta({ description: 'Of the open case; of a file that was written: its own' }),
  network: z.string().meta({ description: 'Chain or fork that it was recorded of' }),
  block: caseBlockSchema.meta({ description: 'Of the transaction or simulation' }),
};

/** An analysis in a case. */
export const caseAnalysisSchema = z.union([
  z.object({ ...place, transaction: z.string().meta({ description: 'Hash' }) }),
  z.object({
    ...place,
    simulation: z.record(z.string(), z.unknown()).meta({ description: 'Body of `simulate`' }),
    title: z.string().optional().meta({ description: 'Name of the simulation' }),
  }),
]);
export type CaseAnalysis = z.infer<typeof caseAnalysisSchema>;
