import type { RequestContext } from './context';
import type { LongOperation } from './services';

/** What a long operation needs of a request. */
export const waitOptions = ({ signal, onProgress }: RequestContext): LongOperation => ({
  signal,
  onProgress,
});
