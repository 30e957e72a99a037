import type {
  Failure,
  PartMessage,
  PartRequest,
  Source,
} from '../../media/inspector/protocol/protocol';
import type { Access } from '../model/access';

/** Calls of `AccessProvider` methods that the analysis worker sends to the extension host. */
export type AccessQuestion =
  { method: 'access' } | { method: 'renew'; refused: Access } | { method: 'checkService' };

export type ToWorker =
  | { type: 'open'; session: number; source: Source }
  | { type: 'request'; session: number; request: PartRequest }
  | { type: 'close'; session: number }
  | { type: 'answer'; id: number; access?: Access | undefined; failure?: Failure };

export type FromWorker =
  | { type: 'part'; session: number; message: PartMessage }
  | { type: 'ask'; id: number; question: AccessQuestion };
