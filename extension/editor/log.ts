/** Log of the extension; `vscode.LogOutputChannel` implements it. Never log an access key or a fork's RPC URL. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
