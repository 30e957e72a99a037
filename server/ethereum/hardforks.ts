import { HARDFORKS, type Hardfork } from '../api/config';

/** Whether the rules of a hardfork hold: of `first` itself, and of those after it. */
export const isSince = (hardfork: Hardfork, first: Hardfork): boolean =>
  HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf(first);
