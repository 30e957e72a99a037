import '../editor/translations';

/** What encodes calls, and is therefore loaded on first use. */
export { askSimulation } from './ask-simulation';
export { debugFunction } from './debug-function';
