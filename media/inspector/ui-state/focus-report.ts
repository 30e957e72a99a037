import type { FromWebview } from '../protocol/protocol';

/**
 * Longer than the interval of 250 ms at which the editor's frame around the document looks for a change of the focus, and reports it. Both
 * timers are on the thread of the document: this one ends after a look, however busy the machine is.
 */
const LOOK_MS = 300;

/** Notifies the host when the editor has got the report of a focus that was lost before. */
export function reportFocus(post: (message: FromWebview) => void): void {
  setTimeout(() => {
    post({ type: 'focusReported' });
  }, LOOK_MS);
}
