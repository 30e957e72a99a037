import type { RecordedStep, Recording } from '../../server/api/recording';
import type { Found } from '../../server/api/recording-search';
import type { RunningService } from './service';

type Search = Record<string, unknown>;

/** Steps through a recording as a debugger does. */
export class RecordedSession {
  private constructor(
    private readonly service: RunningService,
    readonly base: string,
    readonly recording: Recording,
  ) {}

  /** @param chain slug of a chain, or id of a fork @throws Error with the service's message */
  static async open(
    service: RunningService,
    chain: string,
    hash: string,
  ): Promise<RecordedSession> {
    const base = `/v1/explorer/${chain}/transaction/${hash}/recording`;
    return new RecordedSession(service, base, await get<Recording>(service, base));
  }

  get<T>(path: string): Promise<T> {
    return get<T>(this.service, this.base + path);
  }

  step(step: number): Promise<RecordedStep> {
    return this.get<RecordedStep>(`/step/${step}`);
  }

  async find(from: number, search: Search): Promise<Found> {
    const body = { from, direction: 'forwards', mode: 'step', ...search };
    const { message, data } = await this.service.request<Found>('POST', `${this.base}/find`, {
      body,
    });
    if (message !== 'OK') throw new Error(message);
    return data;
  }

  /** The steps from one to the end or the beginning, the first one included. */
  async walk(from: number, search: Search = {}): Promise<number[]> {
    const steps = [from];
    for (;;) {
      const { step, reason } = await this.find(steps.at(-1)!, search);
      if (reason === 'end' || reason === 'entry') return steps;
      steps.push(step);
    }
  }

  /** `line function` of each frame, the innermost first; a frame of a contract begins with its name. */
  async stackAt(step: number): Promise<string> {
    const { callStack } = await this.step(step);
    const { contracts } = this.recording;
    return callStack
      .map(({ contract, kind, function: name, place }) => {
        const of = kind === 'external' ? `${contracts[contract]!.name}.` : '';
        return `${place?.startLine ?? '?'} ${of}${name}`;
      })
      .join(' < ');
  }
}

async function get<T>(service: RunningService, path: string): Promise<T> {
  const { message, data } = await service.request<T>('GET', path);
  if (message !== 'OK') throw new Error(message);
  return data;
}
