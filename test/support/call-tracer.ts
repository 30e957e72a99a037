import { executionSteps } from '../../server/analysis/call-frame';
import { readCallTrace } from '../../server/analysis/traces/call-tracer';
import { account, mined, word } from './analysis';

export const sent = mined({ transaction: { value: '0x10' } });

export const raw = (facts: object = {}) => ({
  type: 'CALL',
  from: account(0xa11),
  to: account(0xb0b),
  value: '0x10',
  gas: '0x186a0',
  gasUsed: '0x5208',
  input: '0x',
  ...facts,
});

export const logAt = (position: number | undefined, topic: number) => ({
  address: account(0xb0b),
  topics: [word(topic)],
  data: '0x',
  ...(position === undefined ? {} : { position: `0x${position.toString(16)}` }),
});

export const order = (answer: unknown, details?: unknown) =>
  [...executionSteps(readCallTrace(answer, sent, details).root)].map(({ frame, log }) =>
    log ? Number(log.topics[0]) : `${frame.type} ${Number(frame.to)}`,
  );
