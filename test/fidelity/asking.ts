import { setTimeout as delay } from 'node:timers/promises';
import type { Analysis } from '../../server/api/views';
import type { TestService } from '../support/service';
import type { Executed } from './reference/chain';
import { judge, VIEWS, type Answered, type Judgement, type View } from './verdict';

const POLL_MS = 100;
const MAX_POLLS = 600;

/** Asks the service for everything about a transaction. */
async function ask(service: TestService, chain: string, hash: string): Promise<Answered> {
  const path = `/v1/explorer/${chain}/transaction/${hash}/analysis`;
  const { code, message, data } = await service.request<Analysis>('GET', path);
  return code === 0 ? { analysis: data } : { refusal: `${code} ${message}` };
}

/** A proof goes on behind the answer. */
const isProofRunning = (answered: Answered): boolean =>
  'analysis' in answered &&
  (answered.analysis.verification as { proof?: string } | undefined)?.proof === 'running';

/**
 * Judges the first answer about a transaction, and where a proof goes on behind it the answer when it has ended.
 * @returns the last judgement; a first answer that was silently wrong stays wrong
 */
export async function judgeTransaction(
  service: TestService,
  chain: string,
  executed: Executed,
  coinbase: string,
): Promise<Record<View, Judgement>> {
  const { hash } = executed.transaction;
  let answered = await ask(service, chain, hash ?? '');
  const first = judge(answered, executed, coinbase);
  for (let poll = 0; isProofRunning(answered) && poll < MAX_POLLS; poll++) {
    await delay(POLL_MS);
    answered = await ask(service, chain, hash ?? '');
  }
  const last = judge(answered, executed, coinbase);
  for (const view of VIEWS) if (first[view].verdict === 'wrong') last[view] = first[view];
  return last;
}
