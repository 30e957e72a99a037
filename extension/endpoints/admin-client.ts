import * as l10n from '@vscode/l10n';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { ENDPOINT_COMMANDS, type EndpointCommand } from '../../server/api/endpoint';
import { ApiError, errorOfCode } from '../../server/api/errors';

type Input<Name extends EndpointCommand> = z.input<(typeof ENDPOINT_COMMANDS)[Name]['input']>;
type Output<Name extends EndpointCommand> = z.output<(typeof ENDPOINT_COMMANDS)[Name]['output']>;

/** The service's record in the data directory, for programs of the same user on the same machine. */
const recordSchema = z.object({ url: z.url(), adminToken: z.string() });
const answerSchema = z.object({ code: z.int(), message: z.string(), data: z.unknown() });

/**
 * Runs a command on the service that uses a data directory, even if another process started it.
 * @throws ApiError of the command, or `upstreamUnreachable` if no service runs there
 */
export async function runEndpointCommand<Name extends EndpointCommand>(
  dataDirectory: string,
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Output<Name>> {
  const { url, adminToken } = await readRecord(dataDirectory);
  const response = await fetch(new URL(`/admin/${name}`, url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
    ...(signal === undefined ? {} : { signal }),
  });
  const { code, message, data } = answerSchema.parse(await response.json());
  if (code !== 0) throw errorOfCode(code, message);
  return ENDPOINT_COMMANDS[name].output.parse(data) as Output<Name>;
}

async function readRecord(dataDirectory: string): Promise<z.infer<typeof recordSchema>> {
  try {
    const text = await readFile(path.join(dataDirectory, 'service.json'), 'utf8');
    return recordSchema.parse(JSON.parse(text));
  } catch (error) {
    const message = l10n.t('the service does not run, or is just starting');
    throw new ApiError('upstreamUnreachable', message, { cause: error });
  }
}
