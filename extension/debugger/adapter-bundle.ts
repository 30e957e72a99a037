// Entry of a bundle of its own, which the first debug session loads.
import '../editor/translations';

export { TransactionDebugger } from './adapter/transaction-debugger';
export { replaceSession } from './changed-sessions';
export { goToStep, goToWriter } from './go-to-writer';
export { hoveredExpressions, inlineValues } from './inline-values';
export { locateSource } from './locate-source';
export { moveDebugger } from './move-debugger';
export { offerCompilers } from './offer-compilers';
export { switchBuild } from './switch-build';
