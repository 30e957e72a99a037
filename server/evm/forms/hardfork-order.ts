import { HARDFORKS, type Hardfork } from '../../api/config';

/** Hardforks that no engine executes, but the executor in this process: later than all of `HARDFORKS`, in the order of their activation. */
export type LaterHardfork = 'amsterdam';

/** A hardfork that an engine or the executor in this process executes. */
export type ExecutedHardfork = Hardfork | LaterHardfork;

const ORDER: readonly ExecutedHardfork[] = [...HARDFORKS, 'amsterdam'];

/** Whether a hardfork is `first` or a later one. */
export const isSince = (hardfork: ExecutedHardfork, first: ExecutedHardfork): boolean =>
  ORDER.indexOf(hardfork) >= ORDER.indexOf(first);
