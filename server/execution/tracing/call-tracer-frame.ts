/** A call frame as in callTracer's result. Amounts are quantities. */
export interface CallFrame {
  type: string;
  from: string;
  to?: string;
  value?: string;
  gas: string;
  gasUsed: string;
  input: string;
  output?: string;
  error?: string;
  calls?: readonly CallFrame[];
}
