/** Value of an expression at a step. */
export interface Evaluated {
  /** Whether a condition holds. */
  readonly isTrue: boolean;
  readonly text: string;
  /** Why it is not known. */
  readonly unavailable?: string | undefined;
  /** What it rests on where it is not proved. */
  readonly assumption?: string | undefined;
}

/** @throws ApiError `invalidField` for what is no expression */
export type Evaluate = (
  step: number,
  expression: string,
  isCondition: boolean,
) => Promise<Evaluated>;
