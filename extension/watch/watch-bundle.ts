// Entry of a bundle of its own: most windows watch nothing.
import '../editor/translations';

export { addWatch, stopWatching } from './watch-commands';
export { startWatcher } from './start-watcher';
export type { Watcher } from './watcher';
