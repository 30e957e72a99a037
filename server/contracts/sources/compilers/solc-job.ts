import * as z from 'zod';

/** What the process of a compiler is sent. */
export interface SolcJob {
  /** Path of the package's `soljson.js`. */
  readonly soljson: string;
  /** The wanted compiler, such as `0.8.30+commit.73712a01`. */
  readonly version: string;
  /** Standard input of the compiler, as JSON. */
  readonly input: string;
  /** Most processor time, in milliseconds. */
  readonly cpuMs: number;
}

const ranges = z.array(z.object({ start: z.int().min(0), length: z.int().min(1) }));
const codeSchema = z.object({
  object: z.string(),
  sourceMap: z.string(),
  /** Places of library addresses. */
  links: ranges,
  immutableReferences: z.record(z.string(), ranges).optional(),
});
export type SolcCode = z.infer<typeof codeSchema>;

/** Output of a compiler: the contracts of the wanted name, and all files. */
export const solcOutputSchema = z.object({
  contracts: z.array(
    z.object({
      file: z.string(),
      /** Left out in outputs of earlier versions. */
      name: z.string().optional(),
      deployed: codeSchema,
      creation: codeSchema,
      storageLayout: z.unknown().optional(),
      transientStorageLayout: z.unknown().optional(),
    }),
  ),
  files: z.array(z.object({ name: z.string(), id: z.int(), ast: z.unknown().optional() })),
});
export type SolcOutput = z.infer<typeof solcOutputSchema>;

/** What the process writes: the output, or why there is none. */
export const solcAnswerSchema = z.union([
  z.object({ output: solcOutputSchema }),
  z.object({
    failure: z.string(),
    /**
     * When another attempt may succeed: `never` with the same compiler; `restart`: when the service has more time and memory; `soon`: while a
     * package is being installed.
     */
    retry: z.enum(['never', 'restart', 'soon']),
  }),
]);
export type SolcAnswer = z.infer<typeof solcAnswerSchema>;
export type Retry = Extract<SolcAnswer, { failure: string }>['retry'];
