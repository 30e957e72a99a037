import { HARDFORKS, type Hardfork } from '../api/config';

/** Whether a hardfork is `first` or a later one. */
export const isSince = (hardfork: Hardfork, first: Hardfork): boolean =>
  HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf(first);
