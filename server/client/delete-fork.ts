import type { ApiClient } from '../api/client';
import { ApiError } from '../api/errors';

/** Deletes a fork, which may be deleted already. @throws ApiError */
export async function deleteFork(
  client: Pick<ApiClient, 'call'>,
  { projectId, forkId }: { readonly projectId: string; readonly forkId: string },
): Promise<void> {
  const params = { project_id: projectId, fork_id: forkId };
  try {
    await client.call('deleteFork', { params });
  } catch (error) {
    if (!(error instanceof ApiError && error.kind === 'forkNotFound')) throw error;
  }
}
