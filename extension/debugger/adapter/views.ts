import { breakpointViews } from './breakpoint-views';
import { placeViews } from './place-views';
import { sourceViews } from './source-views';
import { stopViews } from './stop-views';
import type { Ready } from './viewed';
import { writerViews } from './writers';

/** Handles the requests that read, and leave the debugger where it is. */
export const viewHandlers = (
  ready: Ready,
): ReturnType<typeof stopViews> &
  ReturnType<typeof sourceViews> &
  ReturnType<typeof breakpointViews> &
  ReturnType<typeof placeViews> &
  ReturnType<typeof writerViews> => ({
  ...stopViews(ready),
  ...sourceViews(ready),
  ...breakpointViews(ready),
  ...placeViews(ready),
  ...writerViews(ready),
});
