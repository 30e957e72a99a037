/** Analyses as text. The extension loads this on demand. */
export { analysisText, printAnalysis, warningLines } from './print-analysis';
export { renderCallTree } from './render-call-tree';
export { sourceNotes } from './source-notes';
