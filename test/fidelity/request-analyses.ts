import type { Analysis } from '../../server/api/views';
import type { TestService } from '../support/service';
import type { Judged } from './expected-changes';
import { judge, VIEWS, type Answered, type Judgement, type View } from './verdict';

/** @param query `?proof=wait` for the answer after the proof */
async function ask(
  service: TestService,
  chain: string,
  hash: string,
  query = '',
): Promise<Answered> {
  const path = `/v1/explorer/${chain}/transaction/${hash}/analysis${query}`;
  const { code, message, data } = await service.request<Analysis>('GET', path);
  return code === 0 ? { analysis: data } : { refusal: `${code} ${message}` };
}

const isProofRunning = (answered: Answered): boolean =>
  'analysis' in answered && answered.analysis.verification?.proof === 'running';

/**
 * Judges the first answer about a transaction and, if a proof continues in the background, the answer after it.
 * @returns the last judgement; a first answer that was silently wrong stays wrong
 */
export async function judgeTransaction(
  service: TestService,
  chain: string,
  executed: Judged,
  coinbase: string,
): Promise<Record<View, Judgement>> {
  const hash = executed.transaction.hash ?? '';
  const answered = await ask(service, chain, hash);
  const first = judge(answered, executed, coinbase);
  if (!isProofRunning(answered)) return first;
  const proved = await ask(service, chain, hash, '?proof=wait');
  const last = judge(proved, executed, coinbase);
  for (const view of VIEWS) if (first[view].verdict === 'wrong') last[view] = first[view];
  return last;
}
