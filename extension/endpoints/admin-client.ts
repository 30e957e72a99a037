import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { ENDPOINT_COMMANDS, type EndpointCommand } from '../../server/api/endpoint';
import { ApiError } from '../../server/api/errors';
import { administer, readServiceRecord } from '../../server/client/service-record';

type Input<Name extends EndpointCommand> = z.input<(typeof ENDPOINT_COMMANDS)[Name]['input']>;
type Output<Name extends EndpointCommand> = z.output<(typeof ENDPOINT_COMMANDS)[Name]['output']>;

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
  const record = await readServiceRecord(dataDirectory);
  if (record?.url === undefined || record.url === null) {
    throw new ApiError(
      'upstreamUnreachable',
      l10n.t('the service does not run, or is just starting'),
    );
  }
  const { url, adminToken } = record;
  const answer = await administer({ url, adminToken }, name, input, signal);
  return ENDPOINT_COMMANDS[name].output.parse(answer) as Output<Name>;
}
