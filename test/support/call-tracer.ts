import { executionSteps } from '../../server/analysis/call-frame';
import { readCallTrace } from '../../server/analysis/traces/call-tracer';
import { account, mined, TRACED, word } from './analysis';

/** The transaction that the traces are of. */
export const sent = mined({ transaction: { value: '0x10' } });

/** A call as a node reports it. */
export const raw = (facts: object = {}): typeof TRACED & { value: string } => ({
  ...TRACED,
  value: '0x10',
  ...facts,
});

/** A log as a node reports it. @param position number of calls before it; undefined if the node reports none */
export const logAt = (position: number | undefined, topic: number): object => ({
  address: account(0xb0b),
  topics: [word(topic)],
  data: '0x',
  ...(position === undefined ? {} : { position: `0x${position.toString(16)}` }),
});

/** Calls as `type callee` and logs as their topic, in execution order. */
export const order = (answer: unknown, details?: unknown): (string | number)[] =>
  [...executionSteps(readCallTrace(answer, sent, details).root)].map(({ frame, log }) =>
    log ? Number(log.topics[0]) : `${frame.type} ${Number(frame.to)}`,
  );
