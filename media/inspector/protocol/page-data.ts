import type { ForkOrigin, Parts, Source, TabId } from './protocol';

/** An analysis that a document contains: a saved page, or the output of a notebook's cell. */
export interface PageData {
  source: Source;
  parts: Partial<Parts>;
  /** The fork of the analysis, if known. */
  fork?: ForkOrigin;
  /** The view that is shown first. Default: the overview. */
  tab?: TabId;
}
