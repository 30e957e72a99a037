// Entry of a bundle of its own, which the first debug session loads.
import '../editor/translations';

export { TransactionDebugger } from './adapter/transaction-debugger';
