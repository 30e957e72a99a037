import { changeSchema, CHANGES_PATH, type Change } from '../../api/changes';
import { errorOfCode, type ApiError } from '../../api/errors';
import { readEvents } from '../../api/event-source';
import { progressInWords } from '../../client/format';
import { NoServiceError } from '../errors/no-service-error';
import type { Handler } from './context';

/** Prints the events of `/v1/events` until Ctrl-C, which is not a failure, or until the service stops. */
export const eventsCommand: Handler<'events'> = async ({ type }, { connection, signal, out }) => {
  const { baseUrl, accessKey = '' } = await connection.target();
  const headers = { 'Access-Key': accessKey, Accept: 'text/event-stream' };
  try {
    const response = await fetch(baseUrl + CHANGES_PATH, { headers, signal });
    if (!response.ok) throw await refusalOf(response);
    for await (const { name, data } of readEvents(response)) {
      if (name === 'ready') out.note(`Listening to ${baseUrl}.`);
      const change = changeSchema.safeParse(data);
      // A later version of the service may send further types of changes.
      if (name !== 'change' || !change.success) continue;
      if (type === undefined || change.data.type === type) {
        out.line(change.data, textOf(change.data));
        await out.flushed();
      }
    }
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof TypeError) throw new NoServiceError(`${baseUrl} does not answer`);
    throw error;
  }
  throw new NoServiceError(`the service at ${baseUrl} has ended`);
};

function textOf(change: Change): string {
  switch (change.type) {
    case 'project':
      return `project ${change.projectId}`;
    case 'fork': {
      const progress = change.progress === undefined ? '' : `: ${progressInWords(change.progress)}`;
      return `fork ${change.forkId} ${change.state} "${change.name}"${progress}`;
    }
    case 'transactions':
    case 'snapshots':
      return `${change.type} ${change.forkId}`;
    case 'analysis':
      return `analysis ${change.chain} ${change.hash} ${change.level}${change.reason === undefined ? '' : `: ${change.reason}`}`;
  }
}

async function refusalOf(response: Response): Promise<ApiError> {
  const { code, message } = (await response.json()) as { code: number; message: string };
  return errorOfCode(code, message);
}
