import type { Fork } from '../../../server/api/fork';
import type { Label } from '../../../server/api/labels';
import {
  isServiceReplaced,
  localProject,
  requestsTo,
  startService,
  type RunningService,
} from '../service';
import { longPauses } from '../stalls';
import { askRun } from './ask-run';

/** A service with the sandbox, which other files use before and after. */
export interface SandboxService extends RunningService {
  /** Deletes the forks and labels that the file has created, and forgets its artifact folders. */
  release: () => Promise<void>;
}

/** The service of the run for tests that need no other state than the sandbox's, or a service alone where the run has none. */
export async function sandboxService(): Promise<SandboxService> {
  const worker = process.env['MOCHA_WORKER_ID'] ?? 'only';
  const shared = isServiceReplaced()
    ? undefined
    : await askRun<Pick<RunningService, 'url' | 'key' | 'dataDir'>>(`/sandbox?worker=${worker}`);
  if (shared === undefined) {
    const service = await startService({ counted: true, args: ['--sandbox'] });
    const release = async (): Promise<void> => {
      await service.stop();
    };
    return { ...service, release };
  }
  const service = { ...shared, request: requestsTo(shared.url, shared.key) };
  const report = await stallReport(service, new Error().stack ?? '');
  const release = async (): Promise<void> => {
    await report();
    await reset(service);
  };
  return { ...service, release };
}

async function reset(service: RunningService): Promise<void> {
  await service.request('PUT', '/v1/artifact-folders', { body: { folders: [] } });
  const path = `/v1/project/${await localProject(service)}`;
  const { data } = await service.request<readonly Fork[]>('GET', `${path}/forks`);
  for (const { forkId } of data) await service.request('DELETE', `${path}/fork/${forkId}`);
  const labels = await service.request<readonly Label[]>('GET', '/v1/labels');
  for (const { address, chain } of labels.data) {
    await service.request('DELETE', '/v1/labels', { body: { address, chain } });
  }
}

/**
 * Says in the run's output that the service paused while a file used it. Nothing fails: a file that must not stall it asks `longPauses`.
 * @param stack of the call that got the service
 */
async function stallReport(service: { url: string }, stack: string): Promise<() => Promise<void>> {
  const [file = 'a file'] = /[\w.-]+\.test\.ts/.exec(stack) ?? [];
  const before = await longPauses(service);
  return async () => {
    const count = (await longPauses(service)) - before;
    if (count === 0) return;
    process.stderr.write(
      `${file}: the shared service paused ${count} times for more than 0.1 s of processor time\n`,
    );
  };
}
