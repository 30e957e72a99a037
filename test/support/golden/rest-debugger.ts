import { getCreateAddress } from 'ethers';
import type { Variable, RecordedCalls } from '../../../server/api/recording';
import { deriveAccounts, lowerCase } from '../../../server/chains/sandbox/parts/accounts';
import { DEPLOYMENTS } from '../../../server/chains/sandbox/parts/deployments';
import { RecordedSession } from '../recordings';
import { sandboxHash } from '../sandbox-hashes';
import type { RunningService } from '../service';
import type { Debugger } from './debugger';

/**
 * Debugs a transaction of the sandbox over REST. Its people have names, and its contracts: one that it executes has that of the code, where
 * no other one has it, others have that of their deployment.
 */
export async function recordedOverRest(service: RunningService, id: string): Promise<Debugger> {
  const session = await RecordedSession.open(service, 'sandbox', sandboxHash(id));
  const { recording } = session;
  const names = sandboxNames();
  for (const { address, name } of recording.contracts) {
    const isOnly = recording.contracts.filter((one) => one.name === name).length === 1;
    if (name !== '' && isOnly) names.set(address, name[0]!.toLowerCase() + name.slice(1));
  }
  return {
    recording,
    names,
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

/** Names of the sandbox's accounts and contracts, by address. */
function sandboxNames(): Map<string, string> {
  const accounts = deriveAccounts();
  const names = new Map<string, string>();
  for (const [name, { address }] of Object.entries(accounts)) names.set(lowerCase(address), name);
  const nonces = new Map<string, number>();
  for (const [key, { by }] of Object.entries(DEPLOYMENTS)) {
    const nonce = nonces.get(by) ?? 0;
    nonces.set(by, nonce + 1);
    names.set(lowerCase(getCreateAddress({ from: accounts[by].address, nonce })), key);
  }
  return names;
}
