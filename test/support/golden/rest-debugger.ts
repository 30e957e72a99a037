import type { Variable, RecordedCalls } from '../../../server/api/recording';
import { deriveAccounts } from '../../../server/sandbox/parts/accounts';
import { RecordedSession } from '../recordings';
import { sandboxHash } from '../sandbox-hashes';
import type { TestService } from '../service';
import type { Debugger } from './debugger';

/** Debugs a transaction of the sandbox over REST. Its people, and the contracts that it executes, have names. */
export async function recordedOverRest(service: TestService, id: string): Promise<Debugger> {
  const session = await RecordedSession.open(service, 'sandbox', sandboxHash(id));
  const { recording } = session;
  const names = new Map<string, string>();
  for (const { address, name } of recording.contracts) {
    if (name !== '') names.set(address, name[0]!.toLowerCase() + name.slice(1));
  }
  for (const [name, wallet] of Object.entries(deriveAccounts())) {
    names.set(wallet.address.toLowerCase(), name);
  }
  return {
    ...{ recording, names },
    calls: await session.get<RecordedCalls>('/calls'),
    find: ({ from, ...search }) => session.find(from, search),
    step: (step) => session.step(step),
    variables: (step, request) => {
      const query = new URLSearchParams(
        Object.entries(request).map(([key, value]) => [key, String(value)]),
      );
      return session.get(`/step/${step}/variables?${query}`);
    },
    evaluate: async (step, body) => {
      const path = `${session.base}/step/${step}/evaluate`;
      const { message, data } = await service.request<Variable>('POST', path, { body });
      if (message !== 'OK') throw new Error(message);
      return data;
    },
  };
}
