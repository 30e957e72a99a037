import { ApiError } from '../../api/errors';
import { RPC_CODES } from '../../api/rpc-codes';
import type { RpcError } from './json-rpc';

/** How anvil 1.5 reports data of the chain that it could not read. Errors of a contract have another code. */
const FAILED_READ =
  /^Fork Error: |\b(?:failed to get (?:account|storage|block hash|full block) for |failed to get transaction |failed to process AnyRequest: )/;
/** What the upstream itself said is at the end. */
const UPSTREAM_ERROR =
  /server returned an error response: error code -?\d+: ([^]+?)(?:, data: .*)?$/;

/**
 * Converts the error of an engine that could not read its chain: `upstreamUnreachable`; undefined for other errors.
 * @param chain name of the chain in the message
 */
export function upstreamFailure(
  { code, message }: Pick<RpcError, 'code' | 'message'>,
  chain = 'its chain',
): ApiError | undefined {
  if (code !== RPC_CODES.internal || !FAILED_READ.test(message)) return undefined;
  const [, reason] = UPSTREAM_ERROR.exec(message) ?? [];
  return new ApiError(
    'upstreamUnreachable',
    reason ?? `the fork's engine could not read ${chain}; try again`,
  );
}
