import type {
  RecordedCalls,
  RecordedStep,
  Recording,
  Variable,
  Variables,
} from '../../../server/api/recording';
import type { FindRequest, Found } from '../../../server/api/recording-search';

export interface VariablesRequest {
  scope: 'locals' | 'state' | 'storage' | 'transient';
  call?: number;
  reference?: string;
}

/** A recorded transaction: over REST, or without a service. */
export interface Debugger {
  readonly recording: Recording;
  readonly calls: RecordedCalls;
  /** The names that scripts use for addresses, by address in lower case. */
  readonly names: ReadonlyMap<string, string>;
  find(request: FindRequest): Promise<Found>;
  step(step: number): Promise<RecordedStep>;
  variables(step: number, request: VariablesRequest): Promise<Variables>;
  evaluate(step: number, request: { expression: string; call?: number }): Promise<Variable>;
}

/** A search without breakpoints. */
export const SEARCH: FindRequest = {
  from: 0,
  direction: 'forwards',
  mode: 'step',
  granularity: 'line',
  depth: 'into',
  lines: [],
  functions: [],
  instructions: [],
  slots: [],
  events: [],
  failures: 'none',
};
