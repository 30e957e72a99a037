import type { buildConnector } from 'undici';
import type { OpenConnection } from './open-connection';

/** Options for undici's clients. Without `open`, undici connects over this machine's network. */
export function connectBy(
  open: OpenConnection | undefined,
): { connect: buildConnector.connector } | undefined {
  if (!open) return undefined;
  return {
    connect: (_options, callback) => {
      open().then(
        (socket) => {
          callback(...([null, socket] as Parameters<buildConnector.Callback>));
        },
        (error: unknown) => {
          callback(error as Error, null);
        },
      );
    },
  };
}
