// Entry of a bundle of its own, which the first debug session loads.
import '../editor/translations';

export { TransactionDebugger } from './adapter/transaction-debugger';
export { replaceSession } from './changed-sessions';
export { setBreakpoints } from './editor-breakpoints';
export { goToStep, goToWriter } from './go-to-writer';
export { hoveredExpressions, inlineValues } from './inline-values';
export { locateSource } from './locate-source';
export { moveDebugger } from './move-debugger';
export { offerCompilers } from './offer-compilers';
export { copySessionLink } from './session-link';
export { switchBuild } from './switch-build';
export { sessionEnded } from './throw-away';
